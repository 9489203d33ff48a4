// The commands and their flags. Each command's code is imported when it runs.
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { exitCodeFor, printFailure } from "./failure.js";
import { version } from "./version.js";

/** Flags that every command takes. */
export interface CommonFlags {
  kbPath?: string;
  config?: string;
}

/** What a command may end with. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command line.
 * @param args without node and the script
 */
export async function runProgram(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = createProgram((code) => (exitCode = code));
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printFailure(error);
    return exitCodeFor(error);
  }
}

function createProgram(done: (code: ExitCode) => void): Command {
  const program = new Command("kb-mcp")
    .description("Hybrid search over a folder of notes, for you and for your AI assistant (MCP).")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .showHelpAfterError("Run kb-mcp --help for the commands and flags.")
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
    .option("--limit <n>", "how many hits", positiveInteger)
    .option("--category <name>", "only documents of this category")
    .option("--topic <path>", "only documents in this folder and below")
    .option("--path <glob...>", 'only paths that match; "!glob" excludes')
    .option("--tag <tag...>", "only documents that have all of these tags")
    .addOption(formatOption())
    .addHelpText("after", '\nExample:\n  kb-mcp search "how do I roll back a bad update" --kb-path ./notes')
    .action(async (query: string[], flags: object) => {
      const { searchCommand } = await import("./commands/search.js");
      done(await searchCommand(query.join(" "), flags));
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
  return program;
}

function withCommonFlags(command: Command): Command {
  return command
    .option("--kb-path <folder>", "the folder of your notes")
    .option("--config <file>", "a kb-mcp.toml to use and to trust");
}

function formatOption(): Option {
  return new Option("--format <form>", "how to print results").choices(["text", "json"]).default("text");
}

function positiveInteger(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError("It takes a whole number from 1.");
  return number;
}
