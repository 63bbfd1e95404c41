/** What plugins of MkDocs insert into pages: the variables and macros of `macros`, and the files of `include-markdown`. */
import { folderOf, joinPath } from "../../lib/url/index.js";
import { asData, asList, asText, type Data, valueAt } from "../data.js";
import { block, indentOf, maxConvertedLine, type PageText, replaceGroups } from "../page-text.js";
import type { PageContext, ToolContext } from "../project.js";
import { dataFile, fileIn, insertFiles } from "./shared.js";
import { componentOf } from "./shortcode-syntax.js";

/**
 * The variables that the MkDocs plugin `macros` inserts into pages: those of the settings, and those of the data files that the
 * plugin's options list, as `data.yml` or with a name: `prices: data.yml`.
 */
export function macroVariables(settings: Data, options: unknown, { files, base, path }: ToolContext) {
  const written = valueAt(options, "include_yaml");
  const included = (Array.isArray(written) ? asList(written) : [written]).flatMap((item): (readonly [string, Data])[] =>
    Object.entries(typeof item === "string" ? { "": item } : asData(item)).map(([name, file]) => [
      name,
      dataFile(files, path(base, asText(file) ?? "")),
    ]),
  );
  const data = Object.fromEntries(
    included.flatMap(([name, own]) => (name === "" ? Object.entries(own) : [[name, own]])),
  );
  return new Map(variablesIn({ ...data, ...asData(settings["extra"]), config: settings }));
}

/** The texts in data by their path: `version.latest`. */
function* variablesIn(data: Data, before = "", depth = 0): Generator<readonly [name: string, text: string]> {
  for (const [key, value] of Object.entries(data)) {
    const text = asText(value);
    if (text !== undefined) yield [`${before}${key}`, text];
    else if (depth < 5) yield* variablesIn(asData(value), `${before}${key}.`, depth + 1);
  }
}

