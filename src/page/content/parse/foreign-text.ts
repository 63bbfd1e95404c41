/** Reports what MDX does not read, although other tools do: HTML comments, template tags, the lines of a merge conflict. */
import { type Diagnostic, errorOf, mergeConflict, quoted, warningOf } from "../../../lib/diagnostic/index.js";
import { createMemo } from "../../../lib/memo.js";
import { createPlaceFinder } from "../location.js";
import marks from "./marks-of-tools.json" with { type: "json" };
import type { Foreign } from "./mask-source.js";

interface Page {
  readonly source: string;
  readonly sourcePath: string;
}

/** @param isPlain whether the page may have HTML comments. */
export function foreignDiagnostics(page: Page, foreign: readonly Foreign[], isPlain: boolean): Diagnostic[] {
  if (foreign.length === 0) return [];
  const { source } = page;
  const place = createPlaceFinder(page);
  return foreign.flatMap(({ kind, start, end }): Diagnostic[] => {
    const text = source.slice(start, end);
    // In Markdown that is not MDX, `{{name.part}}` is text like any other.
    if (kind === "template" && isPlain && /^\{\{[^<%]/.test(text)) return [];
    if (kind === "template") return templateWarning(text, place(start, end));
    if (kind === "conflict") {
      const { fix, related } = mergeConflict(text)!;
      const middle = start + related.offset;
      return [
        {
          ...errorOf("MERGE_CONFLICT"),
          what: "The page contains an unresolved merge conflict; both versions are shown, without the conflict markers.",
          location: place(start, start + text.indexOf("\n")),
          related: { location: place(middle, middle + related.length), what: related.what },
          fix,
        },
      ];
    }
    const isClosed = text.endsWith("-->") && text.length >= 7;
    const included = /^<!--[ \t]*@include:[ \t]*(\S+?)[ \t]*-->$/.exec(text)?.[1];
    if (included !== undefined) {
      const what = `The comment includes ${quoted(included)} in other tools; here it is left out.`;
      const { include: fix } = marks.directives;
      return [{ code: "FOREIGN_MARKUP", severity: "warning", what, location: place(start, end), fix }];
    }
    if (isPlain && isClosed) return [];
    return [
      {
        ...warningOf("HTML_COMMENT"),
        what: isClosed
          ? `${isInTag(source, start) ? "A tag can contain no comments" : "MDX has no HTML comments"}; this one is left out of the page.`
          : "The comment has no -->, so it is left out up to the end of its paragraph.",
        location: place(start, start + 4),
        fix: isInTag(source, start)
          ? "remove it."
          : isClosed
            ? `write ${commentOf(text)}`
            : "write {/* instead of <!--, and */} where the comment ends.",
        ...commentEdits(page, start, end, isClosed),
      },
    ];
  });
}

/** Whether the comment that begins at `start` is between the attributes of a tag. */
const isInTag = (source: string, start: number): boolean =>
  /<[A-Za-z][\w.]*\s[^<>]*$/.test(source.slice(Math.max(0, source.lastIndexOf("<", start - 1), start - 1000), start));

/** A short comment as MDX. */
const commentOf = (html: string): string => {
  const text = /^<!--([^\n]{0,80}?)-->/.exec(html)?.[1];
  return text === undefined || text.includes("*/") ? "{/* … */} for a comment." : `{/*${text}*/}`;
};

function commentEdits(
  { source, sourcePath }: Page,
  start: number,
  end: number,
  isClosed: boolean,
): Pick<Diagnostic, "edits"> {
  if (isInTag(source, start)) return { edits: [{ sourcePath, start, end, replacement: "", certain: isClosed }] };
  if (!isClosed || /\*\/|-$/.test(source.slice(start + 4, end - 3))) return {};
  return {
    edits: [
      { sourcePath, start, end: start + 4, replacement: "{/*", certain: true },
      { sourcePath, start: end - 3, end, replacement: "*/}", certain: true },
    ],
  };
}

const byName = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).flatMap(([names, fix]) => names.split(" ").map((name) => [name, fix] as const)));
/** What to write for the marks of other tools, by name: BBCode, reStructuredText, Confluence, and GitBook, Jekyll or Hugo. */
export const fixesOfTools = {
  bbCodes: byName(marks.bbCodes),
  directives: byName(marks.directives),
  macros: byName(marks.macros),
  templates: byName(marks.templates),
};

/** What to write for a macro of Confluence, such as `{code:java}` or the `{code}` that ends it. */
export const macroFix = (typed: string): string | undefined =>
  fixesOfTools.macros.get(/^\{([a-z]+)(?::[^{}]*)?\}$/.exec(typed)?.[1] ?? "");

/** Reports the tag that begins something, not the one that ends it. */
function templateWarning(tag: string, location: NonNullable<Diagnostic["location"]>): Diagnostic[] {
  const [, ends, name = ""] = /^\{[{%][<%-]?[ \t]*(\/|end)?-?[ \t]*([\w.-]*)/.exec(tag) ?? [];
  if (ends !== undefined) return [];
  const fix = tag.startsWith("<") ? "write the code between two lines of ```." : fixesOfTools.templates.get(name);
  const isValue = /^\{\{[^<%]/.test(tag);
  const variable = name.replace(/\W/g, "-");
  return [
    {
      ...warningOf("FOREIGN_MARKUP", location),
      what: `${tag.length > 80 ? `"${tag.slice(0, 80)}…"` : `"${tag}"`} is shown as text: it is a template tag of another tool.`,
      fix: isValue
        ? `write the value, or {{${variable}}} with "${variable}" under "variables" in docs.json.`
        : (fix ?? "replace it with the text or component it stands for."),
    },
  ];
}

/** Whether `[text][name]` was meant as a link, and not as two placeholders such as `[country][number]`. */
export const isLikelyReference = (text: string, name: string, source: string): boolean =>
  (/^\d+$/.test(name) && /\p{L}{2}/u.test(text)) ||
  (name.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? []).some((word) => text.toLowerCase().includes(word)) ||
  definesLinks(source, () => /^ {0,3}\[[^\]^\n]+\]:/m.test(source));

/** Whether a text defines a link; kept, since the page may have many references. */
const definesLinks = createMemo<boolean>(1);
