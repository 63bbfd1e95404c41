import type { Nodes } from "mdast";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import {
  type MarkdownParsers,
  parseExpression,
  parseFrontmatter,
  parseMarkdown,
  parseModule,
} from "../../../page/content/index.js";
import type { Feature, FlagKind } from "./flag.js";
import type { SiteRule } from "./site-rule.js";

export interface FeatureDeps extends Pick<SiteRule, "reads" | "settingsAt"> {
  readonly parsers: MarkdownParsers;
}

/** Finds the scripts, code, addresses and visibility settings in a page or snippet. */
export function pageFeatures(path: string, source: string, { parsers, reads }: FeatureDeps): Feature[] {
  const { frontmatter, bodyStart } = parseFrontmatter(source, path);
  const features = Object.entries(frontmatter).flatMap(([key, value]): Feature[] => {
    const line = source.slice(0, Math.max(0, source.indexOf(`\n${key}:`)) + 1).split("\n").length;
    if (isVisibility(key))
      return [{ kind: "visibility", line, text: `${key}: ${JSON.stringify(value)}`, isSetting: true }];
    return textsIn(value).flatMap((text) => {
      if (isSpecKey(key)) return specFeatures(text, line, reads);
      const parts = /[<\]{]/.test(text) ? textFeatures(`${path}.md`, text, 0, parsers) : [];
      return [
        ...(addressFeature(text, line) ? [addressFeature(text, line)!] : []),
        ...parts.map((each) => ({ ...each, line })),
      ];
    });
  });
  return [...features, ...textFeatures(path, source, bodyStart, parsers)];
}

/** Finds the same in a text of MDX, or of Markdown if the path ends in `.md`. */
export function textFeatures(path: string, source: string, bodyStart: number, parsers: MarkdownParsers): Feature[] {
  const features = parsedFeatures({ source, sourcePath: path, bodyStart, latex: false }, parsers);
  if (!source.includes("$")) return features;
  // The site decides whether `$` starts a formula, and a formula can turn text into code or the reverse: read both ways.
  const shown = new Set(features.map(({ kind, text }) => `${kind} ${text}`));
  const others = parsedFeatures({ source, sourcePath: path, bodyStart, latex: true }, parsers);
  return [...features, ...others.filter(({ kind, text }) => !shown.has(`${kind} ${text}`))];
}

function parsedFeatures(file: Parameters<typeof parseMarkdown>[1], parsers: MarkdownParsers): Feature[] {
  const { source, sourcePath: path } = file;
  const { tree, ok, spans } = parseMarkdown(parsers, file);
  if (!ok) return [{ kind: "unreadable", line: 1, text: path }];

  const features: Feature[] = [];
  const sourceOf = ({ position }: Nodes): string => source.slice(position?.start.offset, position?.end.offset);
  for (const { kind, start, value } of spans)
    if (kind === "tag") features.push(...htmlFeatures(value, source.slice(0, start).split("\n").length));
  const pending: Nodes[] = [tree];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const line = node.position?.start.line ?? 1;
    if ("children" in node) for (const child of node.children) pending.push(child);
    if (node.type === "html") features.push(...htmlFeatures(node.value, line));
    else if (node.type === "mdxjsEsm") features.push(...codeFeatures(node.value, "module", line));
    else if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression")
      features.push(...codeFeatures(node.value, "expression", line));
    else if (node.type === "link" || node.type === "image" || node.type === "definition")
      features.push(...[addressFeature(node.url, line) ?? []].flat());
    else if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") {
      features.push(...elementFeatures(node.name ?? "", line, sourceOf(node)));
      for (const attribute of node.attributes)
        if (attribute.type === "mdxJsxExpressionAttribute")
          features.push({ kind: "code", line, text: `{${attribute.value}}` });
        else if (typeof attribute.value === "object" && attribute.value !== null) {
          const code = attribute.value.value;
          features.push(
            ...attributeFeatures(attribute.name, code, line, true),
            ...codeFeatures(code, "expression", line),
          );
        } else features.push(...attributeFeatures(attribute.name, attribute.value ?? "", line));
    }
  }
  return features;
}

/** Keys that say who sees a page, a part of the navigation or of an API, and where it is listed. */
export const isVisibility = (key: string): boolean =>
  /^(?:hidden|groups|public|noindex|draft|searchable|x-hidden|x-excluded|x-internal)$/i.test(key);
export const isSpecKey = (key: string): boolean => /^(?:openapi|asyncapi|graphql|arazzo)(?:-schema)?$/i.test(key);

/** The addresses, and the files that the site has not read, in a text that names a specification or a part of one. */
export const specFeatures = (text: string, line: number, reads: FeatureDeps["reads"]): Feature[] =>
  text.split(/\s+/).flatMap((word) => {
    const isFile = /\.(?:json|ya?ml|graphqls?|gql)$/i.test(word) && !reads(word.replace(/^(?:\.?\/)+/, ""));
    return isFile || addressFeature(word, line) ? [{ kind: "address", line, text: word } as const] : [];
  });

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Expressions that do more than show a value. */
const active =
  /^(?:Call|New|Import|TaggedTemplate|Assignment|Update|Await|Yield|Function|ArrowFunction|Class|Binary)Expression$|^(?:Function|Class)Declaration$/;

type Tree = Readonly<Record<string, unknown>>;

