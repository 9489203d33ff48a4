// Native and WebAssembly libraries check `instanceof Uint8Array` against the realm that loaded them; jest
// gives each test file a realm of its own. This environment hands the outer realm's binary types in.
import { TestEnvironment } from "jest-environment-node";

// Tests see a copy of the environment; native libraries read the real one.
process.env.LANCEDB_LOG ??= "error";

const sharedTypes = [
  "ArrayBuffer",
  "SharedArrayBuffer",
  "DataView",
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
  "WebAssembly",
];

export default class OuterRealmEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of sharedTypes) this.global[name] = globalThis[name];
  }
}
