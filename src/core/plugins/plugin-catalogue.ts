// Every plugin there is to choose from, by kind and id: those that come with kb-mcp and those of third-party packages.
import { KbError } from "../errors.js";
import type { AdmittedPackage } from "./admission.js";
import type { ParserOffer } from "./admission-messages.js";
import { packagePhrase } from "./package-location.js";
import { pluginKinds, type PluginKinds } from "./plugin-shape.js";

/** URLs of the modules that offer plugins, by kind and id. */
export type PluginModules = Readonly<Record<PluginKinds, Readonly<Record<string, string>>>>;

/** A plugin of one kind that can be chosen. */
export interface CataloguedPlugin {
  readonly kind: PluginKinds;
  readonly id: string;
  readonly moduleUrl: string;
  /** Who offers it, for messages. */
  readonly owner: string;
  /** Absent for what comes with kb-mcp. */
  readonly from?: AdmittedPackage;
}

/** What a third-party parser was admitted with, which is all that kb-mcp's own process knows of it. */
export function parserOffer({ kind, id, from }: CataloguedPlugin): ParserOffer | undefined {
  return kind === "parsers" ? from?.parsers.find((parser) => parser.id === id) : undefined;
}

export class PluginCatalogue {
  readonly #plugins: CataloguedPlugin[] = [];

  constructor(builtIn: PluginModules) {
    for (const kind of pluginKinds)
      for (const [id, moduleUrl] of Object.entries(builtIn[kind]))
        this.#plugins.push({ kind, id, moduleUrl, owner: "kb-mcp" });
  }

  get plugins(): readonly CataloguedPlugin[] {
    return this.#plugins;
  }

  /**
   * Adds what a package offers: all of it or nothing.
   * @throws KbError KB_PLUGIN_DUPLICATE_ID
   */
  add(from: AdmittedPackage): void {
    const { moduleUrl } = from;
    const owner = `${from.name} ${from.version}`;
    const added: CataloguedPlugin[] = [];
    for (const kind of pluginKinds)
      for (const id of from.ids[kind]) {
        const other = [...this.#plugins, ...added].find((plugin) => plugin.kind === kind && plugin.id === id);
        if (other !== undefined)
          throw new KbError(
            "KB_PLUGIN_DUPLICATE_ID",
            `${packagePhrase(from.named)}: the ${one(kind)} "${id}" of ${owner} is offered by ${other.owner} already`,
          );
        added.push({ kind, id, moduleUrl, owner, from });
      }
    this.#plugins.push(...added);
  }

  /**
   * @param where the setting that names it, for messages
   * @throws KbError KB_PLUGIN_UNKNOWN
   */
  find(kind: PluginKinds, id: string, where: string): CataloguedPlugin {
    const found = this.#plugins.find((plugin) => plugin.kind === kind && plugin.id === id);
    if (found !== undefined) return found;
    const ids = this.#plugins.filter((plugin) => plugin.kind === kind).map((plugin) => plugin.id);
    throw new KbError(
      "KB_PLUGIN_UNKNOWN",
      `${where}: there is no ${one(kind)} "${id}"; there is ${ids.join(", ") || "none"}`,
    );
  }
}

function one(kind: PluginKinds): string {
  return kind.slice(0, -1);
}
