// A few notes in two languages, of words that the tiny models know, and questions about them.
export const bilingualNotes = {
  "ops/backup.md": "# Backup\n\nThe database backup runs every night, and the log is kept for a year.\n",
  "ops/pump.md": "# The pump\n\nThe pump is greased twice a year.\n",
  "kitchen/pie.md": "# Apple pie\n\nThe cat sat on the mat while the pie was in the oven.\n",
  "設備/注油.md": "# 注油\n\nポンプは年二回、注油する。\n",
};

/** What to ask, and the document that answers it. */
export const english = { query: "when does the database backup run", answer: "ops/backup.md" };
export const japanese = { query: "注油は年に何回", answer: "設備/注油.md" };
