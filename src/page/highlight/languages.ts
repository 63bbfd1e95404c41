import { bundledLanguages, bundledLanguagesInfo } from "shiki/langs";
import type { LanguageRegistration } from "shiki/types";
import { type Diagnostic, type Location, nearestName } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import languageNames from "./language-names.json" with { type: "json" };

interface CodeLanguage {
  /** Name of the grammar, or `text`. */
  readonly id: string;
  /** Shown to readers: `TypeScript`. Undefined for plain text. */
  readonly label?: string;
}

interface LanguageGuess extends CodeLanguage {
  /** Whether no such language is known. */
  readonly isUnknown?: true;
  /** The name that the author probably intended. */
  readonly intended?: string;
}

const plain: CodeLanguage = { id: "text" };

interface LanguageNames {
  /** Grammars of names that Shiki does not know, or maps to another grammar. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Labels that replace unusual or long ones of Shiki. */
  readonly labels: Readonly<Record<string, string>>;
  readonly aliasLabels: Readonly<Record<string, string>>;
  /** Names that authors give to text that is not code. */
  readonly plain: readonly string[];
  /** Suggested for a misspelt name. */
  readonly common: readonly string[];
}
const { aliases: ownAliases, labels, aliasLabels, plain: plainList, common }: LanguageNames = languageNames;
const plainNames = new Set(plainList);

/** The language of a fence; plain text without a name, for a `plain` one, and for an unknown one, which is reported. */
export function resolveLanguage(written: string | undefined, custom: ReadonlyMap<string, CodeLanguage>): LanguageGuess {
  const name = (written ?? "").toLowerCase();
  const customLanguage = custom.get(name);
  if (customLanguage) return customLanguage;
  if (plainNames.has(name)) return plain;
  const id = ownAliases[name] ?? name;
  const language = knownLanguages().get(id);
  if (language) return name in aliasLabels ? { ...language, label: aliasLabels[name]! } : language;
  // `.ts`, `javascript:app.js` and `python,linenos`, as other tools write them.
  const [, first = "", title = ""] = /^(?:lang(?:uage)?-|[.{])?([\w+#-]+)(?:[:,=]([^\s,]*).*|\})?$/.exec(name) ?? [];
  const candidate =
    first !== name && (custom.has(first) || knownLanguages().has(ownAliases[first] ?? first)) ? first : undefined;
  const intended =
    candidate === undefined
      ? name.length > 2
        ? nearestName(name, common)
        : undefined
      : `${candidate} ${title.includes(".") ? title : ""}`.trim();
  return { ...plain, isUnknown: true, ...(intended === undefined ? {} : { intended }) };
}

let languagesByName: ReadonlyMap<string, CodeLanguage> | undefined;
function knownLanguages(): ReadonlyMap<string, CodeLanguage> {
  languagesByName ??= new Map(
    bundledLanguagesInfo.flatMap(({ id, name, aliases = [] }) => {
      const language: CodeLanguage = { id, label: labels[id] ?? name };
      return [id, ...aliases].map((alias) => [alias, language]);
    }),
  );
  return languagesByName;
}

type Registrations = Awaited<ReturnType<(typeof bundledLanguages)["json"]>>["default"];

/** Fences inside Markdown are highlighted in these languages. */
const insideMarkdown = ["shellscript", "json", "yaml", "javascript", "typescript", "python"] as const;

/** Languages that these embed but Shiki does not load. Without them, tags and expressions would have no colours. */
const embedded: Readonly<Record<string, readonly (keyof typeof bundledLanguages)[]>> = {
  markdown: [...insideMarkdown, "html-derivative"],
  mdx: [...insideMarkdown, "tsx"],
};

/** Grammars of one of Shiki's languages, embedded ones first. */
export async function loadRegistrations(id: string): Promise<Registrations> {
  const load = bundledLanguages[id as keyof typeof bundledLanguages];
  const grammars = (await load()).default;
  const inner = Object.hasOwn(embedded, id) ? embedded[id]! : [];
  if (inner.length === 0) return grammars;
  const modules = await Promise.all(inner.map((name) => bundledLanguages[name]()));
  return [...new Set([...modules.flatMap((module) => module.default), ...grammars])];
}

export interface CustomLanguages {
  /** By each name that a fence may use, in lower case. */
  readonly byName: ReadonlyMap<string, CodeLanguage>;
  readonly registrations: ReadonlyMap<string, LanguageRegistration>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a site's TextMate grammars. An invalid one is reported. @param locationOf by index. */
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
      const candidates = files.paths.filter((candidate) => candidate.endsWith(".json") && !listed.has(candidate));
      const near = nearestName(sourcePath, candidates.slice(0, maxCompared));
      fault(
        `The settings list the grammar "${path}", but the site has no such file.`,
        near
          ? `write "/${near}".`
          : `${/[./]/.test(path) ? "add the file, or remove the entry" : "remove the entry: the list names files with grammars of further languages"}.`,
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
const maxCompared = 1000;

/** The grammar, or the reason why it is invalid. */
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
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
