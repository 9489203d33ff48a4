// Resources: what the servable set offers, and reading it. What the listing offers, a read accepts.
import { KbError } from "../errors.js";
import type { VectorStore } from "../plugin-api.js";
import type { ResourceContent, TopicResource } from "./document-reply.js";
import { documentUri, parseKbUri, topicUri } from "./document-uri.js";
import { loadDocument, type LoadDependencies } from "./load-document.js";
import { isServablePath, servableDocuments, type ServableDocument } from "./servable-set.js";
import { isInTopic, topicGroups } from "./topics.js";

export interface Resources {
  /** The topic groups of the servable set, by name. */
  list(): Promise<TopicResource[]>;
  /** @throws KbError KB_READ_URI, KB_READ_NOT_SERVABLE, KB_READ_*, KB_PARSE_* */
  read(uri: string, signal: AbortSignal): Promise<ResourceContent>;
  /** Servable paths that start with a prefix. */
  complete(prefix: string, limit: number): Promise<{ paths: string[]; total: number }>;
}

/** Resources over a store. The servable set is computed once for each version of the index. */
export function createResources(store: () => Promise<VectorStore>, loading: LoadDependencies): Resources {
  let cached: { version: string; documents: Promise<ServableDocument[]> } | undefined;
  const servable = async (): Promise<ServableDocument[]> => {
    const opened = await store();
    const version = await opened.version();
    if (cached?.version !== version)
      cached = { version, documents: servableDocuments(opened, loading.registry) };
    return cached.documents;
  };
  return {
    async list() {
      return topicGroups(await servable()).map((group) => ({ uri: topicUri(group.topic), ...group }));
    },
    async read(uri, signal) {
      const target = parseKbUri(uri);
      if (target.kind === "topic") return topicBody(uri, target.prefix, await servable());
      if (!(await isServablePath(await store(), loading.registry, target.path)))
        throw new KbError("KB_READ_NOT_SERVABLE", `${target.path} is not offered as a resource`);
      const { text, mediaType } = await loadDocument(loading, target.path, signal);
      return { uri, mimeType: mediaType, text };
    },
    async complete(prefix, limit) {
      const matches = (await servable()).filter(({ path }) => path.startsWith(prefix));
      return { paths: matches.slice(0, limit).map(({ path }) => path), total: matches.length };
    },
  };
}

function topicBody(uri: string, prefix: string, servable: readonly ServableDocument[]): ResourceContent {
  const documents = servable.filter(({ topic }) => isInTopic(topic, prefix));
  if (documents.length === 0) throw new KbError("KB_READ_NOT_SERVABLE", `There is no topic "${prefix}"`);
  const heading = prefix === "" ? "Documents in the root" : `Documents in ${prefix}`;
  const list = documents.map(({ path, title }) => `- [${linkText(title)}](${documentUri(path)}) ${path}`);
  return { uri, mimeType: "text/markdown", text: `# ${heading}\n\n${list.join("\n")}\n` };
}

/** A title must not break out of its link. */
function linkText(title: string): string {
  return title.replace(/\s+/gu, " ").replace(/[\\[\]]/gu, "\\$&");
}
