// Which indexed documents changed lately, by the time of their file and the date they give themselves.
import type { VectorStore } from "../plugin-api.js";
import type { RecentDocuments } from "./document-reply.js";

/**
 * Newest first. A document counts if its file was changed, or its own date lies, on or after a day.
 * @param since YYYY-MM-DD in the time zone of this machine
 */
export async function recentDocuments(
  store: VectorStore,
  since: string,
  limit: number,
): Promise<RecentDocuments> {
  const from = new Date(`${since}T00:00:00`).getTime();
  const found: { path: string; title: string; modifiedMs: number }[] = [];
  for await (const batch of store.documents(["path", "title", "modifiedMs", "date"]))
    for (const { path, title, modifiedMs, date } of batch)
      if (modifiedMs >= from || (date !== undefined && date >= since))
        found.push({ path, title, modifiedMs });
  found.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
  return {
    documents: found
      .slice(0, limit)
      .map(({ path, title, modifiedMs }) => ({ path, title, changed: localDay(new Date(modifiedMs)) })),
    total: found.length,
  };
}

/** The day of a moment in the time zone of this machine, YYYY-MM-DD. */
export function localDay(moment: Date): string {
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
}
