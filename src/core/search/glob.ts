// Globs on paths as regular expressions of the part that RE2, Rust and JavaScript (with the `u` flag) share: no
// look-around, no back-references, no escapes but those of ASCII punctuation.
import { fold } from "../text/fold.js";

/** Why a text is not a glob, in words that follow "the glob". */
export class GlobError extends Error {
  override readonly name = "GlobError";
}

/**
 * The anchored regular expression of a glob, to be matched against a folded path.
 *
 * `*` and `?` stand for characters other than `/`, `**` for any number of directories, `[a-z]` and `[!a-z]` for one
 * character, `{a,b}` for either, `\` takes the next character as it is. Files whose name starts with a dot are not
 * special. A glob without `/` is matched against the file name in any directory; one that ends in `/` stands for
 * everything below that directory. Literal characters are folded, wildcards are recognised before folding (a file
 * named `なぜ？.md` holds no wildcard).
 *
 * @throws GlobError if a bracket is not closed or a range is empty
 */
export function globToRegExp(glob: string): string {
  let pattern = glob.replace(/^(?:\.?\/)+/, "");
  if (pattern === "") throw new GlobError("is empty");
  if (pattern.endsWith("/")) pattern += "**";
  else if (!pattern.includes("/")) pattern = `**/${pattern}`;
  // Repeated "**/" means the same as one and costs a backtracking matcher dearly.
  pattern = pattern.replace(/(?<=^|\/)(?:\*\*\/){2,}/g, "**/");
  const translation = new Translation(Array.from(pattern));
  return `^${translation.sequence(false)}$`;
}

/** The anchored regular expression of one path, whatever characters are in it, to be matched against a folded path. */
export function pathToRegExp(path: string): string {
  return `^${literal(path)}$`;
}

const special = /[\\^$.*+?()[\]{}|]/g;

function literal(text: string): string {
  return fold(text).replace(special, String.raw`\$&`);
}

/** One pass over the characters of a glob. */
class Translation {
  private at = 0;

  constructor(private readonly characters: readonly string[]) {}

  /** Up to the end, or inside braces up to the "," or "}" that ends the alternative. */
  sequence(inBraces: boolean): string {
    let expression = "";
    let run = "";
    const add = (part: string): void => {
      expression += literal(run) + part;
      run = "";
    };
    for (;;) {
      const character = this.characters[this.at];
      if (character === undefined || (inBraces && (character === "," || character === "}"))) break;
      if (character === "\\") run += this.escaped();
      else if (character === "*") add(this.stars());
      else if (character === "?") add(this.advance("[^/]"));
      else if (character === "[") add(this.characterClass());
      else if (character === "{" && this.opensAlternatives()) add(this.alternatives());
      else run += this.advance(character);
    }
    add("");
    return expression;
  }

  private advance(result: string): string {
    this.at += 1;
    return result;
  }

  private escaped(): string {
    const next = this.characters[this.at + 1];
    if (next === undefined) throw new GlobError("ends in a backslash");
    this.at += 2;
    return next;
  }

  private stars(): string {
    const start = this.at;
    while (this.characters[this.at] === "*") this.at += 1;
    const before = this.characters[start - 1];
    const after = this.characters[this.at];
    const opens = before === undefined || "/{,".includes(before);
    if (this.at - start < 2 || !opens) return "[^/]*";
    if (after === "/") return this.advance("(?:[^/]+/)*");
    return after === undefined || "},".includes(after) ? String.raw`[\s\S]*` : "[^/]*";
  }

  private characterClass(): string {
    let at = this.at + 1;
    const negated = this.characters[at] === "!" || this.characters[at] === "^";
    if (negated) at += 1;
    const members: string[] = [];
    for (let first = true; ; first = false) {
      let character = this.characters[at];
      if (character === undefined)
        throw new GlobError(String.raw`has a "[" without "]" (write \[ for the character)`);
      if (character === "]" && !first) break;
      if (character === "\\") character = this.characters[(at += 1)] ?? "\\";
      const end = this.characters[at + 2];
      if (this.characters[at + 1] === "-" && end !== undefined && end !== "]") {
        members.push(range(character, end));
        at += 3;
      } else {
        members.push(
          Array.from(fold(character))
            .filter((member) => member !== "/")
            .map(member)
            .join(""),
        );
        at += 1;
      }
    }
    this.at = at + 1;
    const body = members.join("");
    if (negated) return `[^/${body}]`;
    // A class of nothing but "/" matches no character of a file name; no path holds a NUL.
    return body === "" ? String.raw`\x00` : `[${body}]`;
  }

  /** Whether the brace here is closed and holds a comma of its own; otherwise it is a character. */
  private opensAlternatives(): boolean {
    let depth = 0;
    let comma = false;
    for (let at = this.at; at < this.characters.length; at++) {
      const character = this.characters[at];
      if (character === "\\") at += 1;
      else if (character === "{") depth += 1;
      else if (character === "," && depth === 1) comma = true;
      else if (character === "}" && --depth === 0) return comma;
    }
    throw new GlobError(String.raw`has a "{" without "}" (write \{ for the character)`);
  }

  private alternatives(): string {
    const alternatives: string[] = [];
    do {
      this.at += 1;
      alternatives.push(this.sequence(true));
    } while (this.characters[this.at] === ",");
    this.at += 1;
    return `(?:${alternatives.join("|")})`;
  }
}

/** A member of a class. Rust also reads "&&", "--" and "~~" in one; hexadecimal is read alike by all. */
function member(character: string): string {
  return /[\^\]\\[\-&~]/.test(character) ? `\\x${character.charCodeAt(0).toString(16)}` : character;
}

/** A range of a class, without "/". */
function range(from: string, to: string): string {
  const [start, end] = [fold(from), fold(to)].map((bound) => Array.from(bound));
  const low = start?.[0];
  const high = end?.[0];
  if (low === undefined || high === undefined || start?.length !== 1 || end?.length !== 1) {
    throw new GlobError(`has the range ${from}-${to}, whose ends are not single characters`);
  }
  if ((low.codePointAt(0) ?? 0) > (high.codePointAt(0) ?? 0)) {
    throw new GlobError(`has the empty range ${from}-${to}`);
  }
  const parts: [string, string][] =
    low <= "/" && "/" <= high
      ? [
          [low, "."],
          ["0", high],
        ]
      : [[low, high]];
  return parts
    .filter(([a, b]) => a <= b)
    .map(([a, b]) => `${member(a)}-${member(b)}`)
    .join("");
}
