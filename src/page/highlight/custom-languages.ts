import type { LanguageRegistration } from "shiki/types";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
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
  for (const [index, path] of paths.entries()) {
    const sourcePath = path.replace(/^\.?\//, "");
    const fault = (what: string, fix: string, location: Location): void => {
      diagnostics.push({ code: "CODE_GRAMMAR_INVALID", severity: "warning", what, location, fix });
    };
    if (!files.has(sourcePath)) {
      fault(
        `The code language "${path}" is listed in the configuration, but the file is missing.`,
        "add the file, or remove the entry.",
        locationOf(index),
      );
      continue;
    }
    const grammar = parseGrammar(files.readText(sourcePath));
    if (!grammar) {
      fault(
        `"${sourcePath}" is not a TextMate grammar: JSON with "name", "scopeName" and "patterns" is expected.`,
        "export the grammar as .tmLanguage.json.",
        { sourcePath },
      );
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

function parseGrammar(text: string): RawGrammar | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { name, scopeName, patterns, repository = {} } = value as Record<string, unknown>;
  const isGrammar =
    typeof name === "string" &&
    typeof scopeName === "string" &&
    Array.isArray(patterns) &&
    typeof repository === "object";
  return isGrammar ? (value as RawGrammar) : undefined;
}

const textList = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
