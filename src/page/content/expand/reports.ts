/** Reports content that is not shown as the author meant it: Markdown of other tools, unclosed fences, misspelt properties. */

import type { Code, Paragraph } from "mdast";
import {
  type Diagnostic,
  errorOf,
  type Location,
  likelyName,
  quoted,
  warningOf,
} from "../../../lib/diagnostic/index.js";
import type { Scope } from "../expressions/scope.js";
import { nodeLocation } from "../location.js";
import type { JsxElement } from "../page-content.js";
import type { PageState } from "../page-state.js";
import { wrongFence } from "../parse/code-faults.js";
import { maxTreeDepth } from "../tree-shape.js";
import { attributeOffset, locationOfAttribute } from "./evaluate-attributes.js";
import type { Expansion } from "./expansion.js";
import names from "./written-names.json" with { type: "json" };

const callouts: Readonly<Record<string, string>> = names.callouts;
const admonition = /^(?::{3,}|!!!|\?\?\?\+?)[ \t]*([A-Za-z][\w-]*)/;

/** Reports `:::tip` and `!!! tip`, which begin an admonition in other tools. */
export function reportAdmonition(paragraph: Paragraph, scope: Scope, page: PageState): void {
  const [first] = paragraph.children;
  if (first?.type !== "text" || !/^[:!?]{3}/.test(first.value)) return;
  const opening = admonition.exec(first.value);
  if (!opening) return;
  const [typed, name] = opening;
  const component = callouts[name!.toLowerCase()] ?? "Note";
  const marks: readonly [string, string] = component.startsWith("```")
    ? [component, "```"]
    : [`<${component}>`, `</${component.split(" ")[0]}>`];
  page.report({
    ...warningOf("ADMONITION_AS_TEXT"),
    what: `"${typed}" is shown as text: this admonition syntax of other tools is not supported.`,
    location: { ...nodeLocation(paragraph, scope.module.sourcePath), length: typed.length },
    fix: `put ${marks[0]} before the text and ${marks[1]} after it, each on its own line.`,
    ...admonitionEdits(scope, paragraph, marks),
  });
}

/** For a `:::tip` block at the margin that a `:::` line closes and that has no title. */
function admonitionEdits(
  { module }: Scope,
  { position }: Paragraph,
  [opening, closing]: readonly [string, string],
): Pick<Diagnostic, "edits"> {
  const { source, sourcePath } = module;
  const start = position?.start.offset;
  const open =
    start === undefined ? undefined : /^(:{3,})[ \t]*[A-Za-z][\w-]*[ \t]*(?=\r?\n)/.exec(source.slice(start));
  if (start === undefined || !open || (start > 0 && source[start - 1] !== "\n")) return {};
  const bodyStart = start + open[0].length;
  // The next line of colons has to end this block and not begin another.
  const line = /\n:{3,}[^\n]*/.exec(source.slice(bodyStart));
  if (!line || line[0].trim() !== open[1]) return {};
  const at = bodyStart + line.index + 1;
  return {
    edits: [
      { sourcePath, start, end: bodyStart, replacement: opening, certain: true },
      { sourcePath, start: at, end: at + open[1]!.length, replacement: closing, certain: true },
    ],
  };
}

/** Adds the missing fence at the end of the file, if everything after the opening one is code: no blank lines. */
function fenceEdits(
  { module: { source, sourcePath } }: Scope,
  code: string,
  fence: string,
  end: number,
  column: number,
): Pick<Diagnostic, "edits"> {
  if (column !== 1 || source.slice(end).trim() !== "" || /\n[ \t]*\r?\n[ \t]*\S/.test(code) || !code.includes("\n"))
    return {};
  const at = end - (code.length - code.trimEnd().length);
  const rest = source.slice(at).includes("\n") ? "" : "\n";
  return { edits: [{ sourcePath, start: at, end: at, replacement: `\n${fence}${rest}`, certain: true }] };
}

