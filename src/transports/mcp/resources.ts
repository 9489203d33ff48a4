// Resources: what they are is core's servable set; here is only their form.
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Resource } from "@modelcontextprotocol/sdk/types.js";
import { isKbError, KbError } from "../../core/index.js";
import type { KnowledgeBase, TopicResource } from "../../core/index.js";
import { route } from "./request-router.js";

/** Resources in one page of resources/list. */
const pageSize = 100;

export const documentTemplate = "kb://doc/{+path}";

export function resourceRoutes(kb: KnowledgeBase) {
  return {
    "resources/list": route(ListResourcesRequestSchema, ({ params }) => listPage(kb, params?.cursor)),
    "resources/templates/list": route(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [
        {
          uriTemplate: documentTemplate,
          name: "document",
          title: "Document",
          description: "The text of a document, by its path in the knowledge base.",
        },
      ],
    })),
    "resources/read": route(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => ({
      contents: [{ ...(await kb.readResource(encodeReserved(uri), signal)), uri }],
    })),
  };
}

/**
 * The template is expanded with "?" and "#" as they are (RFC 6570, 3.2.3); in a kb:// URI, which has no query and no
 * fragment, they can only belong to the path.
 */
export function encodeReserved(uri: string): string {
  return uri.replaceAll("?", "%3F").replaceAll("#", "%23");
}

/** A page begins after the URI that its cursor holds, so that groups may come and go between two pages. */
async function listPage(
  kb: KnowledgeBase,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const after = cursor === undefined ? "" : readCursor(cursor);
  const topics = await beforeFirstIndex(kb.listResources(), []);
  const rest = topics.filter(({ uri }) => uri > after).sort((a, b) => (a.uri < b.uri ? -1 : 1));
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    resources: page.map(toResource),
    ...(last && rest.length > pageSize && { nextCursor: Buffer.from(last.uri).toString("base64url") }),
  };
}

function readCursor(cursor: string): string {
  const uri = Buffer.from(cursor, "base64url").toString("utf8");
  if (uri.startsWith("kb://topic/")) return uri;
  throw new KbError("KB_REQUEST_INVALID", "The cursor is not one that resources/list returned", {
    hint: "Call resources/list without a cursor.",
  });
}

function toResource({ uri, topic, documents }: TopicResource): Resource {
  const name = topic === "" ? "(top level)" : topic;
  return {
    uri,
    name,
    title: `Topic: ${name}`,
    description: `The list of ${documents === 1 ? "1 document" : `${documents} documents`} in this topic.`,
  };
}

/** Clients list resources when they connect: before the first index run there are none, which is no error. */
export async function beforeFirstIndex<T>(answer: Promise<T>, none: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isKbError(error) && error.code === "KB_STORE_EMPTY") return none;
    throw error;
  }
}
