// The prompt whats_new. The days of files are those of this machine.
import { KbError, localDay } from "../../../core/index.js";
import type { KnowledgeBase } from "../../../core/index.js";
import { answering, quoted, type Prompt } from "../prompt.js";

/** Days looked back when none are given. */
const defaultDays = 7;
/** Documents named in the prompt. */
const documentsShown = 50;

export const whatsNew: Prompt = {
  name: "whats_new",
  title: "What is new",
  description: "What changed in the knowledge base since a day, with sources.",
  arguments: [
    {
      name: "since",
      description: `A day, YYYY-MM-DD. Absent: ${defaultDays} days ago.`,
      required: false,
      complete: (typed) => Promise.resolve(usualDays().filter((day) => day.startsWith(typed.trim()))),
    },
  ],
  async write({ since = daysAgo(defaultDays) }, kb) {
    if (!isDay(since))
      throw new KbError("KB_PROMPT_ARGUMENT", `since is ${quoted(since)}, which is no day`, {
        hint: `Write it as ${daysAgo(defaultDays)}.`,
      });
    return `Tell me what is new in the knowledge base since ${since}.
${await steps(since, kb)}

${answering}`;
  },
};

async function steps(since: string, kb: KnowledgeBase): Promise<string> {
  const { documents, total } = await kb.recentDocuments(since, documentsShown);
  const searching = `Call search with date_from ${quoted(since)} for what is dated since then`;
  if (total === 0)
    return `The index knows of no document that was changed since then.
1. ${searching}; its notes say whether the index is still being built.
Then write what that found; if nothing, say so and offer an earlier day.`;
  const lines = documents.map(({ path, title, changed }) => `- ${changed} ${quoted(path)} ${quoted(title)}`);
  const head =
    total > documents.length
      ? `${total} documents changed; these ${documents.length} last`
      : `${total} document${total === 1 ? "" : "s"} changed`;
  return `${head} (day, path, title):
${lines.join("\n")}
1. Call get_document for those that matter (long ones by lines) and find out what each says that is new; a change of the file is not always a change of the content.
2. ${searching}.
Then write: the news, most important first, grouped by topic, each with its source; then the documents that changed without news, in one line.`;
}

/** Days that people ask for, latest first, each once. */
function usualDays(): string[] {
  const now = new Date();
  const days = [
    daysAgo(0),
    daysAgo(1),
    daysAgo(7),
    daysAgo(30),
    localDay(new Date(now.getFullYear(), now.getMonth(), 1)),
    localDay(new Date(now.getFullYear(), 0, 1)),
  ];
  return [...new Set(days)].sort().reverse();
}

function daysAgo(days: number): string {
  const now = new Date();
  // By the calendar: a day with a change of the clocks has not 24 hours.
  return localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
}

function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(text) ?? [];
  if (year === undefined) return false;
  return localDay(new Date(Number(year), Number(month) - 1, Number(day))) === text;
}
