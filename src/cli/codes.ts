import sections from "./codes.json" with { type: "json" };

/** A pair of texts: the first is reported with the code, the second is right. */
export interface CodeExample {
  /**
   * What the texts are: `docs.json` (the file, or settings that replace those of the same name), `index.mdx` (a page, whose
   * front matter may be missing), another file, `the folder` (a path on each line, `path -> target` for a symbolic link) or
   * `the command line`, for a site in the folder "docs".
   */
  readonly in: string;
  readonly wrong: string;
  readonly right: string;
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Those that only the wrong text needs. */
  readonly wrongFiles?: Readonly<Record<string, string>>;
  /** Of the export; the meaning of the code names them as they are written on the command line. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What is known of a code of a diagnostic. */
export interface CodeEntry {
  readonly code: string;
  readonly section: string;
  /** `error`, `warning`, or both. */
  readonly kind: string;
  readonly meaning: string;
  readonly example?: CodeExample;
  /** Why there is no example. */
  readonly withoutExample?: string;
}

type Entries = Readonly<Record<string, Omit<CodeEntry, "code" | "section">>>;

/** Every code of a diagnostic, by section. */
export const codes: readonly CodeEntry[] = Object.entries(sections as Readonly<Record<string, Entries>>).flatMap(
  ([section, entries]) => Object.entries(entries).map(([code, entry]) => ({ code, section, ...entry })),
);
