import { describe, expect, it } from "@jest/globals";
import { modelSource, redirectTarget } from "../../../../src/plugins/transformers/models/model-source.js";
import { request } from "./support/model-requests.js";

describe("the address of a file", () => {
  it.each([
    ["https://huggingface.co", "https://huggingface.co/Some/tiny-model/resolve/main/onnx/model.onnx"],
    [
      "https://u:p@host.example/api/hub/",
      "https://host.example/api/hub/Some/tiny-model/resolve/main/onnx/model.onnx",
    ],
  ])("below %s is that of the hub", (mirror, address) => {
    expect(modelSource(mirror).addressOf(request, "onnx/model.onnx").href).toBe(address);
  });

  it.each(["huggingface.co", "file:///models", "https://host/?token=s3cret", "https://"])(
    "is none below %s",
    (mirror) => {
      expect(() => modelSource(mirror)).toThrow(expect.objectContaining({ code: "KB_MODEL_DOWNLOAD" }));
      expect(() => modelSource(mirror)).not.toThrow(/s3cret/u);
    },
  );
});

describe("a redirect", () => {
  const from = (address: string, location: string | undefined, hops = 0): string =>
    redirectTarget(new URL(address), location, hops).href;

  it.each([
    ["https://hub.example/a", "https://cdn.example/b", "https://cdn.example/b"],
    ["https://hub.example/a", "/b?c", "https://hub.example/b?c"],
    ["http://mirror.example/a", "http://mirror.example:9000/b", "http://mirror.example:9000/b"],
    ["http://mirror.example/a", "https://cdn.example/b", "https://cdn.example/b"],
    ["https://hub.example/a", "https://user:secret@cdn.example/b", "https://cdn.example/b"],
  ])("from %s to %s is followed", (address, location, target) => {
    expect(from(address, location)).toBe(target);
  });

  it.each([
    ["https://hub.example/a", "http://hub.example/a"],
    ["https://hub.example/a", "http://127.0.0.1/a"],
    ["http://mirror.example/a", "http://192.168.0.1/a"],
    ["https://hub.example/a", "data:text/plain,x"],
    ["https://hub.example/a", undefined],
  ])("from %s to %s is not", (address, location) => {
    expect(() => from(address, location)).toThrow(expect.objectContaining({ kind: "final" }));
  });

  it("is not followed for ever", () => {
    expect(() => from("https://hub.example/a", "/b", 5)).toThrow(/without an end/u);
  });
});
