import { anyChar, type CharSet, has, invert, isNone, namedSets, onlyChar } from "./char-set.js";
import { empty, never, type ParsedPattern, type PatternNode } from "./pattern-node.js";

export interface EmittedPattern {
  /** For `new RegExp` without the flags `u`, `v`, `i`, `m` and `s`. */
  readonly source: string;
  /** Number of the JavaScript group for each group of the grammar; 0 if it is not captured or cannot match. */
  readonly groups: readonly number[];
}

/**
 * Writes a pattern as a JavaScript regular expression for ASCII text.
 * @param pruned result of `prunePattern`.
 * @param captured groups whose ranges are needed. The others do not capture, which halves the time of large patterns.
 */
export function emitPattern(
  pruned: PatternNode,
  { captureCount, references }: ParsedPattern,
  captured: ReadonlySet<number>,
): EmittedPattern {
  const groups: number[] = new Array(captureCount).fill(0);
  let groupCount = 0;

  const emit = (node: PatternNode): string => {
    switch (node.kind) {
      case "set":
        return emitSet(node.set);
      case "sequence":
        return node.items.map((item) => (item.kind === "choice" ? `(?:${emit(item)})` : emit(item))).join("");
      case "choice":
        return node.items.map(emit).join("|");
      case "capture":
        if (!captured.has(node.index) && !references.has(node.index)) return `(?:${emit(node.body)})`;
        groups[node.index - 1] = ++groupCount;
        return `(${emit(node.body)})`;
      case "atomic": {
        // A lookahead does not backtrack into itself after it has matched.
        const group = ++groupCount;
        return `(?:(?=(${emit(node.body)}))\\${group})`;
      }
      case "repeat": {
        const body = emit(node.body);
        const single = node.body.kind === "set" || node.body.kind === "capture" || node.body.kind === "atomic";
        return (single ? body : `(?:${body})`) + quantifier(node.min, node.max) + (node.lazy ? "?" : "");
      }
      case "look":
        return `(?${node.behind ? "<" : ""}${node.negative ? "!" : "="}${emit(node.body)})`;
      case "lineStart":
        return "^";
      case "lineEnd":
        // A line has one newline: its last character.
        return "(?![^\\n])";
      case "wordEdge":
        return "\\b";
      case "noWordEdge":
        return "\\B";
      case "searchStart":
      case "call":
        throw new Error(`A pruned pattern holds no ${node.kind}: this is a bug in emitPattern.`);
      case "back": {
        const group = groups[node.index - 1] ?? 0;
        // The brackets separate the number from a digit that follows.
        return group === 0 ? "(?!)" : `(?:\\${group})`;
      }
    }
  };
  return { source: emit(pruned), groups };
}

/** Removes what cannot match; undefined if nothing is left. @param atStart whether `\G` matches. */
export function prunePattern(root: PatternNode, atStart: boolean): PatternNode | undefined {
  const pruned = prune(root, atStart);
  return pruned === never ? undefined : pruned;
}

/** @param here whether nothing has been consumed since the search began. */
function prune(node: PatternNode, here: boolean): PatternNode {
  switch (node.kind) {
    case "set":
      return isNone(node.set) ? never : node;
    case "searchStart":
      return here ? empty : never;
    case "sequence": {
      const items: PatternNode[] = [];
      let still = here;
      for (const item of node.items) {
        const pruned = prune(item, still);
        if (pruned === never) return never;
        if (pruned !== empty) items.push(pruned);
        still &&= !mayConsume(pruned);
      }
      return items.length === 0 ? empty : { kind: "sequence", items };
    }
    case "choice": {
      const items = node.items.map((item) => prune(item, here)).filter((item) => item !== never);
      return items.length === 0 ? never : items.length === 1 ? items[0]! : { kind: "choice", items };
    }
    case "repeat": {
      const body = prune(node.body, here);
      if (body === never) return node.min === 0 ? empty : never;
      return body === empty ? empty : { ...node, body };
    }
    case "look": {
      const body = prune(node.body, here);
      if (body === never) return node.negative ? empty : never;
      if (body === empty) return node.negative ? never : empty;
      return { ...node, body };
    }
    case "capture":
    case "atomic": {
      const body = prune(node.body, here);
      return body === never ? never : { ...node, body };
    }
    default:
      return node;
  }
}

function mayConsume(node: PatternNode): boolean {
  switch (node.kind) {
    case "set":
    case "back":
      return true;
    case "sequence":
    case "choice":
      return node.items.some(mayConsume);
    case "capture":
    case "atomic":
    case "repeat":
      return mayConsume(node.body);
    default:
      return false;
  }
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** Sets for which V8 has fast paths. */
const shortForms: readonly (readonly [string, CharSet])[] = [
  ["\\w", namedSets["word"]!],
  ["\\W", invert(namedSets["word"]!)],
  ["\\d", namedSets["digit"]!],
  ["\\D", invert(namedSets["digit"]!)],
  ["\\s", namedSets["space"]!],
  ["\\S", invert(namedSets["space"]!)],
  ["[^]", anyChar],
];

const emittedSets = new WeakMap<CharSet, string>();
function emitSet(set: CharSet): string {
  let emitted = emittedSets.get(set);
  if (emitted === undefined) {
    emitted = writeSet(set);
    emittedSets.set(set, emitted);
  }
  return emitted;
}

function writeSet(set: CharSet): string {
  const only = onlyChar(set);
  if (only !== -1) return emitChar(only);
  for (const [short, shortSet] of shortForms) if (shortSet.every((word, i) => word === set[i])) return short;
  // Only a negated set holds control characters and DEL.
  const negative = has(set, 1) && has(set, 127);
  const listed = negative ? invert(set) : set;
  let out = negative ? "[^" : "[";
  for (let code = 0; code < 128; code++) {
    if (!has(listed, code)) continue;
    let end = code;
    while (end < 127 && has(listed, end + 1)) end++;
    out += emitChar(code) + (end > code + 1 ? "-" : "") + (end > code ? emitChar(end) : "");
    code = end;
  }
  return `${out}]`;
}

const emittedChars = Array.from({ length: 128 }, (_, code) => writeChar(code));
const emitChar = (code: number): string => emittedChars[code]!;

function writeChar(code: number): string {
  const char = String.fromCharCode(code);
  if (/\w/.test(char)) return char;
  return code < 32 || code === 127 ? `\\x${code.toString(16).padStart(2, "0")}` : code === 32 ? " " : `\\${char}`;
}
