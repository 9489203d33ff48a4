// Tests import from src/ for their types and run the compiled files in dist/, the ones that ship:
// worker threads can only be started from compiled files. `npm test` builds first.
export default {
  rootDir: ".",
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  testEnvironment: "<rootDir>/test/support/outer-realm-environment.mjs",
  extensionsToTreatAsEsm: [".ts"],
  transform: { "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022" }, module: { type: "es6" } }] },
  moduleNameMapper: {
    "^(?:\\.{1,2}/)+src/(.*)\\.js$": "<rootDir>/dist/$1.js",
    "^(\\.{1,2}/(?:.*/)?(?:support|fixtures)/.*)\\.js$": "$1",
  },
  testTimeout: 30_000,
};
