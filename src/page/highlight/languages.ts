import { bundledLanguages, bundledLanguagesInfo } from "shiki/langs";
import { nearestName } from "../../lib/diagnostic/index.js";
import languageNames from "./language-names.json" with { type: "json" };

export interface CodeLanguage {
  /** Name of the grammar, or `text`. */
  readonly id: string;
  /** Shown to readers: `TypeScript`. Undefined for plain text. */
  readonly label?: string;
}

export interface LanguageGuess extends CodeLanguage {
  /** No such language is known. */
  readonly isUnknown?: true;
  /** The known name that an unknown one resembles. */
  readonly meant?: string;
}

const plain: CodeLanguage = { id: "text" };

interface LanguageNames {
  /** Names that Shiki does not know or maps to another grammar. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Where Shiki's label is unusual or too long. */
  readonly labels: Readonly<Record<string, string>>;
  readonly aliasLabels: Readonly<Record<string, string>>;
  /** Used by authors for text that is not code. */
  readonly plain: readonly string[];
  /** Suggested for a misspelt name. */
  readonly common: readonly string[];
}
const { aliases: ownAliases, labels, aliasLabels, plain: plainList, common }: LanguageNames = languageNames;
const plainNames = new Set(plainList);

/** The language that a fence names; an unknown name is plain text. */
export function resolveLanguage(written: string | undefined, custom: ReadonlyMap<string, CodeLanguage>): LanguageGuess {
  const name = (written ?? "").toLowerCase();
  const own = custom.get(name);
  if (own) return own;
  if (plainNames.has(name)) return plain;
  const id = ownAliases[name] ?? name;
  const known = knownLanguages().get(id);
  if (known) return name in aliasLabels ? { ...known, label: aliasLabels[name]! } : known;
  const meant = name.length > 2 ? nearestName(name, common) : undefined;
  return { ...plain, isUnknown: true, ...(meant === undefined ? {} : { meant }) };
}

let known: ReadonlyMap<string, CodeLanguage> | undefined;
function knownLanguages(): ReadonlyMap<string, CodeLanguage> {
  known ??= new Map(
    bundledLanguagesInfo.flatMap(({ id, name, aliases = [] }) => {
      const language: CodeLanguage = { id, label: labels[id] ?? name };
      return [id, ...aliases].map((alias) => [alias, language]);
    }),
  );
  return known;
}

type Registrations = Awaited<ReturnType<(typeof bundledLanguages)["json"]>>["default"];

/** Fences inside Markdown are highlighted in these languages. */
const insideMarkdown = ["shellscript", "json", "yaml", "javascript", "typescript", "python"] as const;
/** Shiki loads none of the languages that these embed: without them, tags and expressions have no colours. */
const embedded: Readonly<Record<string, readonly (keyof typeof bundledLanguages)[]>> = {
  markdown: [...insideMarkdown, "html-derivative"],
  mdx: [...insideMarkdown, "tsx"],
};

/** Grammars of one of Shiki's languages, embedded ones first. */
export async function loadRegistrations(id: string): Promise<Registrations> {
  const load = bundledLanguages[id as keyof typeof bundledLanguages];
  const own = (await load()).default;
  const inner = Object.hasOwn(embedded, id) ? embedded[id]! : [];
  if (inner.length === 0) return own;
  const modules = await Promise.all(inner.map((name) => bundledLanguages[name]()));
  return [...new Set([...modules.flatMap((module) => module.default), ...own])];
}
