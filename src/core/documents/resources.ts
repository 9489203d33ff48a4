// Resources: what the servable set offers, and reading it. What the listing offers, a read accepts.
import { KbError } from "../errors.js";
import type { VectorStore } from "../plugin-api.js";
import { fold } from "../text/fold.js";
import type { ResourceContent, TopicResource } from "./document-reply.js";
import { documentUri, parseKbUri, topicUri } from "./document-uri.js";
import { loadDocument, type LoadDependencies } from "./load-document.js";
import { isServablePath, servableDocuments, type ServableDocument } from "./servable-set.js";
import { topicBody } from "./topic-body.js";
import { isInTopic, topicGroups } from "./topics.js";

export interface Resources {
  /** The servable set as it is now, in order of path. */
  servable(): Promise<readonly ServableDocument[]>;
  /** The topic groups of the servable set, by name. */
  list(): Promise<TopicResource[]>;
  /** @throws KbError KB_READ_URI, KB_READ_NOT_SERVABLE, KB_READ_*, KB_PARSE_* */
  read(uri: string, signal: AbortSignal): Promise<ResourceContent>;
  /** The one spelling of the URI of something on offer. @throws KbError KB_READ_URI, KB_READ_NOT_SERVABLE */
  canonicalUri(uri: string): Promise<string>;
  /** Servable paths that start with a prefix, compared folded. */
  complete(prefix: string, limit: number): Promise<{ paths: string[]; total: number }>;
}

/** Resources over a store. The servable set is computed once for each version of the index. */
export function createResources(store: () => Promise<VectorStore>, loading: LoadDependencies): Resources {
  let cached: { readonly version: string; readonly documents: Promise<ServableDocument[]> } | undefined;
  const servable = async (): Promise<ServableDocument[]> => {
    const opened = await store();
    const version = await opened.version();
    if (cached?.version !== version) {
      const attempt = { version, documents: servableDocuments(opened, loading.registry) };
      // A failure is not the answer for this version: the next call asks again.
      attempt.documents.catch(() => {
        if (cached === attempt) cached = undefined;
      });
      cached = attempt;
    }
    return cached.documents;
  };
  const documentsOfTopic = async (prefix: string): Promise<ServableDocument[]> => {
    const documents = (await servable()).filter(({ topic }) => isInTopic(topic, prefix));
    if (documents.length === 0) throw new KbError("KB_READ_NOT_SERVABLE", `There is no topic "${prefix}"`);
    return documents;
  };
  const requireServable = async (path: string): Promise<void> => {
    if (!(await isServablePath(await store(), loading.registry, path)))
      throw new KbError("KB_READ_NOT_SERVABLE", `${path} is not offered as a resource`);
  };
  return {
    servable,
    async list() {
      return topicGroups(await servable()).map((group) => ({ uri: topicUri(group.topic), ...group }));
    },
    async read(uri, signal) {
      const target = parseKbUri(uri);
      if (target.kind === "topic") {
        const text = topicBody(target.prefix, await documentsOfTopic(target.prefix));
        return { uri, mimeType: "text/markdown", text };
      }
      await requireServable(target.path);
      const { text, mediaType } = await loadDocument(loading, target.path, signal);
      return { uri, mimeType: mediaType, text };
    },
    async canonicalUri(uri) {
      const target = parseKbUri(uri);
      if (target.kind === "topic") {
        await documentsOfTopic(target.prefix);
        return topicUri(target.prefix);
      }
      await requireServable(target.path);
      return documentUri(target.path);
    },
    async complete(prefix, limit) {
      const key = fold(prefix);
      const matches = (await servable()).filter(({ pathKey }) => pathKey.startsWith(key));
      return { paths: matches.slice(0, limit).map(({ path }) => path), total: matches.length };
    },
  };
}
