/**
 * Parses with Sätteri, which cannot be interrupted. The time or the memory that it takes can grow with the square of the
 * text: with tags that nothing closes, with braces on a line, with entities in a paragraph. A text that could take long
 * is parsed in a process of its own, which ends at its limits.
 */
import { spawnSync } from "node:child_process";
import type { Root } from "mdast";
import { builtFile } from "../../lib/package-root.js";
import { markLoneJsx, removeMarks } from "./lone-jsx.js";
import { type MarkdownKind, serializedTree } from "./serialized-tree.js";

export type ParserLimit = "memory" | "time" | "nodes";

/** The text takes more to parse than any page may. */
export class ParserLimitError extends Error {
  constructor(readonly limit: ParserLimit) {
    super(`The parser reached its limit: ${limit}.`);
  }
}

export interface ParserLimits {
  /** Of the process. */
  readonly maxBytes: number;
  /** Processor time, so that a busy machine gives the same result as an idle one. */
  readonly maxMs: number;
  /** Of the tree. */
  readonly maxNodes: number;
}
export const parserLimits: ParserLimits = {
  maxBytes: 384 * 1024 * 1024,
  maxMs: 8000,
  /** A page shows fewer, see `createBudget`. */
  maxNodes: 400_000,
};

/** A shorter text is parsed in a second, no matter what it holds. */
const shortText = 32 * 1024;
/** Signs times characters: up to here a text takes less than a second and 150 MB. */
const harmlessCost = 150_000_000;

const isSign = new Uint8Array(128);
for (const char of "&<{>") isSign[char.charCodeAt(0)] = 1;

function isCostly(source: string): boolean {
  if (source.length <= shortText) return false;
  let signs = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code < 128) signs += isSign[code]!;
  }
  return signs * source.length > harmlessCost;
}

export type NativeParse = (kind: MarkdownKind, source: string) => Root;

/** @throws {ParserLimitError}, or an Error for a fault of syntax. */
export function createNativeParser(
  satteri: typeof import("satteri"),
  limits: ParserLimits = parserLimits,
): NativeParse {
  const treeOf = (bytes: Uint8Array): Root => {
    const reader = new satteri.MdastReader(bytes);
    if (reader.nodeCount > limits.maxNodes) throw new ParserLimitError("nodes");
    return satteri.materializeMdastTree(reader) as Root;
  };
  const parseApart = (kind: MarkdownKind, source: string): Root =>
    treeOf(treeOfProcess(kind, source, limits) ?? serializedTree(satteri, kind, source));
  return (kind, source) => {
    if (!isCostly(source)) return treeOf(serializedTree(satteri, kind, source));
    if (kind === "markdown") return parseApart(kind, source);
    const marked = markLoneJsx(source);
    if (marked.marks.length === 0) return parseApart(kind, source);
    let tree: Root;
    try {
      tree = parseApart(kind, marked.source);
    } catch (error) {
      if (error instanceof ParserLimitError) throw error;
      // The fault may be a mark.
      return parseApart(kind, source);
    }
    return removeMarks(tree, marked.marks);
  };
}

/** Undefined if no process can be started here, as in the export's process of a service, which has its own limit. */
function treeOfProcess(kind: MarkdownKind, source: string, { maxBytes, maxMs }: ParserLimits): Uint8Array | undefined {
  if (process.permission?.has("child") === false) return undefined;
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [builtFile("markdown-process.js"), kind, String(maxBytes), String(maxMs)],
    // Nothing of the caller's environment is for a page.
    { input: source, env: {}, maxBuffer: Number.POSITIVE_INFINITY, windowsHide: true },
  );
  if (status === 0) return stdout;
  if (status === 2) throw new Error(stdout.toString());
  const limit = /memory|time/.exec(stderr?.toString() ?? "")?.[0];
  // A parser that crashes would end this process too.
  if (limit !== undefined || signal !== null) throw new ParserLimitError(limit === "time" ? "time" : "memory");
  return undefined;
}
