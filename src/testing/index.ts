// Contract suites for authors of plugins, published as kb-mcp/testing. They depend on the plugin interface and on
// node:assert only; the test runner is handed in.
export { storeContract } from "./store-contract.js";
export type { StoreUnderTest } from "./store-contract.js";
export type { TestRunner } from "./test-runner.js";
