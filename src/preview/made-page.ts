import type { PageResult } from "../export/index.js";

/** A page as it was made last. */
export interface MadePage {
  readonly outputPath: string;
  readonly sourcePath: string;
  readonly result: PageResult;
  /** What is served: without the addition of the preview. */
  readonly html: string;
  /** Hash of `html`. */
  readonly version: string;
  /** Its text does not parse, and `html` is that of an earlier text if there was one. */
  readonly isBroken: boolean;
  /** `html` is of a text that parsed. */
  readonly wasGood: boolean;
  /** Made before the last change that may concern it. */
  isStale: boolean;
}

const sheetName = /(_offprint\/(?:[\w-]+\/)*[\w-]+)\.[0-9a-f]{8}\.css/g;

/** The style sheets that have another name now, if nothing else differs. */
export function changedSheets(before: string, now: string): readonly (readonly [string, string])[] | undefined {
  const plain = (html: string): string => html.replace(sheetName, "$1.css");
  const [old, fresh] = [before.match(sheetName) ?? [], now.match(sheetName) ?? []];
  if (old.length !== fresh.length || plain(before) !== plain(now)) return undefined;
  return old.flatMap((name, at) => (name === fresh[at] ? [] : [[name, fresh[at]!] as const]));
}
