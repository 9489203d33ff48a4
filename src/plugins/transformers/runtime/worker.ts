// The process of one model: loads it, then works on what it is sent, one piece at a time. It may be ended at any
// moment, so it holds nothing that matters.
import { loadModel, reasonOf, RefusedModel, type LoadedModel } from "./load-model.js";
import type { Answer, LoadRequest, ProcessReply, Work } from "./messages.js";

process.on("disconnect", () => process.exit());
// Keys pressed in the terminal reach every process of the group: kb-mcp decides when this one ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

function send(reply: ProcessReply, then: () => void = () => undefined): void {
  // An error means that kb-mcp is gone, and then this process goes too.
  process.send?.(reply, then);
}

process.once("message", (request: LoadRequest) => {
  loadModel(request).then(
    (loaded) => {
      process.on("message", (work: Work) => void serve(work, request, loaded));
      send({ type: "ready" });
    },
    (error: unknown) => {
      if (!(error instanceof RefusedModel)) throw error;
      send({ type: "refused", code: error.code, message: error.message }, () => process.exit());
    },
  );
});

async function serve(work: Work, request: LoadRequest, loaded: LoadedModel): Promise<void> {
  try {
    send({ type: "answer", answer: await answerOf(work, request, loaded) });
  } catch (error) {
    send({ type: "failed", message: reasonOf(error, request.folder) });
  }
}

async function answerOf(
  work: Work,
  { embedding }: LoadRequest,
  { model, tokens }: LoadedModel,
): Promise<Answer> {
  if (work.kind === "count") return work.texts.map((text) => tokens.count(text));
  if (work.kind === "score")
    return await model.score(work.texts.map((text) => tokens.pair(work.query, text)));
  if (embedding === undefined) throw new Error("a model that scores pairs makes no vectors");
  return await model.embed(
    work.texts.map((text) => tokens.text(text)),
    embedding,
  );
}
