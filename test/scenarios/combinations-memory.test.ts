// Every embedder over the store that keeps its index in the process.
import { describeEverydayUse, describeReranker } from "./support/everyday-use.js";

describeEverydayUse("memory");
describeReranker({ embedder: "openai", store: "memory" }, "the log of the year of the cat");
