/** Imports of MDX: Markdown files are inserted where they are used, and components of the tool need no import. */
import type { Line, PageText } from "../page-text.js";
import type { PageContext } from "../project.js";
import { insertText } from "./blocks.js";

const importLine = /^import\s+([\w$]+|\{[^{}]*\}|\*\s+as\s+[\w$]+)\s+from\s+["']([^"']+)["'];?\s*$/;
const ofTools = /^(?:@theme(?:-original)?\/|@docusaurus\/|@astrojs\/|astro[:/]|react$)/;

export function mdxImports(lines: PageText, context: PageContext): PageText {
  const { include, report, page } = context;
  const parts = new Map<string, string>();
  const kept: Line[] = [];
  for (const line of lines) {
    const [, names = "", from = ""] =
      (!line.code && line.text.startsWith("import") && line.text.length < 2000 && importLine.exec(line.text)) || [];
    if (from === "") {
      kept.push(line);
      continue;
    }
    if (ofTools.test(from)) continue;
    const path = from.replace(/^@site\/|^[~@]\//, (start) => (start === "~/" ? "src/" : ""));
    const text =
      /\.mdx?$/.test(path) && /^[\w$]+$/.test(names)
        ? include(path, from.startsWith("@site/") ? "" : page.source)
        : undefined;
    if (text !== undefined) parts.set(names, text);
    else
      report(
        "component",
        `"${names}" from "${from}" is a program and is not converted. Where the page uses it, only its text is shown.`,
        line.line,
      );
  }
  if (parts.size === 0) return kept;
  let left = 200;
  return kept.flatMap((line) => {
    const name =
      line.code || line.text.length > 1000
        ? undefined
        : /^\s*<([A-Z]\w*)\s*(?:\/>|>\s*<\/\1>)\s*$/.exec(line.text)?.[1];
    const text = name === undefined || --left < 0 ? undefined : parts.get(name);
    return text === undefined ? [line] : insertText(text, line);
  });
}
