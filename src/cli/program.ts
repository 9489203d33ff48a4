// The commands and their flags. Each command's code is imported when it runs.
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { KbError } from "../core/errors.js";
import { crossableParts } from "../core/eval/fingerprint-parts.js";
import { seedStrategies } from "../core/graph/graph-reply.js";
import { limits } from "../core/limits.js";
import { exitCodeFor, printFailure } from "./failure.js";
import { ownStandardStreams, print } from "./standard-streams.js";
import { version } from "./version.js";

/** Flags that every command takes. */
export interface CommonFlags {
  kbPath?: string;
  config?: string;
}

/** What `kb-mcp models` can do. */
export type ModelsAction = "list" | "pull" | "verify";

/** What a command may end with. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command line.
 * @param args without node and the script
 */
export async function runProgram(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  let given: CommonFlags = {};
  const program = createProgram((code) => (exitCode = code));
  program.hook("preAction", (_, command) => {
    given = command.opts<CommonFlags>();
    ownStandardStreams();
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    const failure = error instanceof CommanderError ? usageError(error, program, args[0]) : error;
    if (failure === undefined) return 0;
    printFailure(failure, given);
    return exitCodeFor(failure);
  }
}

/** What commander says of a command line, as a failure like any other; undefined where help or version was asked for. */
function usageError(
  { exitCode, message, code }: CommanderError,
  program: Command,
  first = "",
): KbError | undefined {
  if (exitCode === 0) return undefined;
  // "(outputHelp)": the help has been printed.
  if (code === "commander.help") return new KbError("KB_CLI_USAGE", "no command was given");
  const isCommand = program.commands.some((command) => command.name() === first);
  const what = message.replace(/^error: /u, "").replace(/\s*\n\s*/gu, " ");
  const help = `Run kb-mcp ${first} --help for its arguments and flags.`;
  // Unquoted, an exclusion of the query looks like a flag.
  const isExclusion = first === "search" && /^unknown option '-[^-]/u.test(what);
  const hint = isExclusion
    ? `To exclude a word, put quotes around the whole query: kb-mcp search "garden -moss". ${help}`
    : help;
  return new KbError("KB_CLI_USAGE", what, { ...(isCommand && { hint }) });
}

function createProgram(done: (code: ExitCode) => void): Command {
  const program = new Command("kb-mcp")
    .description("Hybrid search over a folder of notes, for you and for your AI assistant (MCP).")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    // Errors are printed where all failures are.
    .configureOutput({ writeOut: print, outputError: () => undefined })
    .exitOverride();

  withCommonFlags(program.command("index"))
    .description("bring the index up to date with the folder")
    .option("--force", "build the whole index anew")
    .option("--strict", "end with exit code 1 if a file was skipped")
    .option("--quiet", "no progress, only the summary")
    .addOption(formatOption())
    .addHelpText("after", "\nExample:\n  kb-mcp index --kb-path ./notes")
    .action(async (flags: object) => {
      const { indexCommand } = await import("./commands/index.js");
      done(await indexCommand(flags));
    });

  withCommonFlags(program.command("search"))
    .description("search the index")
    .argument("<query...>", "what to look for, in your own words")
    .option(
      "--limit <n>",
      `how many hits, at most ${limits.searchLimitMax}`,
      wholeUpTo(limits.searchLimitMax),
    )
    .option("--category <name>", "only documents of this category")
    .option("--topic <path>", "only documents in this folder and below")
    .option("--path <glob>", 'only paths that match; "!glob" excludes; may be repeated', collect)
    .option("--tag <tag>", "only documents with this tag; may be repeated, then with all of them", collect)
    .option(
      "--tag-any <tag>",
      "only documents with this tag; may be repeated, then with any of them",
      collect,
    )
    .option("--date-from <day>", "only documents dated on that day or later, YYYY-MM-DD")
    .option("--date-to <day>", "only documents dated on that day or earlier, YYYY-MM-DD")
    .option("--min-quality <x>", "only passages of this quality, 0 to 1", share)
    .option("--mmr", "choose hits for variety")
    .option("--no-mmr", "leave hits in order of score")
    .option("--parent", "let hits grow to the section they stand in")
    .option("--no-parent", "show hits as they were found")
    .option("--no-rerank", "leave a configured reranker out")
    .option("--explain", "show each hit's rank and score in each leg")
    .addOption(formatOption())
    .addHelpText("after", '\nExample:\n  kb-mcp search "how do I roll back a bad update" --kb-path ./notes')
    .action(async (query: string[], flags: object) => {
      const { searchCommand } = await import("./commands/search.js");
      done(await searchCommand(query.join(" "), flags));
    });

  withCommonFlags(program.command("eval"))
    .description("measure how well search finds what your golden questions expect")
    .option("--golden <file>", "questions and where their answers are (YAML)")
    .option(
      "--limit <n>",
      `documents within which an answer counts as found, default [search].limit`,
      wholeUpTo(limits.searchLimitMax),
    )
    .option("--fail-on-regression", "end with exit code 1 if a measure fell since the run compared with")
    .option("--tolerance <x>", "how much a measure may fall, 0 to 1, default 0", share)
    .addOption(
      new Option("--across <part>", "compare although this has changed; may be repeated")
        .choices(acrossChoices)
        .argParser(collectAcross),
    )
    .option("--quiet", "no progress, only the result")
    .addOption(formatOption())
    .addHelpText("after", "\nExample:\n  kb-mcp eval --kb-path ./notes --golden golden.yml")
    .action(async (flags: object) => {
      const { evalCommand } = await import("./commands/eval.js");
      done(await evalCommand(flags));
    });

  withCommonFlags(program.command("graph"))
    .description("show which documents are like one document, and which are like those")
    .argument("<start>", "path of the document to start from, as search shows it")
    .option("--depth <n>", `steps to go, at most ${limits.graphDepthMax}`, wholeUpTo(limits.graphDepthMax))
    .option(
      "--fan-out <n>",
      `neighbours of one node, at most ${limits.graphFanOutMax}`,
      wholeUpTo(limits.graphFanOutMax),
    )
    .option("--min-similarity <x>", "how similar passages must be, 0 to 1", share)
    .addOption(
      new Option("--seed-strategy <name>", "compare each passage of the start, or all as one").choices(
        seedStrategies,
      ),
    )
    .option("--no-dedup-by-path", "show a document once for each passage that connects")
    .option("--category <name>", "only documents of this category")
    .option("--topic <path>", "only documents in this folder and below")
    .option(
      "--exclude-path <glob>",
      "a path, kb://doc/ URI or glob that the walk does not enter; may be repeated",
      collect,
    )
    .option(
      "--max-nodes <n>",
      `nodes in all, at most ${limits.graphNodesMax}`,
      wholeUpTo(limits.graphNodesMax),
    )
    .option(
      "--max-seed-chunks <n>",
      `passages of the start to follow, at most ${limits.graphSeedsMax}`,
      wholeUpTo(limits.graphSeedsMax),
    )
    .addOption(formatOption("dot", "svg"))
    .addHelpText(
      "after",
      "\nExample:\n  kb-mcp graph guide/setup.md --kb-path ./notes --format svg > connections.svg",
    )
    .action(async (start: string, flags: object) => {
      const { graphCommand } = await import("./commands/graph.js");
      done(await graphCommand(start, flags));
    });

  withCommonFlags(program.command("serve"))
    .description("run the MCP server (your MCP client starts this)")
    .option("--transport <id>", "how clients connect")
    .addHelpText("after", "\nExample:\n  kb-mcp serve --kb-path ./notes")
    .action(async (flags: object) => {
      const { serveCommand } = await import("./commands/serve.js");
      done(await serveCommand(flags));
    });

  withCommonFlags(program.command("status"))
    .description("show what the index holds and where it is")
    .option("--paths", "list the indexed paths too")
    .addOption(formatOption())
    .addHelpText("after", "\nExample:\n  kb-mcp status --kb-path ./notes --format json")
    .action(async (flags: object) => {
      const { statusCommand } = await import("./commands/status.js");
      done(await statusCommand(flags));
    });

  withCommonFlags(program.command("plugins"))
    .description("list the plugins there are, which are in use, and why one cannot be used")
    .addOption(formatOption())
    .addHelpText("after", "\nExample:\n  kb-mcp plugins --config kb-mcp.toml")
    .action(async (flags: object) => {
      const { pluginsCommand } = await import("./commands/plugins.js");
      done(await pluginsCommand(flags));
    });

  const models = program
    .command("models")
    .description("look after the models that the embedder and the reranker keep on this machine")
    .helpCommand(false)
    .exitOverride();
  const modelsCommands = {
    list: "list the models that are known and those on this machine",
    pull: "download a model, or what is missing of it; without a name the models in use",
    verify: "check the files of a model; without a name of all models on this machine",
  } as const;
  for (const [name, description] of Object.entries(modelsCommands) as [ModelsAction, string][]) {
    const command = withCommonFlags(models.command(name)).description(description);
    if (name !== "list") command.argument("[model]", "its id, such as Xenova/multilingual-e5-small");
    if (name === "pull") command.option("--quiet", "no progress, only the result");
    command
      .addOption(formatOption())
      .addHelpText("after", `\nExample:\n  kb-mcp models ${name} --config kb-mcp.toml`)
      .action(async (...args: readonly unknown[]) => {
        const [model, flags] = name === "list" ? [undefined, args[0]] : args;
        const { runModels } = await import("./run-models.js");
        done(await runModels(name, model as string | undefined, flags as object));
      });
  }
  return program;
}

function withCommonFlags(command: Command): Command {
  return command
    .option("--kb-path <folder>", "the folder of your notes")
    .option("--config <file>", "a kb-mcp.toml to use and to trust");
}

function formatOption(...more: string[]): Option {
  return new Option("--format <form>", "how to print results")
    .choices(["text", "json", ...more])
    .default("text");
}

/** Gathers the values of a flag that may be repeated. A flag of several values (`<tag...>`) would swallow the query. */
function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

const acrossChoices: readonly string[] = [...crossableParts, "all"];

/** As `collect`: a parser of its own takes the place of the one that checks choices. */
function collectAcross(value: string, before?: readonly string[]): string[] {
  if (!acrossChoices.includes(value))
    throw new InvalidArgumentError(`Allowed choices are ${acrossChoices.join(", ")}.`);
  return collect(value, before);
}

function share(value: string): number {
  const number = /^\d{0,3}(?:\.\d{1,9})?$/u.test(value) && value !== "" ? Number(value) : -1;
  if (number < 0 || number > 1) throw new InvalidArgumentError("It takes a number from 0 to 1.");
  return number;
}

/** Reads a whole number from 1 to `most`. */
function wholeUpTo(most: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/u.test(value) ? Number(value) : 0;
    if (number < 1 || number > most)
      throw new InvalidArgumentError(`It takes a whole number from 1 to ${most}.`);
    return number;
  };
}
