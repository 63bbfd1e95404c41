/** Vue templates in Markdown: parts that only Vue in the browser can show are removed and reported. */
import { asText, type Data, valueAt } from "../data.js";
import { block, type Line, mapText, type PageText, replaceGroups, textOfLines } from "../page-text.js";
import type { PageContext } from "../project.js";
import { insertFiles } from "../tools/shared.js";
import { vueSlugs } from "./anchors.js";
import { attribute } from "./blocks.js";
import { stubName } from "./components.js";
import { htmlNames } from "./escape.js";
import { fenced, languageOf, linesIn, regionOf, sectionOf } from "./parts.js";
import { mapTags } from "./tags.js";

/** Wrappers whose content is all that readers see. */
const wrappers =
  /^(?:ClientOnly|Transition|TransitionGroup|Suspense|template|Teleport|VPTeamPage|VPTeamPageTitle|VPTeamPageSection)$/;

export function vueTemplates(lines: PageText, context: PageContext): PageText {
  const { report, reportOnce, frontmatter } = context;
  const text = withoutPrograms(literals(lines), (name, line) => {
    if (name === "script")
      report("script", "The page has a Vue script, which is left out; its components are now stubs.", line);
  });
  const closed = new Set([...textOfLines(text).matchAll(/<\/([a-z][a-z\d]*)>/g)].map(([, name]) => name!));
  const tags = mapTags(text, (tag, whole) => {
    const { isEnd, isEmpty, attributes, written, line } = tag;
    if (wrappers.test(tag.name)) return "";
    // Vue reads an element that HTML does not have as a component.
    const isComponent = !htmlNames.has(tag.name) && (closed.has(tag.name) || (isEmpty && /^[a-z]\w*$/.test(tag.name)));
    const name = isComponent ? stubName(tag.name) : tag.name;
    const renamed = name === tag.name ? undefined : whole.replace(tag.name, name);
    if (isEnd) return renamed;
    const names = [...attributes.keys()];
    const bound = names.filter((key) => /^(?:v-|[:@#]|\w[\w-]*:)/.test(key) && !/^(?:xmlns|xlink):/.test(key));
    if (bound.length === 0) return renamed;
    const loop = bound.find((key) => /^v-(?:for|html|text)/.test(key));
    const links = bound.filter((key) => /^:?(?:v-bind:)?(?:href|src|items|members)$/.test(key));
    for (const key of new Set([loop, ...links]))
      if (key !== undefined)
        report(
          "vue",
          `${key}="${String(attributes.get(key))}" of <${name}> is computed by Vue; write here what readers should see.`,
          line,
        );
    if (loop === undefined && links.length === 0)
      reportOnce(
        "vue attribute",
        `"${bound[0]}" of <${name}> belongs to Vue and is left out; check that the page needs no more.`,
        line,
      );
    const plain = names.filter((key) => !bound.includes(key) && /^[A-Za-z_][\w-]*$/.test(key));
    const plainAttributes = plain.map((key) => {
      const value = attributes.get(key)!;
      return value === true ? key : value.includes('"') ? `${key}='${value}'` : `${key}="${value}"`;
    });
    return written === "" ? renamed : `<${[name, ...plainAttributes].join(" ")}${isEmpty ? " /" : ""}>`;
  });
  return mapText(tags, (part, { line, generated }) =>
    generated || !part.includes("{{")
      ? part
      : part.replace(/\{\{\s*([^{}]{1,300}?)\s*\}\}/g, (whole, expression: string) => {
          const value = expressionValue(expression, frontmatter);
          if (value !== undefined) return value;
          report("expression", `"${whole}" is a Vue value; write here what readers should see.`, line);
          return whole;
        }),
  );
}

/** Vue does not read what is in an element with `v-pre` or in a `::: v-pre` block: its `{{ }}` are text. */
function literals(lines: PageText): PageText {
  const literal = (text: string): string => text.replaceAll("{{", "&#123;&#123;");
  let isInside = false;
  return mapText(lines, (part, { text }) => {
    isInside = /^\s*:{3,}\s*v-pre\s*$/.test(text) || (isInside && !/^\s*:{3,}\s*$/.test(text));
    return isInside
      ? literal(part)
      : part.replace(
          /<([\w-]{1,50})((?:\s[^<>]{0,500})?)\sv-pre((?:\s[^<>]{0,500})?)>([^<>]{0,2000})<\/\1>/g,
          (_, name: string, before: string, after: string, inner: string) =>
            `<${name}${before}${after}>${literal(inner)}</${name}>`,
        );
  });
}

/** The value of a text in quotes, or of front matter. */
function expressionValue(expression: string, frontmatter: Data): string | undefined {
  const quoted = /^(["'`])([^"'`$]*)\1$/.exec(expression)?.[2];
  const path = /^\$?frontmatter\.([\w.]+)$/.exec(expression)?.[1];
  return quoted ?? (path === undefined ? undefined : asText(valueAt(frontmatter, path)));
}

/** Leaves out the elements `<script>` and `<style>`. @param note is called with the name and line of each */
export function withoutPrograms(lines: PageText, note: (name: string, line: number) => void): PageText {
  /** The line up to which there is no end, by the name of the element. */
  const searched = new Map<string, number>();
  return replaceGroups(lines, (line, at) => {
    const name = line.code ? undefined : /^\s{0,3}<(script|style)\b/.exec(line.text)?.[1];
    if (name === undefined) return undefined;
    const [from, to] = [Math.max(at, searched.get(name) ?? 0), at + maxProgramLines];
    const end = from + lines.slice(from, to).findIndex(({ text }) => text.includes(`</${name}>`));
    if (end < from) {
      searched.set(name, to);
      return undefined;
    }
    note(name, line.line);
    const last = lines[end]!;
    const rest = last.text.slice(last.text.indexOf(`</${name}>`) + name.length + 3);
    return { end: end + 1, lines: rest.trim() === "" ? [] : [{ ...last, text: rest }] };
  });
}
const maxProgramLines = 1000;

/** The tabs of VuePress and of plugins: `@tab Name` or `== Name` in a container, `::: code-group-item Name` in a `code-group`. */
export function tabMarks(lines: PageText): PageText {
  const out: Line[] = [];
  /** The containers around the line; a tab is open in those with one. */
  const open: { readonly colons: number; readonly kind: "code" | "tabs" | "item" | undefined; hasTab: boolean }[] = [];
  let title: string | undefined;
  const endTab = (group: (typeof open)[number], line: number): void => {
    if (group.hasTab) out.push(...block(["</Tab>"], line));
    group.hasTab = false;
  };
  for (const line of lines) {
    const { text, code, opens } = line;
    if (code || text.length > 1000) {
      out.push(opens && title !== undefined ? { ...line, text: `${text} [${title}]` } : line);
      if (opens) title = undefined;
      continue;
    }
    const [, colons = "", name = "", rest = ""] = /^\s*(:{3,})\s*([\w-]*)(.*)$/.exec(text) ?? [];
    const group = open.at(-1);
    const [, tab] = /^\s*(?:@tab(?::active)?|==)\s+([^#\n]+)/.exec(text) ?? [];
    if (name !== "") {
      const kind = name === "code-group-item" ? "item" : /^code-(?:tabs|group)$/.test(name) ? "code" : undefined;
      open.push({ colons: colons.length, kind: name === "tabs" ? "tabs" : kind, hasTab: false });
      if (kind === "item") title = rest.replace(/^:active/, "").trim() || undefined;
      else
        out.push({
          ...line,
          text: text.replace(/code-tabs|(?<=tabs)#.*$/g, (part) => (part[0] === "#" ? "" : "code-group")),
        });
    } else if (colons !== "" && rest.trim() === "") {
      const at = Math.max(
        open.findLastIndex((other) => other.colons === colons.length),
        0,
      );
      const ended = open.splice(at);
      for (const other of ended.toReversed()) endTab(other, line.line);
      if (ended[0]?.kind !== "item") out.push(line);
    } else if (tab !== undefined && group?.kind === "code") title = tab.trim();
    else if (tab !== undefined && group?.kind === "tabs") {
      endTab(group, line.line);
      out.push(...block([`<Tab${attribute("title", tab.trim())}>`], line.line));
      group.hasTab = true;
    } else out.push(line);
  }
  return out;
}

/** Inserts the files that a page includes, whole or in part. */
export function vueIncludes(lines: PageText, context: PageContext): PageText {
  const from: PageContext = {
    ...context,
    include: (path, source) => context.include(path.replace(/^@\//, `${context.base}/`), source),
  };
  const pathBy =
    (...marks: readonly RegExp[]) =>
    ({ text, code }: Line) =>
      code ? undefined : marks.map((mark) => mark.exec(text)?.[1]).find((path) => path !== undefined);
  const inserted = insertFiles(lines, from, pathBy(includeMark, pluginMark), (part, _, line) =>
    partOf(part, includeMark.exec(line)?.[2]),
  );
  return insertFiles(inserted, from, pathBy(snippetMark), snippet);
}

/** `<!--@include: ./part.md#region{2,5}-->` */
const includeMark = /^\s*<!--\s*@include:\s*([^\s{#]+?)((?:#[\w-]+)?(?:\{[^{}]*\})?)\s*-->/;
/** `!!!include(docs/part.md)!!!`, of the plugin markdown-it-include */
const pluginMark = /^\s*!!!\s*include\s*\(\s*([^()]{1,500})\s*\)\s*!!!\s*$/i;
/** `<<< @/snippet.js#region{1,4 ts:line-numbers} [title]` */
const snippetMark = /^\s*<<<\s+([^\s{#[]+)((?:#[\w-]+)?)[ \t]*(?:\{([^{}]*)\})?[ \t]*(?:\[([^\]]*)\])?\s*$/;

/** A region or lines of a file. In Markdown, a section counts as a region. */
function partOf(text: string, mark: string | undefined): string | undefined {
  const [, region, range] = /^(?:#([\w-]+))?(?:\{([^{}]*)\})?$/.exec(mark ?? "") ?? [];
  const part = region === undefined ? text : (regionOf(text, region) ?? sectionOf(text, region, vueSlugs.slug));
  return part === undefined || range === undefined ? part : linesIn(part, range, ",");
}

function snippet(text: string, path: string, line: string): string | undefined {
  const [, , region = "", options = "", title] = snippetMark.exec(line)!;
  const code = partOf(text, region);
  if (code === undefined) return undefined;
  const [, marks = "", written = ""] = /^([\d,\s-]*)\s*([\w+#-]*)/.exec(options) ?? [];
  const info = [written || languageOf(path), title ?? path.slice(path.lastIndexOf("/") + 1)];
  if (marks.trim() !== "") info.push(`{${marks.trim()}}`);
  if (/:line-numbers/.test(options)) info.push("lines");
  return fenced(code, info.join(" "));
}
