/** A place in a site's source; the whole file if there is no line. Lines and columns count from 1. */
export interface Location {
  /** File relative to the site folder, with `/` on every system. */
  readonly sourcePath: string;
  readonly line?: number;
  /** In UTF-16 code units, as editors count. */
  readonly column?: number;
  /** Length of the faulty text on that line, in UTF-16 code units; 1 where unknown. */
  readonly length?: number;
}

/** A change of a source file that corrects a fault. */
export interface Edit {
  readonly sourcePath: string;
  /** In UTF-16 code units from the start of the file's text, without its byte order mark. */
  readonly start: number;
  /** Where the replaced text ends; `start` for an insertion. */
  readonly end: number;
  readonly replacement: string;
  /** Whether the writer certainly meant this; otherwise it is only likely. */
  readonly certain: boolean;
}

/** An edit of which only the location is known. The report finds the text there and turns it into an `Edit`. */
export interface Rewrite {
  /** The text as written in the source, such as the address of a link. */
  readonly written: string;
  readonly replacement: string;
  readonly certain: boolean;
  /** Where `written` begins. Default: at the first address after the location that equals it. */
  readonly offset?: number;
  /** The source may lack `written`, such as the closing tag of an element. */
  readonly isOptional?: boolean;
  /** Further places with the same fault, besides the diagnostic's own location. */
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
  /** The changes of text that `fix` describes. Only all of them together correct the fault. */
  readonly edits?: readonly Edit[];
  /** Edits whose offsets are not known yet; a report has none. */
  readonly rewrites?: readonly Rewrite[];
  /** The reason. A report joins the diagnostics of one code and cause into one, without `cause`, that counts the places. */
  readonly cause?: string;
  /** The names, paths or addresses at fault, by which faults of one cause know each other. A report has none. */
  readonly about?: readonly string[];
  /** Where the text ends that the fault spoils, if not with its location. A report has none. */
  readonly until?: Pick<Location, "line" | "column">;
}

const faultOf =
  <Severity extends Diagnostic["severity"]>(severity: Severity) =>
  (code: string, location?: Location) => ({ code, severity, ...(location && { location }) });
/** The code, the severity and the location of a diagnostic. */
export const [errorOf, warningOf, hintOf] = [faultOf("error"), faultOf("warning"), faultOf("hint")];

/** Whether `repair` corrects the fault, unless it finds that an edit causes another fault. */
export const isRepairable = ({ edits = [] }: Diagnostic): boolean =>
  edits.length > 0 && edits.every(({ certain }) => certain);

/** Sorts for printing: by file, line, column, then code and text. Diagnostics without a file come first. */
export const compareDiagnostics = (a: Diagnostic, b: Diagnostic): number =>
  compareText(a.location?.sourcePath ?? "", b.location?.sourcePath ?? "") ||
  (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
  (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
  compareText(a.code, b.code) ||
  compareText(a.what, b.what);

/** Codes of faults with the codes of those that they follow from, in the same text or about the same thing. */
const causes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    NAVIGATION_LINK_BROKEN: "CONFIG_BARE_LINK",
    COMPONENT_EMPTY: "FENCE_UNCLOSED MDX_SYNTAX",
    LINK_NOT_FOUND: "MDX_SYNTAX FOREIGN_MARKUP SOURCE_NAME_UNUSABLE",
    JSON_BROKEN: "NOT_UTF8",
    NAV_LABEL_MISSING: "NAVIGATION_EMPTY",
    NAV_LABEL_TWICE: "NAVIGATION_EMPTY",
    IMAGE_WITHOUT_ALT: "MEDIA_UNUSABLE",
    REDIRECT_NOT_PORTABLE: "REDIRECT_TARGET_MISSING",
    UNDEFINED_NAME: "MDX_SYNTAX FOREIGN_MARKUP MODULE_SYNTAX",
    UNKNOWN_COMPONENT: "MDX_SYNTAX FOREIGN_MARKUP MODULE_SYNTAX EXPORT_NOT_FOUND COMPONENT_EMPTY",
    EXPRESSION_AS_TEXT: "MDX_SYNTAX FOREIGN_MARKUP",
    PROPERTY_UNKNOWN: "MDX_SYNTAX",
    FOREIGN_MARKUP: "MDX_SYNTAX FOREIGN_MARKUP",
    MDX_SYNTAX: "MDX_SYNTAX FOREIGN_MARKUP",
    MARK_AS_TEXT: "MDX_SYNTAX FOREIGN_MARKUP",
  }).map(([code, list]) => [code, list.split(" ")]),
);
/** More columns than a line has. */
const lineWidth = 2 ** 32;

