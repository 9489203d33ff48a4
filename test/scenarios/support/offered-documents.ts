// What a knowledge base offers as documents, on every surface.
import { expect } from "@jest/globals";
import { documentUri } from "../../../src/core/documents/document-uri.js";
import type { KnowledgeBase } from "../../../src/core/index.js";

/** Every document that a surface offers, and that they agree. */
export async function offeredBy(kb: KnowledgeBase): Promise<Set<string>> {
  const { paths, total } = await kb.completePath("", 1000);
  expect(total).toBe(paths.length);
  const offered = new Set(paths);

  const inTopics = new Set<string>();
  const topics = await kb.listResources();
  for (const { uri, documents } of topics) {
    const { text } = await kb.readResource(uri);
    const uris = [...text.matchAll(/\]\((kb:\/\/doc\/[^)]+)\)/gu)].map(([, found]) => found!);
    expect([uri, uris.length]).toEqual([uri, documents]);
    for (const found of uris) inTopics.add(found);
  }
  expect([...inTopics].sort()).toEqual(paths.map(documentUri).sort());

  const listed = await kb.listTopics();
  const linked = listed.topics.flatMap((topic) => topic.uri ?? []);
  expect(linked.sort()).toEqual(topics.map(({ uri }) => uri).sort());

  for (const path of paths) expect((await kb.completePath(path, 1000)).paths).toContain(path);
  return offered;
}