/** Reports a fence that ends with the page, with the list or quote around it, or with its code: `repair-fences.ts`. */
export function reportUnclosedFence(code: Code, scope: Scope, page: PageState): void {
  const { source, sourcePath } = scope.module;
  const { start, end } = code.position ?? {};
  if (start?.offset === undefined || end?.offset === undefined) return;
  const fence = /^(?:`{2,}|~{3,})/.exec(source.slice(start.offset, start.offset + 100))?.[0];
  if (fence === undefined) return;
  const lastLine = source.slice(source.lastIndexOf("\n", end.offset - 1) + 1, end.offset).replace(/^[ \t>]+|\s+$/g, "");
  const isClosed =
    end.line > start.line && lastLine.length >= fence.length && lastLine === fence[0]!.repeat(lastLine.length);
  if (isClosed && fence.length > 2) return;
  const after = source.slice(end.offset);
  const next = after.search(/\S/);
  // A fence of other signs is why the rest of the page is code, and has a message of its own.
  if (next === -1 && wrongFence(code, source) !== undefined) return;
  const nextLine = end.line + after.slice(0, Math.max(0, next)).split("\n").length - 1;
  const isShort = fence.length < 3;
  const isCut = end.line > start.line && lastLine.length > 1 && lastLine !== fence && fence.startsWith(lastLine);
  const language = /^\S*/.exec(source.slice(start.offset + fence.length, start.offset + fence.length + 40))![0];
  const isNamed = language !== "" && lastLine.split(" ")[0] === fence + language;
  if (isCut || isNamed || lastLine.startsWith(`${fence} `)) {
    const at = source.lastIndexOf(lastLine, end.offset);
    const why = isCut ? `it is shorter than ${fence}` : `text follows ${fence}`;
    const edit = { sourcePath, start: at, end: at + lastLine.length, replacement: fence, certain: true };
    page.report({
      ...warningOf("FENCE_UNCLOSED"),
      what: `${quoted(lastLine)} does not close the code block, since ${why}; the block ends there anyway.`,
      location: { sourcePath, ...scope.pointAt(at), length: lastLine.length },
      fix: `write ${fence} alone on its line.`,
      ...((isCut || isNamed) && { edits: [edit] }),
    });
    return;
  }
  page.report({
    ...warningOf("FENCE_UNCLOSED"),
    what: isShort
      ? `The code block starts with "${fence}" instead of "\`\`\`"; it is shown as code anyway.`
      : `The code block is never closed; ${next === -1 ? "everything after it is shown as code" : `it ends before line ${nextLine}`}.`,
    location: { sourcePath, line: start.line, column: start.column, length: fence.length },
    fix: isShort ? "start it with ```." : `write ${fence} on its own line where the code ends.`,
    ...fenceEdits(scope, source.slice(start.offset, end.offset), fence, end.offset, start.column),
  });
}

const calloutTags = new Set(Object.values(callouts));
/** The callout of this kind, in place of another one. */
const calloutFor = (tag: string, kind: string): string | undefined =>
  calloutTags.has(tag) && callouts[kind.toLowerCase()] !== tag ? callouts[kind.toLowerCase()] : undefined;
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** Properties that any tag can have. */
const commonProps = words(names.common);
/** Names that other tools, and older versions, give to one property. */
const synonyms = names.synonyms.map((each) => each.split(" "));
/** Attributes whose misspelling leaves an element without its content or its target. */
const attributesOfElements = new Map(Object.entries(names.elements).map(([element, text]) => [element, words(text)]));
const noAttributes: ReadonlySet<string> = new Set();
/** Other attributes of HTML that these elements may have, in lower case: a name that HTML has is no misspelling of another. */
const knownAttributes = words(names.html);

