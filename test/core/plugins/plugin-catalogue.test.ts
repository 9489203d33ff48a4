import { describe, expect, it } from "@jest/globals";
import type { AdmittedPackage } from "../../../src/core/plugins/admission.js";
import { PluginCatalogue, type PluginModules } from "../../../src/core/plugins/plugin-catalogue.js";

const none = { parsers: [], embedders: [], stores: [], rerankers: [], transports: [] };
const builtIn: PluginModules = {
  parsers: { md: "file:///md.js" },
  embedders: {},
  stores: {},
  rerankers: {},
  transports: {},
};

function packageWith(name: string, ids: Partial<AdmittedPackage["ids"]>): AdmittedPackage {
  const named = { name: `./${name}.mjs`, path: `/config/${name}.mjs`, folder: "/config", key: "KEY" };
  return {
    name,
    version: "2.1.0",
    ids: { ...none, ...ids },
    parsers: [],
    named,
    moduleUrl: `file:///${name}.mjs`,
  };
}

describe("the catalogue of plugins", () => {
  it("finds what comes with kb-mcp and what packages offer", () => {
    const catalogue = new PluginCatalogue(builtIn);
    catalogue.add(packageWith("org", { parsers: ["org"], stores: ["shelf"] }));
    expect(catalogue.find("parsers", "md", "KEY")).toMatchObject({
      moduleUrl: "file:///md.js",
      owner: "kb-mcp",
    });
    expect(catalogue.find("stores", "shelf", "KEY")).toMatchObject({
      moduleUrl: "file:///org.mjs",
      owner: "org 2.1.0",
    });
  });

  it("lets plugins of different kinds have one id", () => {
    const catalogue = new PluginCatalogue(builtIn);
    catalogue.add(packageWith("both", { embedders: ["md"], rerankers: ["md"] }));
    expect(catalogue.find("rerankers", "md", "KEY").owner).toBe("both 2.1.0");
  });

  it.each([
    ["of kb-mcp", { parsers: ["md"] }, 'the parser "md" of late 2.1.0 is offered by kb-mcp already'],
    [
      "of another package",
      { parsers: ["org"] },
      'the parser "org" of late 2.1.0 is offered by org 2.1.0 already',
    ],
    ["of its own", { parsers: ["x", "x"] }, 'the parser "x" of late 2.1.0 is offered by late 2.1.0 already'],
  ])("refuses a package that offers an id %s, whole, and names both owners", (_, ids, message) => {
    const catalogue = new PluginCatalogue(builtIn);
    catalogue.add(packageWith("org", { parsers: ["org"] }));
    const before = [...catalogue.plugins];
    expect(() => catalogue.add(packageWith("late", { embedders: ["first"], ...ids }))).toThrow(
      expect.objectContaining({ code: "KB_PLUGIN_DUPLICATE_ID", message: `KEY: "./late.mjs": ${message}` }),
    );
    expect(catalogue.plugins).toEqual(before);
  });

  it("names what there is where an id does not exist", () => {
    const catalogue = new PluginCatalogue(builtIn);
    catalogue.add(packageWith("org", { parsers: ["org"] }));
    expect(() => catalogue.find("parsers", "orgg", "KEY")).toThrow(
      'KEY: there is no parser "orgg"; there is md, org',
    );
    expect(() => catalogue.find("stores", "x", "KEY")).toThrow('KEY: there is no store "x"; there is none');
  });
});
