/** Goes on after a syntax error that cannot be repaired, so that all errors of a page are found. */
import { offsetAt } from "./location.js";
import type { SyntaxFault } from "./markdown-parsers.js";
import { beginsNoTag, openBrace, withSpans } from "./repair.js";
import type { Scan } from "./scan-result.js";
import { skipTag } from "./skip-code.js";

export interface Recovery {
  readonly scan: Scan;
  /** The fault is a consequence of an earlier one. */
  readonly isConsequence: boolean;
}

/** Hides tags and code that are wrong from the parser; knows which faults follow from that. */
export function createRecovery(source: string): (fault: SyntaxFault, scan: Scan) => Recovery | undefined {
  /** Names of hidden opening tags whose closing tags are still there. */
  const orphans: string[] = [];
  /** Offsets of closing tags that are part of a fault that has been reported. */
  const reported = new Set<number>();
  const takeOrphan = (name: string): boolean => {
    const index = orphans.lastIndexOf(name);
    if (index !== -1) orphans.splice(index, 1);
    return index !== -1;
  };
  const hide = (scan: Scan, start: number, end: number, isConsequence = false): Recovery | undefined => {
    if (end <= start) return undefined;
    const hidden = withSpans(scan, [{ kind: "drop", start, end, value: "" }]);
    return hidden && { scan: hidden, isConsequence };
  };
  const hideTag = (scan: Scan, open: number): Recovery | undefined => {
    const name = /^<([\w.:-]*)/.exec(source.slice(open, open + 200))?.[1];
    if (name === undefined) return undefined;
    const end = endOfTag(source, open);
    if (!/\/\s*>$/.test(source.slice(open, end))) orphans.push(name);
    return hide(scan, open, end);
  };
  return ({ reason, line, column }, scan) => {
    const at = offsetAt(source, line, column);
    const mismatched = /closing tag `<\/([^`>]+)>`, expected[^`]*`<[^`>]+>`(?: \((\d+):(\d+))?/.exec(reason);
    const isUnopened = /[Uu]nexpected (?:closing tag|closing slash)/.test(reason) && mismatched === null;
    if (mismatched !== null || isUnopened) {
      const start = source.lastIndexOf("<", at);
      const end = source.indexOf(">", at) + 1;
      const name = mismatched?.[1] ?? /^<\/\s*([\w.:-]*)/.exec(source.slice(start, start + 200))?.[1] ?? "";
      const isConsequence = reported.has(start) || takeOrphan(name);
      if (isConsequence || mismatched?.[2] === undefined) return hide(scan, start, end, isConsequence);
      reported.add(start);
      return hideTag(scan, offsetAt(source, Number(mismatched[2]), Number(mismatched[3])));
    }
    const opened = /closing tag for `<[^`>]*>`(?: \((\d+):(\d+))?|`<[^`]*` opened at (\d+):(\d+)/.exec(reason);
    if (opened !== null) {
      const [, a = opened[3] ?? line, b = opened[4] ?? column] = opened;
      return hideTag(scan, offsetAt(source, Number(a), Number(b)));
    }
    const open = beginsNoTag.test(reason) ? at : openBrace(source, at);
    const tag = open === undefined ? -1 : source.lastIndexOf("<", open);
    if (tag !== -1 && /[A-Za-z]/.test(source[tag + 1] ?? "") && endOfTag(source, tag) > at) return hideTag(scan, tag);
    return hide(scan, ...passageAround(source, at));
  };
}

/** Offset after a tag that may be broken: after its `>`, or else at the end of its line. */
function endOfTag(source: string, open: number): number {
  const end = skipTag(source, open);
  const sign = source.slice(open, end).search(/>|\n[ \t]*\r?\n/);
  if (end !== undefined && source.slice(open, end).search(/\n[ \t]*\r?\n/) === -1) return end;
  return sign === -1 ? source.length : open + sign + (source[open + sign] === ">" ? 1 : 0);
}

/** From blank line to blank line. */
function passageAround(source: string, at: number): [start: number, end: number] {
  const before = source.lastIndexOf("\n\n", Math.max(0, at - 1));
  const after = source.indexOf("\n\n", at);
  return [before === -1 ? at : Math.min(at, before + 2), after === -1 ? source.length : after];
}
