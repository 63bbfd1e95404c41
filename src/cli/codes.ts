import { nearestName } from "../lib/diagnostic/index.js";
import sections from "./codes.json" with { type: "json" };
import { UsageError } from "./environment.js";

/** A text that is reported with the code, and the correct text. */
export interface CodeExample {
  /**
   * The place of the texts: `docs.json` (the file, or settings that replace those of the same name), `index.mdx` (a page,
   * whose front matter may be missing), another file, `the folder` (a path per line, `path -> target` for a symbolic
   * link) or `the command line`, for a site in the folder "docs".
   */
  readonly in: string;
  readonly wrong: string;
  readonly right: string;
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files that only the wrong text needs. */
  readonly wrongFiles?: Readonly<Record<string, string>>;
  /** Options of the export; the meaning of the code names those of the command line. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A code of diagnostics, as `offprint explain` and the handbook describe it. */
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

/** An entry of `codes.json`: a warning, with an example in `index.mdx`, unless it says otherwise. */
type Entry = Partial<Omit<CodeEntry, "example">> & {
  readonly meaning: string;
  readonly example?: Partial<CodeExample>;
};

/** Every code of a diagnostic, by section. */
export const codes = Object.entries(sections as Readonly<Record<string, Readonly<Record<string, Entry>>>>).flatMap(
  ([section, entries]) =>
    Object.entries(entries).map(([code, { example, ...entry }]) => ({
      code,
      section,
      kind: "warning",
      ...entry,
      ...(example && { example: { in: "index.mdx", ...example } }),
    })),
) as readonly CodeEntry[];

/** The code of a diagnostic, in any letters, with - or _. @throws {UsageError} that names the most similar code. */
export function findCode(typed: string): CodeEntry {
  const name = typed.toUpperCase().replaceAll("-", "_");
  const entry = codes.find(({ code }) => code === name);
  if (entry) return entry;
  const names = codes.map(({ code }) => code);
  const near = nearestName(name, names);
  const relatives = near ? [near] : names.filter((code) => code.startsWith(`${name.split("_")[0]}_`));
  const advice = relatives.length > 0 ? `Did you mean "${relatives.join('", "')}"?` : `"offprint explain" lists them.`;
  throw new UsageError(`There is no code "${typed}". ${advice}`);
}

/** What a code means, with its example, as plain text. */
export function explanation({ code, kind, meaning, example, withoutExample }: CodeEntry): string {
  const head = `${kind} ${code}\n\n${withoutLinks(meaning)}\n`;
  if (!example) return `${head}\n${withoutExample}\n`;
  const part = (title: string, text: string): string =>
    `\n${title} (${example.in})\n\n${text.replace(/^(?=.)/gm, "    ")}\n`;
  return head + part("Wrong", example.wrong) + part("Right", example.right);
}

/** Markdown whose links are their texts. */
export const withoutLinks = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
