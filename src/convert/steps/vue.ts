/** Vue templates in Markdown: parts that only Vue in the browser can show are removed and reported. */
import { asText, type Data, valueAt } from "../data.js";
import { mapText, type PageText, replaceGroups } from "../page-text.js";
import type { PageContext } from "../project.js";
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
  const tags = mapTags(text, ({ name, isEnd, isEmpty, attributes, written, line }) => {
    if (wrappers.test(name)) return "";
    if (isEnd) return undefined;
    const names = [...attributes.keys()];
    const bound = names.filter((key) => /^(?:v-|[:@#]|\w[\w-]*:)/.test(key) && !/^(?:xmlns|xlink):/.test(key));
    if (bound.length === 0) return undefined;
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
    const plainAttributes = plain.map((key) =>
      attributes.get(key) === true ? key : `${key}=${JSON.stringify(attributes.get(key))}`,
    );
    return written === "" ? undefined : `<${[name, ...plainAttributes].join(" ")}${isEmpty ? " /" : ""}>`;
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
