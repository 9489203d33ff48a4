import { describe, it } from "@jest/globals";
import { storeContract } from "../../../src/testing/index.js";
import { storeUnderTest } from "../../support/store-in-folder.js";

describe("the lancedb store", () => {
  storeContract(storeUnderTest, { describe, it });
});