/** The tag of the plugin include-markdown: `{% include-markdown "../a.md" start="<!-- a -->" end="<!-- b -->" %}`. */
const includeTag =
  /^\s*\{%-?\s*include(-markdown)?\s+["']([^"'\n]{1,500})["']((?:\s+[\w-]{1,40}=(?:"[^"]{0,500}"|'[^']{0,500}'|[\w-]{1,40})){0,20})\s*-?%\}\s*$/;
const maxTagLines = 12;

/** Inserts the files that the plugin includes. Their relative links still lead from their own folders. A tag may span lines. */
export function withIncludedMarkdown(lines: PageText, fromSite: PageContext, context: PageContext): PageText {
  const joined = replaceGroups(lines, (line, at) => {
    if (!/^\s*\{%[^%]{0,500}$/.test(line.text.slice(0, 510))) return undefined;
    const next = lines.slice(at + 1, at + maxTagLines);
    const end = at + 2 + next.findIndex(({ text }) => text.trimEnd().endsWith("%}"));
    const text = lines
      .slice(at, end)
      .map(({ text }) => text.trim())
      .join(" ");
    return includeTag.test(text) ? { end, lines: [{ ...line, text: indentOf(line.text) + text }] } : undefined;
  });
  return insertFiles(
    joined,
    // Only a path that begins with a dot is relative to the page.
    { ...context, include: (path, from) => (path.startsWith(".") ? context : fromSite).include(path, from) },
    ({ text }) => includeTag.exec(text)?.[2],
    (text, path, tag) => {
      const [, isMarkdown, , written = ""] = includeTag.exec(tag)!;
      const option = (name: string): string | undefined =>
        new RegExp(`\\s${name}=["']?([^"'\\s][^"']*)`).exec(written)?.[1]?.replaceAll("\\n", "\n");
      const [from = "", to = ""] = [option("start"), option("end")];
      const start = text.indexOf(from) + from.length;
      const end = to === "" ? text.length : text.indexOf(to, start);
      if (!text.includes(from) || end < 0) return undefined;
      const { base, page, files } = context;
      const folder = folderOf(fileIn(files, [folderOf(page.source), `${base}/docs`, base], [path]) ?? path);
      const part = text.slice(start, end).replace(/^\n/, "").trimEnd();
      return isMarkdown === undefined
        ? part
        : part.replace(relativeLink, (_, before: string, link: string) => `${before}@repo/${joinPath(folder, link)}`);
    },
  );
}
const relativeLink = /(\]\(|\b(?:src|href)=")(?![a-z]+:|[/#@])([^\s()"]{1,500})/g;

/** A block of `--8<--` lines names one file on each line. */
export function withSnippetBlocks(lines: PageText): PageText {
  let inside = false;
  return lines.flatMap((line) => {
    const isMark = /^\s*-{1,}8<-{1,}\s*$/.test(line.text.slice(0, 200));
    if (isMark) inside = !inside;
    if (isMark) return [];
    return inside && line.text.trim() !== "" ? [{ ...line, text: `--8<-- "${line.text.trim()}"` }] : [line];
  });
}

/** Jinja leaves the text between these marks unchanged. */
const rawMark = /(\{%[-+]?\s{0,9}(?:end)?raw\s{0,9}[-+]?%\})/;
const includeMark = /^\s*\{%-?\s*include\s+["']([^"']{1,500})["']\s*-?%\}\s*$/;

/** `{{ name }}` and `{% name %}`, or with the marks that the options of the plugin have in their place. */
export function macroMark(options: unknown): RegExp {
  const mark = (name: string, usual: string): string =>
    (asText(valueAt(options, `j2_${name}_string`)) ?? usual).slice(0, 20).replace(/\W/g, "\\$&");
  return new RegExp(
    `${mark("variable_start", "{{")}([^{}]{0,300})${mark("variable_end", "}}")}|${mark("block_start", "{%")}[^{}]{0,300}${mark("block_end", "%}")}`,
    "g",
  );
}

const macroArgument =
  /\s*(?:(\w+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\[[^[\]]*\]|[^\s,()[\]'"]+))\s*(?:,|$)/y;

/** The component for a call such as `code_block('guide/filter', lang="py")`; undefined if an argument is more than data. */
function macroComponent(call: string): string | undefined {
  const [, name, written = ""] = /^-?\s{0,9}([\w.]{1,100})\(([\s\S]*)\)\s{0,9}-?$/.exec(call) ?? [];
  if (name === undefined) return undefined;
  const args = new Map<string, string>();
  for (macroArgument.lastIndex = 0; macroArgument.lastIndex < written.trimEnd().length; ) {
    const [, key, double, single, plain] = macroArgument.exec(written) ?? [];
    const value = double ?? single ?? plain;
    if (value === undefined) return undefined;
    args.set(key ?? String(args.size), value);
  }
  const component = componentOf({ name, args: Object.fromEntries(args), isPaired: false }, "Macro");
  return "text" in component ? component.text : undefined;
}

/** Inserts the files that a page includes, and the variables of the page and the settings, also in code. */
export function withMacros(text: PageText, context: PageContext, mark: RegExp): PageText {
  const { variables, frontmatter, report } = context;
  if (variables === undefined) return text;
  const pageVariables = new Map(variablesIn({ ...frontmatter, page: { meta: frontmatter } }));
  const filled = (written: string): string =>
    written.replace(mark, (whole, inner = "") => {
      const name = String(inner).trim();
      return pageVariables.get(name) ?? variables.get(name) ?? whole;
    });
  let isRaw = false;
  return insertFiles(text, context, ({ text }) => includeMark.exec(text)?.[1]).flatMap((line) => {
    const parts = line.text.split(rawMark);
    const text = parts
      .map((part) => {
        if (!rawMark.test(part)) return isRaw ? part : filled(part);
        isRaw = !part.includes("endraw");
        return "";
      })
      .join("");
    if (isRaw || parts.length > 1) return parts.length > 1 && text.trim() === "" ? [] : [{ ...line, text }];
    const macros = text.length < maxConvertedLine ? [...text.matchAll(mark)] : [];
    for (const [macro] of line.code ? macros : [])
      report(
        "code",
        `"${macro}" is a macro of the site in code; write here the code that readers should see.`,
        line.line,
      );
    const isAlone = !line.code && macros[0]?.[0] === text.trim();
    const component = isAlone ? macroComponent(macros[0]![1] ?? "") : undefined;
    return component === undefined ? [{ ...line, text }] : block([indentOf(text) + component], line.line);
  });
}
