import { bundledLanguages, bundledLanguagesInfo } from "shiki/langs";
import { nearestName } from "../../lib/diagnostic/index.js";

export interface CodeLanguage {
  /** Name of the grammar, or `text`. */
  readonly id: string;
  /** What a reader sees: `TypeScript`. Undefined for plain text. */
  readonly label?: string;
}

export interface LanguageGuess extends CodeLanguage {
  /** Nobody knows the name. */
  readonly isUnknown?: true;
  /** The name that an unknown one looks like. */
  readonly meant?: string;
}

const plain: CodeLanguage = { id: "text" };

/** Names that Shiki does not know, or knows otherwise. */
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

/** Words that writers use for text that is no code. */
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

/** What readers see where Shiki's own name is longer or other than usual. */
const labels: Readonly<Record<string, string>> = {
  dotenv: ".env",
  log: "Log",
  nushell: "Nushell",
};
/** The same for names that are not the grammar's own. */
const aliasLabels: Readonly<Record<string, string>> = { bash: "Bash", console: "Console", jsonc: "JSON", curl: "cURL" };

/** The language that a fence names. A name nobody knows is plain text. */
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

/** Names worth proposing for a misspelt one. */
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

/** Fences inside of Markdown are coloured in these languages. */
const insideMarkdown = ["shellscript", "json", "yaml", "javascript", "typescript", "python"] as const;

/** Grammars of a language of Shiki's, those it embeds first. */
export async function loadRegistrations(id: string): Promise<Registrations> {
  const load = bundledLanguages[id as keyof typeof bundledLanguages];
  const own = (await load()).default;
  if (id !== "markdown" && id !== "mdx") return own;
  const embedded = await Promise.all(insideMarkdown.map((name) => bundledLanguages[name]()));
  return [...new Set([...embedded.flatMap((module) => module.default), ...own])];
}
