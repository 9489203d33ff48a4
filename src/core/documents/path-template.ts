// Path templates of best practices: a path in which {target} stands for a name. Pure text; the path that comes out
// is checked by whoever reads it.
import { isKbError } from "../errors.js";
import { parseDocumentPath } from "./document-path.js";

const placeholder = "{target}";

/** The path for a target. The target is text: nothing in it is a pattern. */
export function fillTemplate(template: string, target: string): string {
  return template.split(placeholder).join(target);
}

/** What is wrong with a template, completing "a template …"; undefined if nothing is. */
export function templateFlaw(template: string): string | undefined {
  if (!template.includes(placeholder)) return `needs ${placeholder} where the name goes`;
  if (/[{}]/u.test(fillTemplate(template, ""))) return `knows no other placeholder than ${placeholder}`;
  try {
    parseDocumentPath(fillTemplate(template, "x"));
    return undefined;
  } catch (error) {
    if (!isKbError(error)) throw error;
    return "is a path inside the knowledge base, relative and with /";
  }
}

/** The targets that lead from one of the templates to one of the paths, in order, each once. */
export function knownTargets(templates: readonly string[], paths: readonly string[]): string[] {
  const targets = new Set<string>();
  for (const pattern of templates.map(templatePattern))
    for (const path of paths) {
      const target = pattern.exec(path)?.[1];
      if (target !== undefined) targets.add(target);
    }
  return [...targets].sort();
}

/** Matches the paths of a template; the first group is the target. */
function templatePattern(template: string): RegExp {
  const parts = template.split(placeholder).map((part) => part.replace(/[$()*+./?[\\\]^{|}-]/gu, "\\$&"));
  const [first = "", ...rest] = parts;
  const places = rest.map((part, index) => `${index === 0 ? "([^/]+)" : "\\1"}${part}`);
  return new RegExp(`^${first}${places.join("")}$`, "u");
}
