/** Keeps the heading anchors of the old tool, so that links with a fragment still work. */
import { headingSlug } from "../../lib/url/index.js";
import type { Line, PageText } from "../page-text.js";
import type { SlugRule } from "../project.js";
import { inTag, markLinesInTags } from "./tags.js";
import { plainHeading } from "./title.js";

/** The rule of GitHub, Docusaurus, Starlight, Nextra, Fumadocs and Hugo. */
export const githubSlugs: SlugRule = {
  slug: (text) =>
    text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-"),
  joint: "-",
};

export const vueSlugs: SlugRule = {
  slug: (text) =>
    text
      .normalize("NFKD")
      .replace(/[\u0300-\u036F]|\p{Cc}/gu, "")
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .replace(/^(\d)/, "_$1")
      .toLowerCase(),
  joint: "-",
};

/** The extension `toc` of Python-Markdown. */
export const pythonSlugs: SlugRule = {
  slug: (text) =>
    text
      .normalize("NFKD")
      .replace(/[^\0-\x7F]/g, "")
      .replace(/[^\w\s-]/g, "")
      .trim()
      .toLowerCase()
      .replace(/[-\s]+/g, "-"),
  joint: "_",
};

export const rustSlugs: SlugRule = {
  slug: (text) =>
    text
      .trim()
      .toLowerCase()
      .replace(/\s/g, "-")
      .replace(/[^\p{L}\p{N}_-]/gu, ""),
  joint: "-",
};

const atx = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*#{1,6}[ \t]+)(.*?)[ \t]*$/;
/** `{#id}`, `{ #id .class }`, `{: #id }` and `{/* #id *\/}` at the end of a heading. */
const written =
  /[ \t]*%?\{(?:\/\*)?[ \t]*:?[ \t]*(?:[.\w-]+(?:="[^"{}]{0,200}")?[ \t]+)*#([^\s{}]{1,2000})(?:[ \t][^{}]{0,300})?(?:\*\/)?\}%?[ \t]*#*$/;
/** Attributes without an id. */
const attributes = /[ \t]*\{[ \t]*:?(?:[ \t]*(?:\.[\w-]+|[\w-]+=(?:"[^"]*"|'[^']*'|\S+)))+[ \t]*\}[ \t]*#*$/;

/** `{ .class #id width="300" }` after a link or picture, or in a line of its own. */
const attributeList =
  /(?:(?<=[\])`*_>]) {0,2}|(?<=\w:)|^\s*)\{ {0,4}:? {0,4}(?=\.[A-Za-z_-]|#\\?[\w-]|[\w-]+=)(?:[^{}#]{0,300}#((?:\\?[\w.:-]){1,200}))?[^{}]{0,500}\}/g;
/** A picture with the class `.only-dark` or `.light-only` is for one color mode. */
const modeClass = /(!\[[^[\]\n]{0,300}\]\([^\s()#]{1,500})\) ?\{ ?\.(?:only-(light|dark)|(light|dark)-only) ?\}/g;

/** A line without attribute lists; an id becomes an anchor. @param mayBeFormula whether `_{i=1}` may be in a formula */
export const withoutAttributes = (text: string, mayBeFormula: boolean): string =>
  text
    .replace(modeClass, (_, picture: string, only?: string, mode = only) => `${picture}#only-${mode})`)
    .replace(attributeList, (list, id?: string) => {
      if (mayBeFormula && /=(?!["'])/.test(list)) return list;
      return id === undefined ? "" : `<a id="${id.replaceAll("\\", "")}"></a>`;
    });

/** Marks the start of text that was an attribute in the old page. The old tool did not use it for anchors. */
export const wasAttribute = "\u{F0013}";
const attributeTexts = new RegExp(`${wasAttribute}[^<>]{0,200}`, "gu");

/** Adds `{#id}` to each heading whose anchor would be different here. */
export function keepAnchors(all: PageText, rule: SlugRule): PageText {
  const lines = markLinesInTags(all);
  const counts = new Map<string, number>();
  const ourIds = new Set<string>();
  const out: Line[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const under = lines[i + 1];
    const isUnderlined =
      !line.code &&
      !line.generated &&
      under !== undefined &&
      !under.code &&
      /^ {0,3}(?:-{2,}|={2,})[ \t]*$/.test(under.text) &&
      /^ {0,3}[^\s>#|*+<:-]/.test(line.text) &&
      (lines[i - 1]?.text.trim() ?? "") === "";
    const text = isUnderlined ? `${under.text.includes("=") ? "#" : "##"} ${line.text.trim()}` : line.text;
    const [, mark, rest = ""] =
      (!line.code && !line.isHidden && text.length < 2000 && text.includes("#") && atx.exec(text)) || [];
    if (mark === undefined) {
      out.push(line.text.startsWith(inTag) ? { ...line, text: line.text.slice(inTag.length) } : line);
      continue;
    }
    const writtenId = written.exec(rest)?.[1];
    const words = writtenId === undefined ? rest.replace(attributes, "") : rest.replace(written, "");
    const plain = plainHeading(words.replace(attributeTexts, ""));
    let id = writtenId ?? rule.slug(plain);
    if (writtenId === undefined) {
      const base = id;
      for (let n = counts.get(base) ?? 0; counts.has(id); ) id = `${base}${rule.joint}${++n}`;
      counts.set(base, (counts.get(base) ?? -1) + 1);
    }
    counts.set(id, counts.get(id) ?? 0);
    // The two tools may read a tag or an emoji in a heading differently; a single star or underscore is no emphasis.
    const spellings = [plainHeading(words), ...(/^[^*]*\*[^*]*$|^[^_]*_[^_]*$/.test(words) ? [words] : [])];
    const isOurs =
      writtenId === undefined &&
      !/<|:[\w+-]+:/.test(words) &&
      spellings.every((spelling) => headingSlug(spelling) === id) &&
      !ourIds.has(id);
    ourIds.add(id);
    out.push({ ...line, text: `${mark}${words}${isOurs || id === "" ? "" : ` {#${id}}`}` });
    if (isUnderlined) i++;
  }
  return out.map((line) =>
    line.text.includes(wasAttribute) ? { ...line, text: line.text.replaceAll(wasAttribute, "") } : line,
  );
}

/** `## Heading [#id]`; `[toc]`, `[!toc]` and `[step]` are settings of the tool. */
export const bracketAnchors = (lines: PageText): PageText =>
  lines.map((line) =>
    line.code || !/^\s*#{1,6}\s/.test(line.text) || line.text.length > 1000
      ? line
      : {
          ...line,
          text: line.text.replace(/\s*\[(?:!?toc|step)\](?!\()/g, "").replace(/\s*\[#([\w-]+)\]\s*$/, " {#$1}"),
        },
  );
