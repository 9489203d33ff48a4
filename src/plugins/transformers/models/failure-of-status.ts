// What an answer without the file means. The hub says 401 of a model that does not exist, too.
import { KbError } from "../../../core/plugin-api.js";
import { DownloadFailure } from "./download-failure.js";
import type { FileQuestion } from "./open-file.js";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function failureOfStatus(
  status: number,
  headers: Headers,
  { request: { model, revision }, file, source }: FileQuestion,
  url: URL,
): DownloadFailure {
  const reason = headers["x-error-code"];
  const unknown = (message: string, hint?: string): DownloadFailure =>
    new DownloadFailure(
      "final",
      new KbError("KB_MODEL_UNKNOWN", message, hint === undefined ? {} : { hint }),
    );
  const download =
    "Download it yourself with your account and give the path of its folder as model; kb-mcp sends no token.";
  if (reason === "GatedRepo" || status === 403)
    return unknown(`${source.host} gives ${model} only to those whom it lets in (${status})`, download);
  if (status === 401 || reason === "RepoNotFound")
    return unknown(
      `${source.host} has no model ${model}, or gives it only to those whom it lets in (${status})`,
      `Check the id of the model; ids look like Xenova/multilingual-e5-small. If it is right: ${download}`,
    );
  if (reason === "RevisionNotFound") return unknown(`The model ${model} has no revision ${revision}`);
  if (status === 404 || status === 410)
    return unknown(
      reason === "EntryNotFound"
        ? `The model ${model} has no file ${file} in its revision ${revision}`
        : `${source.host} has no file ${file} of the model ${model} in its revision ${revision} (${status})`,
    );
  const isTransient = status === 408 || status === 429 || status >= 500;
  return new DownloadFailure(
    isTransient ? "transient" : "final",
    new KbError("KB_MODEL_DOWNLOAD", `${url.host} answers ${status} for ${file}`),
    isTransient ? waitMs(headers["retry-after"]) : undefined,
  );
}

function waitMs(header: string | string[] | undefined): number | undefined {
  const text = String(header).trim();
  if (/^\d{1,6}$/u.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
