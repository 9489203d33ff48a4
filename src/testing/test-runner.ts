// What the suites need of a test runner. The globals of jest and vitest and the functions of node:test fit.

export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}
