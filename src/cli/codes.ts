import sections from "./codes.json" with { type: "json" };

/** A pair of texts of a file: the first is reported with the code, the second is right. */
export interface CodeExample {
  /** `docs.json`: the texts are the file, or settings that replace those of the same name. Else a page, whose front matter may be missing. */
  readonly in: string;
  readonly wrong: string;
  readonly right: string;
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Those that only the wrong text needs. */
  readonly wrongFiles?: Readonly<Record<string, string>>;
}

/** What is known of a code of a diagnostic. */
export interface CodeEntry {
  readonly code: string;
  readonly section: string;
  /** `error`, `warning`, or both. */
  readonly kind: string;
  readonly meaning: string;
  readonly example?: CodeExample;
}

type Entries = Readonly<Record<string, Omit<CodeEntry, "code" | "section">>>;

/** Every code of a diagnostic, by section. */
export const codes: readonly CodeEntry[] = Object.entries(sections as Readonly<Record<string, Entries>>).flatMap(
  ([section, entries]) => Object.entries(entries).map(([code, entry]) => ({ code, section, ...entry })),
);

/** The page of the handbook about a section: `front-matter`. */
export const slugOfSection = (section: string): string => section.toLowerCase().replace(/\W+/g, "-");