/** Features of an import, an export, or an expression in braces of MDX. Nothing is executed. */
function codeFeatures(code: string, kind: "module" | "expression", line: number): Feature[] {
  const parsed = kind === "module" ? parseModule(code) : parseExpression(code);
  if (parsed.kind === "empty") return [];
  if (parsed.kind !== "tree") return [{ kind: "code", line, text: code }];
  const features: Feature[] = [];
  // The parser gets an expression with a bracket in front.
  const shift = kind === "module" ? 0 : 1;
  const sourceOf = ({ start, end }: Tree): string => code.slice(Number(start) - shift, Number(end) - shift);
  let isActive = false;
  const pending: Tree[] = [parsed.node as unknown as Tree];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { type, name, value, source } = node;
    for (const child of Object.values(node))
      for (const each of Array.isArray(child) ? child : [child]) if (isTree(each)) pending.push(each);
    const from = isTree(source) ? source["value"] : undefined;
    if (active.test(String(type)) || (typeof from === "string" && !/\.mdx?$/.test(from))) isActive = true;
    else if (typeof value === "string") features.push(...addressesIn(value, line));
    if (type === "TemplateElement") features.push(...addressesIn(String((value as Tree)["raw"]), line));
    if (type === "JSXElement") {
      const opening = node["openingElement"] as Tree;
      features.push(...elementFeatures(sourceOf(opening["name"] as Tree), line, sourceOf(node)));
    }
    if (type === "JSXSpreadAttribute") isActive = true;
    if (type === "JSXAttribute") {
      const isText = isTree(value) && typeof value["value"] === "string";
      const text = isTree(value) ? (isText ? String(value["value"]) : sourceOf(value)) : "";
      features.push(...attributeFeatures(sourceOf(name as Tree), text, line, !isText));
    }
  }
  return isActive ? [...features, { kind: "code", line, text: code }] : features;
}

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && "type" in value;

const elements = new Map<string, FlagKind>([
  ["script", "script"],
  ...["iframe", "embed", "object", "frame", "applet", "portal", "fencedframe"].map((name) => [name, "embed"] as const),
  ...["form", "base", "meta", "link", "style", "template"].map((name) => [name, "element"] as const),
]);

/** @param name of a component, as `Frame`, or of an element of HTML, in any case. @param source of the whole element. */
function elementFeatures(name: string, line: number, source: string): Feature[] {
  const kind = /^[A-Z][a-z]/.test(name) ? undefined : elements.get(name.toLowerCase());
  return kind === undefined ? [] : [{ kind, line, text: source }];
}

const isHandler = (name: string): boolean => /^on[a-z]/i.test(name);
const isMarkup = (name: string): boolean => /^(?:dangerouslySetInnerHTML|innerHTML|srcdoc)$/i.test(name);

/** @param isCode whether the value is an expression; the texts in it are looked at by `codeFeatures`. */
function attributeFeatures(name: string, value: string, line: number, isCode = false): Feature[] {
  const text = `${name}=${isCode ? `{${value}}` : JSON.stringify(value)}`;
  if (isHandler(name)) return [{ kind: "handler", line, text }];
  if (isMarkup(name)) return [{ kind: "code", line, text }];
  return isCode ? [] : addressesIn(value, line);
}

/** Finds addresses in a value: an address, a list of them as in `srcset`, or a style with `url()`. */
function addressesIn(value: string, line: number): Feature[] {
  // Browsers ignore line breaks in an address.
  const parts = value.replaceAll(/[\t\n\r]/g, "").split(/,\s*(?=[/\\]|[a-z]+:)|url\(\s*["']?/i);
  return parts.flatMap((part) => addressFeature(part.trim().split(/\s/)[0]!, line) ?? []);
}

/** Schemes with which an address runs code, or holds what it shows. A text such as "Note: this" is no address. */
const activeScheme = /^(?:javascript|vbscript|data|blob|file|filesystem|view-source):/i;

/** The feature of an outside address. Undefined if the address leads into the site, or the text is not an address. */
export function addressFeature(address: string, line: number): Feature | undefined {
  // Browsers ignore these characters.
  const text = address.replaceAll(/[\t\n\r]/g, "").replace(/^[\p{Cc}\s]+/u, "");
  if (activeScheme.test(text)) return { kind: "scheme", line, text };
  if (!/^(?:(?:https?|wss?|ftp):)?[/\\]{2}|^https?:/i.test(text)) return undefined;
  const url = URL.parse(text, "https://site.invalid");
  return url === null ? { kind: "scheme", line, text } : { kind: "link", line, text, host: url.hostname };
}

/** Finds the features of HTML, parsed as browsers do. */
function htmlFeatures(html: string, firstLine: number): Feature[] {
  const features: Feature[] = [];
  const pending: DefaultTreeAdapterTypes.Node[] = [parseFragment(html, { sourceCodeLocationInfo: true })];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if ("childNodes" in node) for (const child of node.childNodes) pending.push(child);
    if ("content" in node) pending.push(node.content);
    if (!("tagName" in node)) continue;
    const at = node.sourceCodeLocation;
    const line = firstLine - 1 + (at?.startLine ?? 1);
    features.push(...elementFeatures(node.tagName, line, at ? html.slice(at.startOffset, at.endOffset) : node.tagName));
    for (const { name, value } of node.attrs) features.push(...attributeFeatures(name, value, line));
  }
  return features;
}
