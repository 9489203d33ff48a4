import { describe, expect, it } from "@jest/globals";
import { listModels, pullModels, verifyModels, type ModelsContext } from "../../src/cli/commands/models.js";
import type { LibraryInUse } from "../../src/core/plugins/model-libraries.js";
import { showPreparation } from "../../src/cli/preparation-progress.js";
import { TerminalLine } from "../../src/cli/terminal-line.js";
import type { ModelEntry } from "../../src/core/plugin-api.js";
import { createModelLibrary } from "../../src/plugins/transformers/models/model-library.js";
import { files, model, withHub, type Hub } from "../plugins/transformers/models/support/hub.js";
import { contextFor, request } from "../plugins/transformers/models/support/model-requests.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

interface Bench {
  readonly cache: string;
  readonly hub: Hub;
  readonly printed: string[];
  readonly shown: string[];
  readonly context: ModelsContext;
}

/** The models of an embedder and a reranker of one plugin, with a server on loopback to fetch them from. */
async function withModels(format: "text" | "json", use: (bench: Bench) => Promise<void>): Promise<void> {
  await withTemporaryFolder((cache) =>
    withHub(async (hub) => {
      const printed: string[] = [];
      const shown: string[] = [];
      const progress = showPreparation(
        new TerminalLine({ isTTY: false, columns: 80, write: (text) => shown.push(text) }),
        false,
      );
      const requestFor = (name: string) => ({ ...request, model: name });
      const context = { ...contextFor(cache, hub.url), progress: progress.update };
      const part = (kind: LibraryInUse["kind"], chosen: string, description: string): LibraryInUse => ({
        kind,
        id: "transformers",
        library: createModelLibrary({
          chosen: requestFor(chosen),
          known: [{ model: chosen, description }],
          requestFor,
          context,
        }),
      });
      await use({
        cache,
        hub,
        printed,
        shown,
        context: {
          libraries: [
            part("embedder", model, "8 dimensions"),
            part("reranker", "Known/reranker", "日本語, 2 layers"),
          ],
          format,
          signal: new AbortController().signal,
          progress,
          print: (text) => void printed.push(text),
        },
      });
    }),
  );
}

describe("kb-mcp models list", () => {
  it("shows the models of each part, the one in use first, where they are and how large", async () => {
    await withModels("text", async ({ context, printed, cache }) => {
      expect(await listModels(context)).toBe(0);
      expect(printed.join("")).toBe(
        [
          "embedder (transformers)",
          "* Some/tiny-model  not here            8 dimensions",
          "",
          "reranker (transformers)",
          "* Known/reranker   not here            日本語, 2 layers",
          "",
          "* the one in use",
          "",
        ].join("\n"),
      );
      printed.length = 0;
      await pullModels(context, model);
      await listModels(context);
      expect(printed[1]).toContain(
        `* Some/tiny-model  301 kB              8 dimensions\n    ${cache}/models/Some/tiny-model/main\n`,
      );
      // The cache is shared: the embedder's model is not listed once more under the reranker.
      expect(printed[1]?.match(/Some\/tiny-model {2}/gu)).toHaveLength(1);
    });
  });

  it("prints the same as JSON", async () => {
    await withModels("json", async ({ context, printed }) => {
      await listModels(context);
      expect(JSON.parse(printed.join(""))).toEqual([
        {
          kind: "embedder",
          id: "transformers",
          models: [{ model, description: "8 dimensions", present: false }],
        },
        {
          kind: "reranker",
          id: "transformers",
          models: [{ model: "Known/reranker", description: "日本語, 2 layers", present: false }],
        },
      ]);
    });
  });

  it("lets no name act on the terminal", async () => {
    await withModels("text", async ({ context, printed }) => {
      const hostile: ModelEntry = {
        model: "a\u001b[31m",
        description: "b\u202e",
        present: true,
        bytes: 1,
        folder: "/c\n",
      };
      const library = { ...context.libraries[0]!.library, list: () => Promise.resolve([hostile]) };
      await listModels({ ...context, libraries: [{ kind: "embedder", id: "x\u0007", library }] });
      expect(printed.join("")).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    });
  });
});

describe("kb-mcp models pull", () => {
  it("fetches a model, shows how far it is, and says where it is", async () => {
    await withModels("text", async ({ context, printed, shown, cache, hub }) => {
      expect(await pullModels(context, model)).toBe(0);
      expect(printed).toEqual([
        `Some/tiny-model is here, whole (301 kB)\n  ${cache}/models/Some/tiny-model/main\n`,
      ]);
      expect(shown.at(-1)).toBe("Downloading Some/tiny-model: 300 kB of 300 kB\n");
      for (const file of Object.keys(files)) expect(hub.gets(file)).toHaveLength(1);
    });
  });

  it("fetches the models of all parts in use, and prints nothing of a run that fails", async () => {
    await withModels("text", async ({ context, printed, hub }) => {
      await expect(pullModels(context)).rejects.toMatchObject({
        code: "KB_MODEL_UNKNOWN",
        message: expect.stringContaining("Known/reranker"),
      });
      expect(hub.gets("config.json")).toHaveLength(1);
      expect(printed).toEqual([]);
    });
  });
});

describe("kb-mcp models verify", () => {
  it("ends with 0 where all is whole, and with 1 and what to do where something is not", async () => {
    await withModels("text", async ({ context, printed, cache }) => {
      expect(await verifyModels(context)).toBe(0);
      await pullModels(context, model);
      expect(await verifyModels(context)).toBe(0);
      await writeTree(`${cache}/models/${model}/main`, { "config.json": '{"model_type": "tree"}' });
      expect(await verifyModels(context)).toBe(1);
      expect(await verifyModels(context, "Known/reranker")).toBe(1);
      expect(printed).toEqual([
        "No model is on this machine; kb-mcp models pull fetches the one in use.\n",
        expect.stringContaining("is here, whole"),
        "Some/tiny-model: whole\n",
        "Some/tiny-model:\n  config.json is damaged: it holds something else than what was fetched\n  → kb-mcp models pull Some/tiny-model\n",
        expect.stringMatching(/^Known\/reranker:\n {2}It is not on this machine/u),
      ]);
    });
  });
});

describe("parts without models of their own", () => {
  it("need none, which is said, and is no failure", async () => {
    await withModels("text", async ({ context, printed }) => {
      const none = { ...context, libraries: [] };
      expect([await listModels(none), await pullModels(none), await verifyModels(none)]).toEqual([0, 0, 0]);
      expect(new Set(printed)).toEqual(new Set([expect.stringContaining("No model files are needed")]));
      await expect(pullModels(none, model)).rejects.toMatchObject({ code: "KB_MODEL_UNKNOWN" });
    });
  });
});
