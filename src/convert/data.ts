/** Reads data of unknown shape, and front matter. */
import { parse, TomlError } from "smol-toml";
import { type CollectionTag, parseDocument, type ScalarTag } from "yaml";
import { remembered } from "../lib/memo.js";

export type Data = Readonly<Record<string, unknown>>;

export const isData = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value as an object; an empty one for anything else. */
export const asData = (value: unknown): Data => (isData(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The trimmed text, or undefined if it is empty. Numbers and booleans become text. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The value at a path, such as `themeConfig.navbar.title`. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const name of path.split("."))
    current = isData(current) && Object.hasOwn(current, name) ? current[name] : undefined;
  return current;
}

interface SplitPage {
  readonly data: Data;
  readonly body: string;
  /** Line of the body in the file. */
  readonly bodyLine: number;
  /** Why the front matter is not valid. */
  readonly fault?: string;
}

const maxFrontMatterLength = 100_000;

export function splitPage(text: string): SplitPage {
  const splitAt = (bodyStart: number, { value, fault }: Parsed): SplitPage => ({
    data: asData(value),
    body: text.slice(bodyStart),
    bodyLine: text.slice(0, bodyStart).split("\n").length,
    ...(fault && { fault }),
  });
  const toml = /^\s{0,100}\+\+\+[ \t]*\n([\s\S]{0,100000}?)\n\+\+\+[ \t]*(?:\n|$)/.exec(text);
  if (toml) return splitAt(toml[0].length, readToml(toml[1]!));
  // JSON, as Hugo reads it: an object that ends with a brace at the end of a line.
  const json =
    /^\s{0,100}(\{\s{0,100}"[\w-]{1,100}"\s{0,100}:[\s\S]{0,100000}?\})[ \t]*(?:\n(?!\s{0,100}[\]},])|$)/.exec(text);
  if (json) return splitAt(json[0].length, readYaml(json[1]!));
  const start = /^\s{0,100}---[ \t]*\n/.exec(text.slice(0, 200));
  // The last line feed of the start may be that before the end.
  const from = (start?.[0].length ?? 1) - 1;
  const length = start ? text.slice(from, maxFrontMatterLength).search(/\n(?:-{3,}|\.\.\.)[ \t]*(?:\n|$)/) : -1;
  if (length < 0) return splitAt(0, {});
  const after = text.indexOf("\n", from + length + 1);
  const frontMatter = text.slice(from, from + length);
  return splitAt(after === -1 ? text.length : after + 1, readYaml(frontMatter));
}

/** MkDocs reads `!ENV NAME` and `!ENV [NAME, default]` from the environment, which is unknown here: the default is used. */
const environmentTags: (CollectionTag | ScalarTag)[] = [
  { tag: "!ENV", collection: "seq", resolve: ({ items }) => items.at(-1) },
  { tag: "!ENV", resolve: () => "" },
];

/** Parses YAML. All scalars stay text, and unknown tags are ignored. The front matter of a page is read more than once. */
export const readYaml: typeof parseYaml = (text) => (text.length < 2000 ? parsedYaml(text) : parseYaml(text));
const parsedYaml = remembered(parseYaml);

interface Parsed {
  readonly value?: unknown;
  /** Why the text is not valid; the value may lack parts. */
  readonly fault?: string;
}

function parseYaml(text: string): Parsed {
  try {
    const document = parseDocument(text, {
      schema: "failsafe",
      logLevel: "silent",
      prettyErrors: true,
      customTags: environmentTags,
    });
    const [error] = document.errors;
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return error ? { value, fault: error.message.split("\n")[0]!.replace(/:$/, "") } : { value };
  } catch {
    // Too many levels or aliases.
    return { fault: "it is nested too deeply" };
  }
}

/** Parses TOML. Dates become text, and so do numbers that are too large. */
export function readToml(text: string): Parsed {
  try {
    const value = parse(text, { integersAsBigInt: "asNeeded", maxDepth: 50 });
    return { value: JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? `${inner}` : inner))) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { fault: `${error.message.split("\n")[0]!} at line ${error.line}, column ${error.column}` };
  }
}
