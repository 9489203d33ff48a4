// Matches a whole text in time linear in its length, whatever the expression: a RegExp would try the ways in which the
// stars of a glob such as `*?*?*?*?*?*?x` can share a path one by one, which takes years.
import { expressionTree, type ExpressionNode } from "./expression-tree.js";

/** States of the automaton that are kept; beyond that they are worked out anew. */
const statesMax = 2000;

type Step =
  | { readonly kind: "one"; readonly matches: (character: string) => boolean; readonly next: number }
  | { readonly kind: "edge"; readonly at: "start" | "end"; readonly next: number }
  | { readonly kind: "split"; readonly next: number[] }
  | { readonly kind: "end" };

/** Where the match may stand after the characters read so far. */
interface State {
  readonly steps: readonly number[];
  readonly accepts: boolean;
  readonly after: Map<string, State>;
}

/**
 * A function that tells whether a text as a whole matches.
 * @param source a regular expression of the part that RE2 and JavaScript share. Counted repetition, word boundaries
 *   and flags, which no glob makes, are left to RegExp.
 * @throws SyntaxError if it is none
 */
export function wholeMatcher(source: string): (text: string) => boolean {
  const expression = new RegExp(`^(?:${source})$`, "u");
  const tree = expressionTree(source);
  return tree === undefined ? (text) => expression.test(text) : automaton(tree);
}

function automaton(tree: ExpressionNode): (text: string) => boolean {
  const steps: Step[] = [{ kind: "end" }];
  const first = compile(tree, 0, steps);
  const states = new Map<string, State>();
  const stateOf = (from: readonly number[], at: "start" | "inside"): State => {
    const reached = closure(steps, from, (edge) => edge === at).sort((a, b) => a - b);
    const key = `${at} ${reached.join(" ")}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    const accepts = closure(steps, from, (edge) => edge === at || edge === "end").includes(0);
    const state = { steps: reached, accepts, after: new Map<string, State>() };
    states.set(key, state);
    return state;
  };
  const following = (state: State, character: string): State => {
    const next = state.steps.flatMap((index) => {
      const step = steps[index];
      return step?.kind === "one" && step.matches(character) ? step.next : [];
    });
    return stateOf(next, "inside");
  };
  let start = stateOf([first], "start");
  return (text) => {
    if (states.size > statesMax) {
      states.clear();
      start = stateOf([first], "start");
    }
    let state = start;
    for (const character of text) {
      let next = state.after.get(character);
      if (next === undefined) {
        next = following(state, character);
        state.after.set(character, next);
      }
      if (next.steps.length === 0) return false;
      state = next;
    }
    return state.accepts;
  };
}

/** Adds the steps of a part that goes on at `next`. @returns where it begins */
function compile(node: ExpressionNode, next: number, steps: Step[]): number {
  const add = (step: Step): number => steps.push(step) - 1;
  switch (node.kind) {
    case "one":
      return add({ kind: "one", matches: node.matches, next });
    case "edge":
      return add({ kind: "edge", at: node.at, next });
    case "sequence":
      return node.parts.reduceRight((then, part) => compile(part, then, steps), next);
    case "either":
      return add({ kind: "split", next: node.parts.map((part) => compile(part, next, steps)) });
    case "repeat": {
      const choice: number[] = [next];
      const at = add({ kind: "split", next: choice });
      const body = compile(node.part, node.sign === "?" ? next : at, steps);
      choice.push(body);
      return node.sign === "+" ? body : at;
    }
  }
}

/** Everything that can be reached without reading a character. */
function closure(
  steps: readonly Step[],
  from: readonly number[],
  passes: (edge: "start" | "end") => boolean,
): number[] {
  const seen = new Set(from);
  // A set can be added to while it is gone through.
  for (const index of seen) {
    const step = steps[index];
    if (step?.kind === "split") for (const next of step.next) seen.add(next);
    else if (step?.kind === "edge" && passes(step.at)) seen.add(step.next);
  }
  return [...seen];
}
