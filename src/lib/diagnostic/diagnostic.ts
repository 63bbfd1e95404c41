/** A place in a site's source. Lines and columns count from 1; without them it is the whole file. */
export interface Location {
  /** File relative to the site folder, with `/` on every system. */
  readonly sourcePath: string;
  readonly line?: number;
  /** In UTF-16 code units, as editors count. */
  readonly column?: number;
  /** Length of the faulty text on that line, in UTF-16 code units; 1 where unknown. */
  readonly length?: number;
}

/** A change of a source file that takes a fault away. */
export interface Edit {
  readonly sourcePath: string;
  /** In UTF-16 code units from the begin of the file's text, without its byte order mark. */
  readonly start: number;
  /** Where the replaced text ends; `start` for an insertion. */
  readonly end: number;
  readonly replacement: string;
  /** Whether it is what the writer meant, and not only likely. */
  readonly certain: boolean;
}

/** An edit whose place is known as a location only; the report finds the text and makes it an `Edit`. */
export interface Rewrite {
  /** As in the source, such as the address of a link. */
  readonly written: string;
  readonly replacement: string;
  readonly certain: boolean;
  /** Where `written` begins, if that is known; otherwise it is the first address at the location that reads like it. */
  readonly offset?: number;
  /** The source may lack `written`, such as the closing tag of an element. */
  readonly isOptional?: boolean;
  /** Where the source has the fault once more, next to the diagnostic's own location. */
  readonly places?: readonly Location[];
}

/** A second place that explains a fault: where the tag opens that is closed wrongly. */
export interface RelatedPlace {
  readonly location: Location;
  /** What is there, in a few words: `<Card> opens here`. */
  readonly what: string;
}

/** A fault in a site: a value that is collected, never thrown, and printed the same way everywhere. */
export interface Diagnostic {
  /** Stable and searchable: `PAGE_NOT_FOUND`. */
  readonly code: string;
  /** Error: a reader of the site would miss something. Warning: the writer should know. Hint: could be better. */
  readonly severity: "error" | "warning" | "hint";
  /** The fact in one or two sentences, with the actual and the expected value. */
  readonly what: string;
  readonly location?: Location;
  readonly related?: RelatedPlace;
  /** What to do, as the text to type where it can be computed. */
  readonly fix: string;
  /** What `fix` says, where it is a change of text: all of them together take the fault away. */
  readonly edits?: readonly Edit[];
  /** Edits that are still to be placed; a report has none. */
  readonly rewrites?: readonly Rewrite[];
  /** Why: a report names those of one code and cause once, with the number of places; its diagnostics have none. */
  readonly cause?: string;
}

/** Whether a repair takes the fault away; it may still find that an edit brings another one. */
export const isRepairable = ({ edits = [] }: Diagnostic): boolean =>
  edits.length > 0 && edits.every(({ certain }) => certain);

/** Sorts for printing: by file, line, column, then code and text. Diagnostics without a file come first. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.location?.sourcePath ?? "", b.location?.sourcePath ?? "") ||
    (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
    (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.what, b.what)
  );
}

/** By UTF-16 code unit: the same order on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Where a configuration and its settings were written. */
export interface SettingLocations {
  readonly sourcePath: string;
  /** By the path of a setting: `background.image.dark`, `fonts.source`. */
  readonly locations: ReadonlyMap<string, Location>;
}

/** Where a setting was written, or else the nearest setting around it: a pair may be written as one text. */
export function locationOfSetting({ sourcePath, locations }: SettingLocations, way: string): Location {
  for (let at = way; at !== ""; at = at.replace(/(?:\.|\[|^)[^.[]*$/, "")) {
    const location = locations.get(at);
    if (location) return location;
  }
  return { sourcePath };
}

/** A site's text for a message: in quotes, on one line, at most `most` UTF-16 code units. */
export function quoted(text: string, most = 120): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return `"${line.length > most ? `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…` : line}"`;
}

/** The fix for a file of another host, as it follows "fix:"; names a path if the address ends in the name of a file. */
export function intoSite(url: string): string {
  const name = /\/([\w.-]+\.\w+)(?:[?#]|$)/.exec(url)?.[1];
  return `add the file to the site and write its path${name === undefined ? "" : `, such as "/images/${name}"`}.`;
}
