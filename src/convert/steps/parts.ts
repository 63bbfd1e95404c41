/** Parts of files that pages include: a region, an anchor, or lines. */
import { fenceOf, linesOf, mapText, type PageText, textOfLines } from "../page-text.js";

/** Comments that begin a region, in the languages that editors support; the name of the region follows. */
const starts = /^[ \t]*(?:\/\/|\/\*|#|--|;|<!--|::|'|rem\b)?[ \t]*(?:#|pragma[ \t]+|@)?region\b[ \t]*([\w*-]*)/i;
const ends = /^[ \t]*(?:\/\/|\/\*|#|--|;|<!--|::|'|rem\b)?[ \t]*(?:#|pragma[ \t]+|@)?end[ \t]?region\b/i;

/** The text between the comments of a region, without the comments of regions inside of it. */
export function regionOf(text: string, name: string): string | undefined {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => line.length < 500 && starts.exec(line)?.[1] === name);
  if (from < 0) return undefined;
  let depth = 1;
  const out: string[] = [];
  for (const line of lines.slice(from + 1)) {
    if (line.length < 500 && ends.test(line)) depth--;
    else if (line.length < 500 && starts.exec(line)?.[1]) depth++;
    else if (depth > 0) out.push(line);
    if (depth === 0) break;
  }
  return dedent(out);
}

/** The part of a page below the heading with an anchor, up to the next of its level. */
export function sectionOf(text: string, id: string, slug: (heading: string) => string): string | undefined {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => {
    const heading = line.length < 500 ? /^#{1,6}\s+(.*?)(?:\s*\{#([^\s{}]+)\})?\s*$/.exec(line) : null;
    return heading !== null && (heading[2] ?? slug(heading[1]!)) === id;
  });
  if (from < 0) return undefined;
  const level = /^#+/.exec(lines[from]!)![0].length;
  const length = lines.slice(from + 1).findIndex((line) => (/^(#{1,6})\s/.exec(line)?.[1]?.length ?? 9) <= level);
  return lines.slice(from, length < 0 ? undefined : from + 1 + length).join("\n");
}

/** The lines between mdBook's `ANCHOR: name` and `ANCHOR_END: name`, or MkDocs' `--8<-- [start:name]` and `[end:name]`. */
export function anchorOf(text: string, name: string): string | undefined {
  const lines = text.split("\n");
  const marks = (line: string, end: boolean): boolean => {
    const [, found] =
      (line.length < 500 &&
        (end ? /ANCHOR_END:\s*([\w-]+)|8<-+\s*\[end:\s*([\w-]+)/ : /ANCHOR:\s*([\w-]+)|8<-+\s*\[start:\s*([\w-]+)/)
          .exec(line)
          ?.filter(Boolean)) ||
      [];
    return found === name;
  };
  const from = lines.findIndex((line) => marks(line, false));
  if (from < 0) return undefined;
  const to = lines.findIndex((line, i) => i > from && marks(line, true));
  return dedent(withoutAnchors(lines.slice(from + 1, to < 0 ? undefined : to)));
}

export const withoutAnchors = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.length > 500 || !/ANCHOR(?:_END)?:\s*[\w-]+|8<-+\s*\[(?:start|end):/.test(line));

/** The lines of a range, counted from 1: `2:5`, `2:` up to the end, `2` alone. An empty range is the whole text. */
export function linesIn(text: string, range: string, separator = ":"): string {
  const [from = "", to = from] = range.split(separator);
  const lines = text.split("\n").slice((Number(from) || 1) - 1, Number(to) || undefined);
  return lines.join("\n");
}

export function dedent(lines: readonly string[]): string {
  const widths = lines.flatMap((line) => (line.trim() === "" ? [] : [/^[ \t]*/.exec(line)![0].length]));
  const width = Math.min(...widths, 1000);
  return lines.map((line) => line.slice(Math.min(width, /^[ \t]*/.exec(line)![0].length))).join("\n");
}

/** A code block whose fence is longer than any in the text. */
export function fenced(text: string, info: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`{3,})/gm)].map(([, mark]) => mark!.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${info}\n${text.replace(/\n+$/, "")}\n${mark}`;
}

/** The language of a code block by the name of its file. */
export const languageOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1] ?? "text";

/**
 * Removes the fences of code blocks with the language `mdx-code-block`: Docusaurus renders their content as a part of
 * the page, and the fences hide it from other programs.
 */
export function withoutMdxFences(lines: PageText): PageText {
  let mark: string | undefined;
  const shown = lines.filter(({ text, opens }) => {
    const [fence = "", info = ""] = fenceOf(text) ?? [];
    const begins = opens === true && info.trim() === "mdx-code-block";
    const ends = mark !== undefined && !begins && fence.startsWith(mark) && info.trim() === "";
    if (begins || ends) mark = begins ? fence : undefined;
    return !begins && !ends;
  });
  return shown.length === lines.length
    ? lines
    : linesOf(textOfLines(shown), 1).map((line, i) => ({ ...line, line: shown[i]!.line }));
}

/** `![a](a.svg#only-dark)` and `#gh-light-mode-only`: a picture for one color mode. */
export const themedPictures = (lines: PageText): PageText =>
  mapText(lines, (text) =>
    text.replace(
      /!\[([^[\]\n]{0,300})\]\(([^\s()#]{1,500})#(?:only-(light|dark)|gh-(light|dark)-mode-only)(?:[ \t]+"[^"\n]{0,300}")?\)/g,
      (_, alt: string, path: string, only?: string, mode = only) =>
        `<img className="${mode === "dark" ? "hidden dark:block" : "block dark:hidden"}" src="${path}" alt=${JSON.stringify(alt.replaceAll('"', "'"))} />`,
    ),
  );

/** The player for the address of a video. */
export function videoFrame(url: string): { readonly open: string; readonly close: string } | undefined {
  const video = /^https:\/\/(?:www\.)?(?:youtube\.com\/watch\?v=|youtu\.be\/)([\w-]{1,40})/.exec(url)?.[1];
  const vimeo = /^https:\/\/vimeo\.com\/(\d{1,20})/.exec(url)?.[1];
  const src = video ? `https://www.youtube.com/embed/${video}` : vimeo && `https://player.vimeo.com/video/${vimeo}`;
  return src ? { open: `<iframe src="${src}" title="Video" allowFullScreen>`, close: "</iframe>" } : undefined;
}