/** Removes what the writer mends together with its cause. */
export function withoutEffects(faults: readonly Diagnostic[]): Diagnostic[] {
  const keysOf = ({ location, about = [] }: Diagnostic): readonly string[] => [
    [location?.sourcePath, location?.line, location?.column].join(":"),
    ...about,
  ];
  const known = new Set(faults.flatMap((fault) => keysOf(fault).map((key) => `${fault.code} ${key}`)));
  /** By code, how far its faults reach in this file. */
  let ends = new Map<string, number>();
  let file: string | undefined;
  return faults.toSorted(compareDiagnostics).flatMap(({ about, until, ...fault }) => {
    const { code, location } = fault;
    const start = (location?.line ?? 0) * lineWidth + (location?.column ?? 0);
    const end = until ? (until.line ?? 0) * lineWidth + (until.column ?? 0) : start + (location?.length ?? 0);
    if (location?.sourcePath !== file) ends = new Map();
    file = location?.sourcePath;
    const keys = keysOf({ ...fault, ...(about && { about }) });
    const isEffect = causes
      .get(code)
      ?.some(
        (cause) =>
          (ends.get(cause) ?? 0) > start || (cause !== code && keys.some((key) => known.has(`${cause} ${key}`))),
      );
    ends.set(code, Math.max(end, ends.get(code) ?? 0));
    return isEffect ? [] : [fault];
  });
}

/** By UTF-16 code unit: the same order on every machine. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Where a configuration and its settings were written. */
export interface SettingLocations {
  readonly sourcePath: string;
  /** By the path of a setting: `background.image.dark`, `fonts.source`. */
  readonly locations: ReadonlyMap<string, Location>;
}

/** Where a setting is written, or else the nearest setting that contains it: a pair may be written as one text. */
export function locationOfSetting({ sourcePath, locations }: SettingLocations, way: string): Location {
  for (let at = way; at !== ""; at = at.replace(/(?:\.|\[|^)[^.[]*$/, "")) {
    const location = locations.get(at);
    if (location) return location;
  }
  return { sourcePath };
}

/** Soft hyphens, spaces without width and changes of direction, which nobody sees; those of emoji and of letters are not among them. */
export const unseenCharacters = /[\u00ad\u200b\u202a-\u202e\u2060\ufeff]/g;

/** A site's text for a message: in quotes, on one line, at most `maxLength` UTF-16 code units. */
export function quoted(text: string, maxLength = 120): string {
  const line = text
    .replace(unseenCharacters, (unseen) => `\\u${unseen.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return `"${line.length > maxLength ? `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…` : line}"`;
}

/** The first merge conflict in a text, with offsets; undefined if there is none. */
export function mergeConflict(text: string) {
  const offset = text.startsWith("<<<<<<< ") ? 0 : text.indexOf("\n<<<<<<< ") + 1;
  const middle = text.indexOf("\n=======", offset) + 1;
  if (middle === 0 || !text.startsWith("<<<<<<< ", offset)) return undefined;
  return {
    what: "The file contains an unresolved merge conflict.",
    fix: "keep one version, and remove the lines that start with <<<<<<<, ======= and >>>>>>>.",
    ...{ offset, length: 7, related: { offset: middle, length: 7, what: "the second version starts here" } },
  };
}

/** The fix for a file of another host, as it follows "fix:"; names a path if the address ends in the name of a file. */
export function intoSite(url: string): string {
  const name = /\/([\w.-]+\.\w+)(?:[?#]|$)/.exec(url)?.[1];
  return `add the file to the site and write its path${name === undefined ? "" : `, such as "/images/${name}"`}.`;
}
