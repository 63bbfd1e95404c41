import { bundledLanguages, bundledLanguagesInfo } from "shiki/langs";
import { nearestName } from "../../lib/diagnostic/index.js";

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

/** Names that Shiki does not know or maps to another grammar. */
const ownAliases: Readonly<Record<string, string>> = {
  curl: "bash",
  cmd: "bat",
  jsonc: "json",
  ndjson: "jsonl",
  jsx: "tsx",
  "node.js": "javascript",
  nodejs: "javascript",
  node: "javascript",
  golang: "go",
  ".net": "csharp",
  dotnet: "csharp",
  env: "dotenv",
  svg: "xml",
  htm: "html",
  xhtml: "html",
};

/** Names that authors use for text that is not code. */
const plainNames: ReadonlySet<string> = new Set([
  "",
  "text",
  "txt",
  "plain",
  "plaintext",
  "none",
  "nocopy",
  "output",
  "logs",
  "tree",
  "ascii",
  "prompt",
  "response",
  "request",
  "title",
  "null",
  "raw",
  "file",
  "url",
]);

/** Labels where Shiki's name is unusual or too long. */
const labels: Readonly<Record<string, string>> = {
  dotenv: ".env",
  log: "Log",
  nushell: "Nushell",
};
/** Labels of aliases. */
const aliasLabels: Readonly<Record<string, string>> = { bash: "Bash", console: "Console", jsonc: "JSON", curl: "cURL" };

/** The language that a fence names; an unknown name is plain text. */
export function resolveLanguage(written: string | undefined, custom: ReadonlyMap<string, CodeLanguage>): LanguageGuess {
  const name = (written ?? "").toLowerCase();
  const own = custom.get(name);
  if (own) return own;
  if (plainNames.has(name)) return plain;
  const id = ownAliases[name] ?? name;
  const known = knownLanguages().get(id);
  if (known) return name in aliasLabels ? { ...known, label: aliasLabels[name]! } : known;
  const meant = name.length > 2 ? nearestName(name, commonNames) : undefined;
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

/** Names to suggest for a misspelt one. */
const commonNames: readonly string[] = [
  "bash",
  "css",
  "csharp",
  "diff",
  "docker",
  "dockerfile",
  "elixir",
  "graphql",
  "html",
  "http",
  "java",
  "javascript",
  "json",
  "kotlin",
  "markdown",
  "mermaid",
  "mdx",
  "php",
  "powershell",
  "python",
  "ruby",
  "rust",
  "shell",
  "sql",
  "swift",
  "terraform",
  "text",
  "toml",
  "tsx",
  "typescript",
  "xml",
  "yaml",
];

type Registrations = Awaited<ReturnType<(typeof bundledLanguages)["json"]>>["default"];

/** Fences inside Markdown are highlighted in these languages. */
const insideMarkdown = ["shellscript", "json", "yaml", "javascript", "typescript", "python"] as const;

/** Grammars of one of Shiki's languages, embedded ones first. */
export async function loadRegistrations(id: string): Promise<Registrations> {
  const load = bundledLanguages[id as keyof typeof bundledLanguages];
  const own = (await load()).default;
  if (id !== "markdown" && id !== "mdx") return own;
  const embedded = await Promise.all(insideMarkdown.map((name) => bundledLanguages[name]()));
  return [...new Set([...embedded.flatMap((module) => module.default), ...own])];
}
