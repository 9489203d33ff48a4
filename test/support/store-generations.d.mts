import type { WriteBatch } from "../../src/core/plugin-api.js";

export function generation(number: number): WriteBatch;
