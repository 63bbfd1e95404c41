/**
 * Parses with Sätteri, which cannot be interrupted. The time or the memory that it takes can grow with the square of the
 * text: with tags that nothing closes, with braces on a line, with entities in a paragraph. A text that could take long
 * is parsed in a process of its own, which ends at its limits.
 */
import { spawnSync } from "node:child_process";
import type { Root } from "mdast";
import { builtFile } from "../../lib/package-root.js";
import { isOutOfFiles, waitForFiles } from "../../lib/wait-for-files.js";
import { markLoneJsx, removeMarks } from "./lone-jsx.js";
import { type ParseOutcome, refusalOf, spentIn } from "./parse-outcome.js";
import { ParserLimitError, type ParserLimits, parserLimits } from "./parser-limits.js";
import { type MarkdownKind, serializedTree } from "./serialized-tree.js";

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

/**
 * @param parseApart for texts that could take long.
 * @param spend is called with the processor time of each, in milliseconds.
 * @throws {ParserLimitError}, or an Error for a fault of syntax.
 */
export function createNativeParser(
  satteri: typeof import("satteri"),
  limits: ParserLimits = parserLimits,
  parseApart: ParseApart = parseInProcess,
  spend: (ms: number) => void = () => {},
): NativeParse {
  const treeOf = (bytes: Uint8Array): Root => {
    const reader = new satteri.MdastReader(bytes);
    if (reader.nodeCount > limits.maxNodes) throw new ParserLimitError("nodes");
    return satteri.materializeMdastTree(reader) as Root;
  };
  const parseCostly = (kind: MarkdownKind, source: string): Root => {
    const outcome = parseApart(kind, source, limits);
    if (outcome === undefined) return treeOf(serializedTree(satteri, kind, source));
    spend(outcome.spentMs ?? limits.maxMs);
    if ("tree" in outcome) return treeOf(outcome.tree);
    throw "limit" in outcome ? new ParserLimitError(outcome.limit) : new Error(outcome.fault);
  };
  return (kind, source) => {
    if (!isCostly(source)) return treeOf(serializedTree(satteri, kind, source));
    if (kind === "markdown") return parseCostly(kind, source);
    const marked = markLoneJsx(source);
    if (marked.marks.length === 0) return parseCostly(kind, source);
    let tree: Root;
    try {
      tree = parseCostly(kind, marked.source);
    } catch (error) {
      if (error instanceof ParserLimitError) throw error;
      // The fault may be a mark.
      return parseCostly(kind, source);
    }
    return removeMarks(tree, marked.marks);
  };
}

/** Parses in another process. Undefined if none can be started here. */
export type ParseApart = (kind: MarkdownKind, source: string, limits: ParserLimits) => ParseOutcome | undefined;

const parseInProcess: ParseApart = (kind, source, { maxBytes, maxMs }) => {
  const { status, signal, stdout, stderr } = waitForFiles(() => {
    const ended = spawnSync(
      process.execPath,
      [builtFile("markdown-process.js"), kind, String(maxBytes), String(maxMs)],
      // Nothing of the caller's environment is for a page.
      { input: source, env: {}, maxBuffer: Number.POSITIVE_INFINITY, windowsHide: true },
    );
    if (ended.error && isOutOfFiles(ended.error)) throw ended.error;
    return ended;
  });
  const said = stderr?.toString() ?? "";
  return status === 0 ? { tree: stdout, ...spentIn(said) } : refusalOf(status, signal, said, () => stdout.toString());
};
