import type { LanguageRegistration } from "shiki/types";
import { type Diagnostic, type Location, nearestName } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { CodeLanguage } from "./languages.js";

export interface CustomLanguages {
  /** By every name that a fence may use, in lower case. */
  readonly byName: ReadonlyMap<string, CodeLanguage>;
  readonly registrations: ReadonlyMap<string, LanguageRegistration>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the TextMate grammars (JSON) of a site. An invalid one is reported and left out.
 * @param locationOf where the configuration lists the grammar of this index.
 */
export function readCustomLanguages(
  paths: readonly string[],
  files: SiteFiles,
  locationOf: (index: number) => Location,
): CustomLanguages {
  const byName = new Map<string, CodeLanguage>();
  const registrations = new Map<string, LanguageRegistration>();
  const diagnostics: Diagnostic[] = [];
  const listed = new Set(paths.map(sourceOf));
  for (const [index, path] of paths.entries()) {
    const sourcePath = sourceOf(path);
    const fault = (what: string, fix: string, location: Location): void => {
      diagnostics.push({ code: "CODE_GRAMMAR_INVALID", severity: "warning", what, location, fix });
    };
    if (!files.has(sourcePath)) {
      const candidates = files.paths.filter((each) => each.endsWith(".json") && !listed.has(each));
      const near = nearestName(sourcePath, candidates.slice(0, mostCompared));
      fault(
        `The code language "${path}" is listed in the configuration, but the file is missing.`,
        near ? `write "/${near}".` : "add the file, or remove the entry.",
        locationOf(index),
      );
      continue;
    }
    const grammar = parseGrammar(files.readText(sourcePath));
    if (typeof grammar === "string") {
      const fix = "export the grammar as .tmLanguage.json.";
      fault(`"${sourcePath}" is not a TextMate grammar: ${grammar}.`, fix, { sourcePath });
      continue;
    }
    const id = grammar.name.toLowerCase();
    registrations.set(id, { ...grammar, name: id } as LanguageRegistration);
    const label = typeof grammar.displayName === "string" ? grammar.displayName : grammar.name;
    for (const name of [id, ...textList(grammar.aliases), ...textList(grammar.fileTypes)])
      byName.set(name.toLowerCase(), { id, label });
  }
  return { byName, registrations, diagnostics };
}

interface RawGrammar {
  readonly name: string;
  readonly scopeName: string;
  readonly patterns: readonly unknown[];
  readonly displayName?: unknown;
  readonly aliases?: unknown;
  readonly fileTypes?: unknown;
}

const sourceOf = (path: string): string => path.replace(/^\.?\//, "");
const mostCompared = 1000;

/** The grammar, or why it is none. */
function parseGrammar(text: string): RawGrammar | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "it is not valid JSON";
  }
  if (typeof value !== "object" || value === null) return "it is not an object";
  const { name, scopeName, patterns, repository = {} } = value as Record<string, unknown>;
  if (typeof name !== "string") return 'it has no "name"';
  if (typeof scopeName !== "string") return 'it has no "scopeName"';
  if (!Array.isArray(patterns)) return 'it has no list "patterns"';
  return typeof repository === "object" ? (value as RawGrammar) : 'its "repository" is not an object';
}

const textList = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
