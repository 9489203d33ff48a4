// Every tool, in the order in which clients show them.
import type { Tool } from "./tool.js";
import { getBestPractice } from "./tools/get-best-practice.js";
import { getConnectionGraph } from "./tools/get-connection-graph.js";
import { getDocument } from "./tools/get-document.js";
import { listTopics } from "./tools/list-topics.js";
import { rebuildIndex } from "./tools/rebuild-index.js";
import { search } from "./tools/search.js";

export const tools: readonly Tool[] = [
  search,
  getDocument,
  listTopics,
  getConnectionGraph,
  getBestPractice,
  rebuildIndex,
];
