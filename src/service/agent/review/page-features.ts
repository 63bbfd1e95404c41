import type { Nodes } from "mdast";
import { type MarkdownParsers, parseFrontmatter, parseMarkdown } from "../../../page/content/index.js";
import { codeFeatures } from "./code-features.js";
import type { Feature } from "./flag.js";
import { addressFeature, attributeFeatures, elementFeatures, htmlFeatures } from "./markup-features.js";

export interface FeatureDeps {
  readonly parsers: MarkdownParsers;
  /** Whether the site of the base branch reads the file. */
  reads(path: string): boolean;
  /** Names on the way from docs.json to what a file with a part of it contains; undefined for other files. */
  settingsAt(path: string): readonly string[] | undefined;
}

/** What a page or snippet contains of scripts, code, addresses and settings of who may see it. */
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

/** The same of a text in MDX, or in Markdown if the path ends in `.md`. */
export function textFeatures(path: string, source: string, bodyStart: number, parsers: MarkdownParsers): Feature[] {
  const features = parsedFeatures({ source, sourcePath: path, bodyStart, latex: false }, parsers);
  if (!source.includes("$")) return features;
  // A formula could hide a mark that makes what follows code or not, and the site decides whether there are formulas.
  const known = new Set(features.map(({ kind, text }) => `${kind} ${text}`));
  const others = parsedFeatures({ source, sourcePath: path, bodyStart, latex: true }, parsers);
  return [...features, ...others.filter(({ kind, text }) => !known.has(`${kind} ${text}`))];
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
