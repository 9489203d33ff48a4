// The prompt deep_dive.
import { answering, quoted, type Prompt } from "../prompt.js";

export const deepDive: Prompt = {
  name: "deep_dive",
  title: "Answer a question thoroughly",
  description: "A thorough, sourced answer to one question from several documents.",
  arguments: [{ name: "question", description: "What you want to know.", required: true }],
  write: ({ question = "" }) =>
    Promise.resolve(`Answer this question thoroughly from the knowledge base: ${quoted(question)}
1. Break it into two to five smaller questions.
2. Call search for the question and for each of these, each in at least two wordings and in every language of the documents. Look at confidence and at notes.
3. Call get_document around the best hits (start_line and end_line) and read what surrounds them; follow the links and names you find there with further searches.
4. Look for what speaks against your first answer: exceptions, later decisions, other dates.
Then write: the answer in one paragraph; the reasoning with its sources; where sources disagree and which is newer; what remains open.

${answering}`),
};
