// Every embedder over the store that keeps its index on disk.
import { describeEverydayUse, describeReranker } from "./support/everyday-use.js";

describeEverydayUse("lancedb");
describeReranker({ embedder: "transformers", store: "lancedb" }, "the log of the year of the cat");
