/** Says what is wrong with the tags of a page, and what the page shows instead. */
import type { Diagnostic } from "../../../lib/diagnostic/index.js";
import { createPlaceFinder, createPointFinder } from "../location.js";
import type { MarkedTags } from "./mark-tags.js";
import type { Tag } from "./read-tag.js";
import type { TagFault } from "./rebuild-tags.js";
import { endOfStyle, isVoidTag } from "./repair.js";
import { syntaxDiagnostic } from "./syntax-fault.js";

type Located = readonly [offset: number, diagnostic: Diagnostic];

/** One for each fault, in the order of the source. */
export function tagDiagnostics(
  { source, sourcePath }: { readonly source: string; readonly sourcePath: string },
  { tags, asText, braces }: MarkedTags,
  faults: readonly TagFault[],
): Diagnostic[] {
  const pointOf = createPointFinder(source);
  const describe = ({ start }: { readonly start: number }, reason: string, shown: string): Located => {
    const { line, column } = pointOf(start);
    const described = syntaxDiagnostic({ source, sourcePath }, { reason, line, column });
    return [start, { ...described, what: `${described.what} ${shown}` }];
  };
  const place = createPlaceFinder({ source, sourcePath });
  const placeOf = (tag: Tag): string => `${pointOf(tag.start).line}:${pointOf(tag.start).column}`;
  const unclosed = (tag: Tag, shown: string): Located =>
    describe(tag, `Expected a closing tag for \`<${tag.name}>\` (${placeOf(tag)}`, shown);
  const faultOf = (fault: TagFault): Located => {
    const { kind, tag } = fault;
    const { name } = tag;
    const explained = (start: number, end: number, what: string) => ({
      related: { location: place(start, end), what },
    });
    const opensHere = explained(tag.start, tag.end, `<${name}> opens here`);
    if (kind === "stray") return describe(tag, `Unexpected closing tag \`</${name}>\``, "It is left out.");
    if (kind === "swapped") {
      const { opening } = fault;
      const shown = `It is treated as the opening tag; line ${pointOf(opening.start).line} closes it.`;
      const [offset, diagnostic] = describe(tag, `Unexpected closing tag \`</${name}>\``, shown);
      return [offset, { ...diagnostic, ...explained(opening.start, opening.end, "closed here") }];
    }
    if (kind === "crossed") {
      const reason = `Expected the closing tag \`</${name}>\` either after or before \`<${name}>\` opened at ${placeOf(tag)}`;
      const { closing } = fault;
      const [offset, diagnostic] = describe(tag, reason, endsWithBlock);
      return [offset, { ...diagnostic, ...explained(closing.start, closing.end, "its closing tag, in another block") }];
    }
    if (kind === "unclosed") {
      const { before, end } = fault;
      const line = before === undefined ? 0 : pointOf(before).line;
      const shown = line > pointOf(tag.start).line ? `It ends before line ${line}.` : endsWithBlock;
      const [offset, diagnostic] = unclosed(tag, shown);
      const isFlow = before !== undefined && pointOf(before).line > pointOf(tag.end).line;
      const last = source.lastIndexOf("\n", end - 1) + 1;
      const place = isFlow
        ? explained(before, lineEnd(source, before), `</${name}> belongs before this line`)
        : explained(Math.max(last, end - 1), end, `</${name}> belongs after this`);
      const blanks = /[ \t]*$/.exec(source.slice(source.lastIndexOf("\n", tag.start) + 1, tag.start))![0];
      const replacement = isFlow ? `\n${blanks}</${name}>` : `</${name}>`;
      // Words of a sentence spoil nothing beyond themselves.
      const isText = diagnostic.until !== undefined;
      const edit = isText ? { start: tag.start, end: tag.start, replacement: "\\" } : { start: end, end, replacement };
      const edits = [{ sourcePath, ...edit, certain: false }];
      return [offset, { ...diagnostic, ...place, edits }];
    }
    const { closing } = fault;
    if (tag.role === "alone") {
      const slash = source.lastIndexOf("/", tag.end);
      const edits = [{ sourcePath, start: slash, end: slash + 1, replacement: "", certain: true }];
      const what = `<${name} /> has no content, because its slash closes it, but </${name}> follows. The slash is ignored.`;
      const fix = "remove the slash before its >.";
      const closes = explained(closing.start, closing.end, `</${name}> is here`);
      const location = place(tag.start, tag.end);
      return [tag.start, { code: "MDX_SYNTAX", severity: "error", what, location, fix, edits, ...closes }];
    }
    const reason = `Unexpected closing tag \`</${closing.name}>\`, expected \`<${name}>\` (${placeOf(tag)}`;
    const [offset, { what, ...rest }] = describe(closing, reason, "It ends there.");
    const typed = { close: "by </$1>", open: "by <$1>", alone: "by <$1 />" }[closing.role];
    return [offset, { ...rest, ...opensHere, what: what.replace(/by <\/(.*?)>/, typed) }];
  };
  const tagFault = (tag: Tag): Located[] => {
    const typed = source.slice(tag.start, tag.end);
    if (tag.role === "alone" && typed.startsWith("</")) {
      const [offset, fault] = describe(tag, "Unexpected character after `<`", "");
      const what = "</br> is not a tag; it is treated as <br />.";
      return [[offset, { ...fault, what, fix: "write <br />." }]];
    }
    if (isVoidTag(typed) && !/\/\s*>$/.test(typed)) {
      const [offset, fault] = unclosed(tag, "It is treated as closed.");
      if (tag.isBroken) return [[offset, { ...fault, fix: `write ${tagText({ ...tag, role: "alone" })}.` }]];
      const end = tag.end - 1;
      return [[offset, { ...fault, edits: [{ sourcePath, start: end, end, replacement: " /", certain: true }] }]];
    }
    if (!tag.isBroken) return [];
    const [offset, fault] = describe(tag, "Unexpected character after `<`", "The rest of the tag is used.");
    if (!/does not start a tag/.test(fault.what)) return [[offset, fault]];
    const what = `The tag <${tag.role === "close" ? "/" : ""}${tag.name}> has an extra or missing quote, brace or other character. The rest of the tag is used.`;
    const quoted = [...typed.slice(0, 1000).matchAll(values)].find(([, , quote, text]) => text!.includes(quote!));
    if (quoted) {
      const [value = "", name, quote, text = ""] = quoted;
      const other = quote === '"' ? "'" : '"';
      const start = tag.start + quoted.index;
      const location = place(start, start + value.length);
      const cut = /^([^"'<>]*?)[“”]?(\s+[\w-]+=["'][^<>]*)$/.exec(text);
      if (cut) {
        const missing = `The value of "${name}" has no closing ${quote}. The rest of the tag is used.`;
        const write = `write ${name}=${quote}${cut[1]}${quote}${cut[2]}${quote}.`;
        return [[offset, { ...fault, what: missing, fix: write, location }]];
      }
      const why = `The value of "${name}" contains the ${quote} that ends it, so it is cut. The rest of the tag is used.`;
      const curly = /^[^"'“”]*(?=[“”])/.exec(text)?.[0];
      const whole = text.includes(other) ? `{${JSON.stringify(text)}}` : other + text + other;
      const fix = `write ${name}=${curly === undefined ? whole : `"${curly}"`}.`;
      return [[offset, { ...fault, what: why, fix, location }]];
    }
    const [, vue, value] = /\s([:@#][\w.:-]+)(?:="([^"<>]*)")?/.exec(typed) ?? [];
    if (vue !== undefined) {
      const write = vue.startsWith(":") && value ? `write ${vue.slice(1)}={${value}}.` : `remove ${vue}.`;
      const why = `The tag <${tag.name}> has "${vue}", an attribute of Vue, which is left out.`;
      return [[offset, { ...fault, what: why, fix: write }]];
    }
    const fix = /\s[\w-]+:\s*["'{]/.test(typed) ? typed.replace(/(\s[\w-]+):\s*(?=["'{])/g, "$1=") : tagText(tag);
    return [[offset, { ...fault, what, fix: `write ${fix}.`, location: place(tag.start, tag.end) }]];
  };
  /** No component has the name, so its author mostly meant text: `<your-key>`, `Map<String, Int>`. */
  const shownAsText = (tag: Tag): Located => {
    const [offset, diagnostic] = unclosed(tag, "It is shown as text.");
    const typed = source.slice(tag.start, tag.end);
    const text = typed.length > 40 || typed.includes("\n") ? `<${tag.name}` : typed;
    const fix = `write \\${text} to show it as text, or put code in backticks.`;
    return [offset, { ...diagnostic, location: place(tag.start, tag.start + text.length), fix }];
  };
  const styleEnds = new Set<number>();
  const braceFault = (start: number): Located[] => {
    const styleEnd = endOfStyle(source, start);
    if (styleEnd !== undefined && styleEnds.has(styleEnd)) return [];
    if (styleEnd !== undefined) styleEnds.add(styleEnd);
    const shown = styleEnd === undefined ? "The brace is shown as text." : "Its CSS is used as written.";
    return [describe({ start }, "Could not parse expression with acorn", shown)];
  };
  return [
    ...asText.map(shownAsText),
    ...[...tags.values()].flatMap(tagFault),
    ...braces.flatMap(braceFault),
    ...faults.map(faultOf),
  ]
    .sort(([a], [b]) => a - b)
    .map(([, diagnostic]) => diagnostic);
}

/** An attribute whose value goes on to a quote before another attribute or the end of the tag. */
const values = /([\w-]+)=(["'])(.*?)\2(?=\s+[\w:@#.-]+=|\s*\/?>$)/g;

function lineEnd(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
}

/** The tag as valid MDX. */
function tagText({ role, name, attributes }: Tag): string {
  const texts = attributes.map((each) => {
    if (each.type === "mdxJsxExpressionAttribute") return ` {${each.value}}`;
    if (typeof each.value === "string") {
      const quote = each.value.includes('"') ? "'" : '"';
      return ` ${each.name}=${quote}${each.value.replaceAll(quote, "&#39;")}${quote}`;
    }
    return ` ${each.name}${each.value ? `={${each.value.value}}` : ""}`;
  });
  const text = `<${role === "close" ? "/" : ""}${name}${texts.join("")}${role === "alone" ? " />" : ">"}`;
  return text.length > maxShown ? "it anew" : text;
}

/** A longer tag is not shown. */
const maxShown = 200;
const endsWithBlock = "It is closed at the end of the block around it.";
