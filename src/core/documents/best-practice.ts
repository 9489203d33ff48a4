// get_best_practice: finds the document of a target by the configured path templates and cuts a section out of
// it. Every file is read by loadDocument; a template or a target never widens what may be read.
import { KbError, isKbError } from "../errors.js";
import { limits } from "../limits.js";
import type { Section } from "../plugin-api.js";
import { fold } from "../text/fold.js";
import { nearestName } from "../text/nearest-name.js";
import type { BestPracticeReply, BestPracticeRequest } from "./document-reply.js";
import { parseDocumentPath, quotePath } from "./document-path.js";
import { cutText, loadDocument, type LoadDependencies, type LoadedDocument } from "./load-document.js";
import { fillTemplate, knownTargets } from "./path-template.js";

/** Names shown in a hint. */
const namesShown = 30;

export interface BestPracticeDependencies extends LoadDependencies {
  /** `[best_practice].path_templates`, in the order in which they are tried. */
  readonly bestPracticeTemplates: readonly string[];
  /** Every indexed path, to name what exists; none without an index. */
  readonly indexedPaths: () => Promise<readonly string[]>;
}

/**
 * The best practice of a target, whole or one of its sections. Like get_document it serves files that are not
 * indexed.
 * @throws KbError KB_PRACTICE_*, KB_READ_*, KB_PARSE_*
 */
export async function readBestPractice(
  dependencies: BestPracticeDependencies,
  { target, category }: BestPracticeRequest,
  signal: AbortSignal,
): Promise<BestPracticeReply> {
  const templates = dependencies.bestPracticeTemplates;
  if (templates.length === 0)
    throw new KbError("KB_PRACTICE_NOT_CONFIGURED", "No best practices are configured");
  const name = checkTarget(target);
  const found =
    (await firstThatExists(dependencies, name, signal)) ?? (await bySpelling(dependencies, name, signal));
  const chapters = found.document.sections.filter(({ level }) => level === 2);
  const categories = chapters.map(({ heading }) => heading?.trim() ?? "");
  const { path, title, mediaType, warnings } = found.document;
  const about = { target: found.target, path, title, media_type: mediaType };
  if (category === undefined) {
    const { text, truncated } = found.document;
    return { ...about, categories, truncated, notes: [...warnings], text };
  }
  const section = cutSection(found.document, categories, category);
  return { ...about, ...section, categories, notes: [...warnings, ...section.notes] };
}

/** A name that stays inside its place in a template. @throws KbError KB_PRACTICE_TARGET */
function checkTarget(raw: string): string {
  const target = raw.trim();
  const refusal = (reason: string): KbError =>
    new KbError("KB_PRACTICE_TARGET", `The target ${quotePath(raw)} ${reason}`);
  if (Buffer.byteLength(target) > limits.practiceTargetBytes)
    throw refusal(`is longer than ${limits.practiceTargetBytes} bytes`);
  // An absolute path is not repeated, as the read guard does not.
  if (/[/\\]/u.test(target))
    throw new KbError("KB_PRACTICE_TARGET", "The target is a path, where one name is asked for");
  if (/\p{Cc}/u.test(target)) throw refusal("holds a control character");
  try {
    parseDocumentPath(target);
  } catch (error) {
    throw isKbError(error) ? refusal("is not a name that a file could have") : error;
  }
  return target;
}

interface Found {
  readonly target: string;
  readonly document: LoadedDocument;
}

async function firstThatExists(
  dependencies: BestPracticeDependencies,
  target: string,
  signal: AbortSignal,
): Promise<Found | undefined> {
  for (const template of dependencies.bestPracticeTemplates) {
    try {
      const path = fillTemplate(template, target);
      const document = await loadDocument(dependencies, path, signal, { withSections: true });
      return { target, document };
    } catch (error) {
      // What is there and cannot be read is said, not passed over in favour of a later template.
      if (!isKbError(error) || error.code !== "KB_READ_NOT_FOUND") throw error;
    }
  }
  return undefined;
}

/** A model writes "React" where the folder is called "react". @throws KbError KB_PRACTICE_NOT_FOUND */
async function bySpelling(
  dependencies: BestPracticeDependencies,
  target: string,
  signal: AbortSignal,
): Promise<Found> {
  const { bestPracticeTemplates: templates } = dependencies;
  const known = knownTargets(templates, await dependencies.indexedPaths());
  const same = known.find((name) => name !== target && fold(name) === fold(target));
  const found = same === undefined ? undefined : await firstThatExists(dependencies, same, signal);
  if (found !== undefined) return found;
  const looked = templates.slice(0, 5).map((template) => quotePath(fillTemplate(template, target)));
  throw new KbError(
    "KB_PRACTICE_NOT_FOUND",
    `There is no best practice for ${quotePath(target)}; looked for ${looked.join(", ")}`,
    known.length === 0 ? {} : { hint: whatThereIs("targets", target, known) },
  );
}

type CutSection = Pick<BestPracticeReply, "category" | "start_line" | "end_line"> &
  Pick<BestPracticeReply, "truncated" | "text" | "notes">;

/** A section of level 2 with what stands below it. @throws KbError KB_PRACTICE_CATEGORY */
function cutSection(
  { path, sections }: LoadedDocument,
  categories: readonly string[],
  category: string,
): CutSection {
  const key = fold(category.trim());
  const starts = sections.flatMap(({ level, heading }, index) =>
    level === 2 && fold(heading?.trim() ?? "") === key ? [index] : [],
  );
  const [start] = starts;
  const first = start === undefined ? undefined : sections[start];
  if (start === undefined || first === undefined)
    throw new KbError(
      "KB_PRACTICE_CATEGORY",
      `${quotePath(path)} has no section ${quotePath(category)}`,
      categories.length === 0
        ? { hint: "It has no sections of level 2; leave category out to read the whole." }
        : { hint: whatThereIs("sections", category, categories) },
    );
  const next = sections.findIndex(({ level }, index) => index > start && level > 0 && level <= 2);
  const parts: readonly Section[] = sections.slice(start, next === -1 ? undefined : next);
  const last = parts.at(-1)?.endLine;
  return {
    category: first.heading?.trim() ?? "",
    ...(first.startLine !== undefined &&
      last !== undefined && { start_line: first.startLine, end_line: last }),
    ...cutText(joinSections(parts)),
    notes:
      starts.length === 1
        ? []
        : [`${starts.length} sections have this name; this is the first. Read the whole for the others.`],
  };
}

/** With the empty lines between them, where lines mean something. */
function joinSections(sections: readonly Section[]): string {
  return sections.reduce((text, section, index) => {
    const before = sections[index - 1];
    if (before === undefined) return section.text;
    const lines = (section.startLine ?? 2) - (before.endLine ?? 0);
    return `${text}${"\n".repeat(Math.max(1, lines))}${section.text}`;
  }, "");
}

function whatThereIs(what: string, wrong: string, names: readonly string[]): string {
  const nearest = nearestName(wrong, names);
  const shown = names.slice(0, namesShown).map(quotePath).join(", ");
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : "";
  const list = `The ${what} are: ${shown}${more}.`;
  return nearest === undefined ? list : `Did you mean ${quotePath(nearest)}? ${list}`;
}