/** Reports each property that a built-in component, or an image, a link or a video, does not read, with the intended one. */
export function reportUnknownProps(node: JsxElement, scope: Scope, expander: Expansion): void {
  if (node.attributes.length === 0) return;
  const isBuiltIn = expander.options.builtIns.has(node.name!);
  const props = isBuiltIn
    ? expander.options.propNamesOf?.(node.name!)
    : /^[a-z]/.test(node.name!)
      ? (attributesOfElements.get(node.name!) ?? noAttributes)
      : undefined;
  const written = node.attributes.flatMap((each) => (each.type === "mdxJsxAttribute" ? [each.name] : []));
  const names = new Set(written);
  const report = (name: string, what: string, fix: string, rest: Partial<Diagnostic> = {}): void => {
    const at = attributeOffset(node, name, scope);
    const { line, column } = at === undefined ? locationOfAttribute(node, name, "", scope) : scope.pointAt(at);
    const place = { sourcePath: scope.module.sourcePath, ...(line !== undefined && { line, column: column! }) };
    const location = { ...place, length: name.length };
    const cause = `${node.name} ${name}`;
    expander.page.report({ code: "PROPERTY_UNKNOWN", severity: "warning", what, location, fix, cause, ...rest });
  };
  const twice = written.find((name, index) => written.indexOf(name) < index);
  if (twice !== undefined)
    report(twice, `<${node.name}> has "${twice}" twice; only the last one is used.`, "remove one of the two.", {
      code: "PROPERTY_VALUE",
    });
  if (props === undefined) return;
  for (const name of names) {
    if (props.has(name) || commonProps.has(name) || /^(?:aria|data)-|^on[A-Z]/.test(name)) continue;
    if (!isBuiltIn && ((name.length < 3 && name !== "to") || knownAttributes.has(name.toLowerCase()))) continue;
    const similar = likelyName(name, [...props, ...(isBuiltIn ? commonProps : ["className", "style"])]);
    const synonym = synonyms
      .filter((group) => group.includes(name) && (isBuiltIn || /^(?:href|src|alt)$/.test(group[0]!)))
      .flat()
      .find((other) => (props.has(other) || (other === "iconLibrary" && props.has("icon"))) && !names.has(other));
    if (!isBuiltIn && (similar === undefined ? !synonym : similar.name.toLowerCase() === name.toLowerCase())) continue;
    const isSimilar = similar !== undefined && (similar.certain || !name.includes("-"));
    const replacement = isSimilar ? similar.name : synonym;
    const at = attributeOffset(node, name, scope);
    const certain = isSimilar ? similar.certain : true;
    const isFree = replacement !== undefined && !names.has(replacement);
    if (isFree) node.data = { ...node.data, isMisnamed: true };
    const value = node.attributes.find((each) => each.type === "mdxJsxAttribute" && each.name === name)?.value;
    const isContent =
      isBuiltIn &&
      typeof value === "string" &&
      (/\S\s+\S/.test(value) || (node.children.length === 0 && /^(?:text|label|content|body)$/.test(name)));
    const callout = typeof value === "string" && /^(?:type|kind|variant)$/.test(name) && calloutFor(node.name!, value);
    const removal = callout
      ? `write <${callout}> in place of <${node.name}>, or remove it.`
      : isContent
        ? `put its words between <${node.name}> and </${node.name}>.`
        : "remove it.";
    report(
      name,
      `<${node.name}> has no property "${name}"; it is ${node.name === "a" && /^(?:to|link|url)$/.test(name) ? "read as href" : "ignored"}.`,
      replacement === undefined ? removal : `write ${replacement}.`,
      isFree && at !== undefined ? { rewrites: [{ written: name, replacement, certain, offset: at }] } : {},
    );
  }
}

/** Reports on pages that are larger than what can be exported. */

export const tooManyNodes = (location: Location): Diagnostic => ({
  ...errorOf("PAGE_TOO_MANY_NODES", location),
  what: "With its snippets included, the page is too large; the rest is left out.",
  fix: "split it into several pages, or include fewer snippets.",
});

export const tooDeep = (location: Location): Diagnostic => ({
  ...errorOf("NESTING_TOO_DEEP", location),
  what: `Lists, quotes or elements are nested more than ${maxTreeDepth} levels deep; the levels below are left out.`,
  fix: "use fewer levels: browsers stop at 512 nested elements.",
});
