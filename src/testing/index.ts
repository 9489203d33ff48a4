// Contract suites for authors of plugins, published as kb-mcp/testing. They depend on the plugin interface and on
// what is built into Node; the test runner is handed in.
export { embedderContract } from "./embedder-contract.js";
export { parserContract } from "./parser-contract.js";
export type { ParserSample, ParserUnderTest } from "./parser-contract.js";
export { rerankerContract } from "./reranker-contract.js";
export type { RerankerProbe } from "./reranker-contract.js";
export { storeContract } from "./store-contract.js";
export type { StoreUnderTest } from "./store-contract.js";
export type { TestRunner } from "./test-runner.js";
export { contractSessions, transportContract } from "./transport-contract.js";
export type {
  ConnectionEnd,
  ContractSessions,
  JsonRpcMessage,
  TransportUnderTest,
} from "./transport-contract.js";
