// The promises that every embedder keeps, kept by the bundled one with its real model.
import { describe, it } from "@jest/globals";
import bundled from "../../../src/plugins/embedders/bundled/index.js";
import { embedderContract } from "../../../src/testing/index.js";
import { pluginHost } from "../../support/plugin-host.js";

describe("the embedder bundled", () => {
  const factory = bundled.embedders![0]!;
  embedderContract(() => factory.create({ threads: 1 }, pluginHost("unused")), { describe, it });
});
