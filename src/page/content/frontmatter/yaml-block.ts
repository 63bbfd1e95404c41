/** Front matter that needs a YAML parser: nested values, block text, lists, quotes with escapes. */
import type { Alias, Document, Node, Pair } from "yaml";
import { withoutNull } from "../../../lib/html/escape.js";
import { parseYamlDocument, yaml } from "../../../lib/yaml/parse-yaml.js";
import { explainYaml, type YamlFault } from "../../../lib/yaml/yaml-advice.js";
import type { Frontmatter, FrontmatterValue } from "../../../site/site.js";
import { isRefusedKey, resolvePlain } from "./plain-lines.js";

type Yaml = typeof import("yaml");

const maxDepth = 50;
const maxAliases = 100;
/** Values after aliases are resolved. A block of 64 kB without aliases has far fewer. */
const maxValues = 20_000;
/** Brackets and indentation are checked before parsing, because the parser recurses. */
const deepIndent = new RegExp(`^[ ]{${maxDepth * 4},}(?:[-?][ ]|[^\\s#][^\\n]*:)`, "m");

/** `value` is absent if the block is not a valid YAML map. */
export function parseYamlBlock(text: string): {
  readonly value?: Frontmatter;
  readonly faults: readonly YamlFault[];
} {
  if (isTooDeep(text)) return { value: {}, faults: [tooDeep(0)] };
  const lib = yaml();
  const doc = parseYamlDocument(text);
  const [error] = faultsOf(doc);
  if (error !== undefined) {
    const indented = parseYamlDocument(indentQuotes(text));
    if (doc.errors.length > 0 && indented.errors.length === 0 && lib.isMap(indented.contents)) {
      const { value, faults } = convert(lib, indented, indented.contents);
      const what = "A quoted string continues on a line that is not indented.";
      const edits = continuations(text).map((at) => ({ start: at, end: at, replacement: "  ", certain: true }));
      const offset = edits[0]?.start ?? Math.min(error.pos[0], text.length);
      const line = /^.*/.exec(text.slice(offset))![0].trimEnd();
      const fix = "indent the line by two spaces.";
      return {
        value,
        faults: [{ code: "FRONTMATTER_INDENT", what, offset, length: line.length || 1, fix, edits }, ...faults],
      };
    }
    const faults = explainYaml(text, (corrected) => faultsOf(parseYamlDocument(corrected)));
    return { faults: faults.map((fault) => ({ code: "FRONTMATTER_SYNTAX", ...fault })) };
  }
  if (doc.contents === null) return { value: {}, faults: [] };
  if (!lib.isMap(doc.contents)) {
    const what = "The front matter is not a list of `key: value` lines.";
    const [typed, key, sign, value] =
      /^(\w+)[ \t]*(：|:[\u00A0\u2000-\u200B\u3000]|:(?=[^\s/:])|=)\s*(.*)/m.exec(text) ?? [];
    const space = sign === ":" ? "no space" : "an unusual space character";
    const sort =
      sign === "="
        ? "an equals sign, which does"
        : sign === "："
          ? "a full-width colon, which does"
          : `${space} after a colon, which then does`;
    const fault = typed
      ? { what: `The front matter has ${sort} not end a key.`, fix: `write ${key}: ${value}` }
      : { what, fix: "write one key per line, such as title: Welcome." };
    return { value: {}, faults: [{ code: "FRONTMATTER_NOT_A_MAP", ...fault, offset: 0 }] };
  }
  return convert(lib, doc, doc.contents);
}

/** `!word` names a type in YAML, which takes the word from the text; a parser only warns of that. */
const faultsOf = ({ errors, warnings }: Document) => [
  ...errors,
  ...warnings.filter(({ code }) => code.startsWith("TAG_")),
];

/** Other tools accept unindented continuation lines of a quoted text; YAML does not. */
const indentQuotes = (text: string): string =>
  continuations(text).reduceRight((indented, at) => `${indented.slice(0, at)}  ${indented.slice(at)}`, text);

/** The offsets of those lines. */
const continuations = (text: string): number[] =>
  [...text.matchAll(/^([^\s#][^\n"']*:\s+)("(?:[^"\\]|\\.)*"|'[^']*')/gm)].flatMap(({ index, 1: key, 2: value }) =>
    [...value!.matchAll(/\n(?=\S)/g)].map((line) => index + key!.length + line.index + 1),
  );

/** Converts the parsed nodes: limited, without prototypes, and with numbers as typed. */
function convert(lib: Yaml, doc: Document, root: Node): { value: Frontmatter; faults: YamlFault[] } {
  const faults: YamlFault[] = [];
  let values = 0;
  let aliases = 0;
  const report = (fault: YamlFault): null => {
    if (!faults.some((each) => each.code === fault.code)) faults.push(fault);
    return null;
  };
  const offsetOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;
  const read = (node: unknown, depth: number): FrontmatterValue => {
    if (++values > maxValues) return report(tooLarge(offsetOf(node)));
    if (depth > maxDepth) return report(tooDeep(offsetOf(node)));
    if (lib.isAlias(node)) return readAlias(node, depth);
    if (lib.isScalar(node)) return readScalarNode(node.value, node.source, node.type);
    if (lib.isSeq(node)) return node.items.map((item) => read(item, depth + 1));
    if (lib.isMap(node)) return readPairs(node.items, depth);
    return null;
  };
  const readAlias = (node: Alias, depth: number): FrontmatterValue => {
    if (++aliases > maxAliases) return report(tooLarge(offsetOf(node)));
    return read(node.resolve(doc), depth + 1);
  };
  const readPairs = (pairs: readonly Pair[], depth: number): { [key: string]: FrontmatterValue } => {
    const out: { [key: string]: FrontmatterValue } = {};
    for (const { key, value } of pairs) {
      const name = lib.isScalar(key) ? (key.source ?? String(key.value)) : undefined;
      if (name === undefined) continue;
      if (isRefusedKey(name)) {
        const what = `The front matter key "${name}" is not allowed, so it is left out.`;
        report({ code: "FRONTMATTER_KEY_REFUSED", what, offset: offsetOf(key), fix: "rename or remove the key." });
      } else out[name] = read(value, depth + 1);
    }
    return out;
  };
  const value = lib.isMap(root) ? readPairs(root.items, 1) : {};
  return { value, faults };
}

function readScalarNode(value: unknown, source: string | undefined, type: string | undefined): FrontmatterValue {
  if (typeof value === "string") return withoutNull(value);
  if (type === "PLAIN" && source !== undefined && source !== "") return resolvePlain(source);
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)) ? value : null;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "[" || char === "{") {
      if (++depth > maxDepth) return true;
    } else if (char === "]" || char === "}") depth--;
  }
  return deepIndent.test(text) || new RegExp(`^[ ]*(?:[-?][ ]+){${maxDepth}}`, "m").test(text);
}

const tooDeep = (offset: number): YamlFault => ({
  code: "FRONTMATTER_TOO_DEEP",
  what: `The front matter is nested more than ${maxDepth} levels deep; the levels below are left out.`,
  offset,
  fix: "use fewer levels.",
});
const tooLarge = (offset: number): YamlFault => ({
  code: "FRONTMATTER_TOO_LARGE",
  what: `The front matter has more than ${maxAliases} aliases or ${maxValues} values; the rest is left out.`,
  offset,
  fix: "write the values out instead of using aliases (*name), or remove some.",
});
