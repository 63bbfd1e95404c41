import { nameOf } from "../../lib/url/index.js";
import { asText, type Data } from "../data.js";
import { outsideCodeSpans, type PageText } from "../page-text.js";
import type { ProjectPage } from "../project.js";

export interface TitledPage {
  readonly title: string;
  readonly sidebarTitle?: string | undefined;
  /** The page without the heading that is its title. */
  readonly rest: PageText;
  /** Line of a heading that repeated the title. */
  readonly repeated?: number | undefined;
}

/** Front matter of pages of Next.js: `export const metadata = { title: "…" }`. */
export const exportedHead = (body: string): Data =>
  Object.fromEntries(
    [
      ...(
        /^export const (?:metadata|meta|header|frontmatter)\b[^={}\n]{0,80}=\s*\{([^{}]{0,5000})\}/im.exec(body)?.[1] ??
        ""
      ).matchAll(/\b(title|description):\s*(["'`])((?:[^\\\n]|\\.){1,500}?)\2/g),
    ].map(([, name, , text]) => [name!, text!.replace(/\\(.)/g, "$1")]),
  );

/**
 * The first heading of a page becomes its title and is removed from the text, since a page shows its title above the text.
 * Without a heading, the title comes from the front matter, the navigation or the address.
 */
export function takeTitle(
  lines: PageText,
  frontmatter: Data,
  { label, address }: ProjectPage,
  siteName: string,
): TitledPage {
  const written = asText(frontmatter["title"]);
  const at = lines.findIndex(({ text }) => text.trim() !== "" && !/^\s*(?:import\s.*|\{\/\*.*\*\/\})$/.test(text));
  const first = lines[at];
  const isSetext = first !== undefined && !first.code && /^=+\s*$/.test(lines[at + 1]?.text ?? "");
  // A page of a book may begin with a heading of level 2 and have none of level 1.
  const hasLevelOne =
    written !== undefined || lines.some(({ text, code }) => !code && /^#[ \t]/.test(text.slice(0, 3)));
  const titleMark = hasLevelOne ? /^#[ \t]+(.{1,500})$/ : /^#{1,2}[ \t]+(.{1,500})$/;
  const heading =
    first && !first.code && !first.generated
      ? (titleMark.exec(first.text)?.[1] ?? (isSetext ? first.text : undefined))
      : undefined;
  const headingText = heading === undefined ? "" : plainHeading(heading);
  // A heading further down is the title of a page that begins with links; after other headings, it begins a part.
  const headings =
    written === undefined && headingText === ""
      ? lines.filter(({ text, code }) => !code && /^#{1,6}[ \t]/.test(text.slice(0, 8)))
      : [];
  const isMain = ({ text }: { readonly text: string }): boolean => /^#[ \t]/.test(text);
  const [later, ...more] = headings.slice(0, 1).some(isMain) ? headings.filter(isMain) : [];
  // HTML: `<h1 align="center">`.
  const html = first?.code === false ? htmlTitle(lines, at) : undefined;
  const title =
    headingText ||
    (written === undefined && html?.text) ||
    written ||
    (later && plainHeading(later.text.slice(2, 500))) ||
    label ||
    titleOf(address, siteName);
  const side = label ?? asText(frontmatter["sidebarTitle"]) ?? (headingText !== "" ? written : undefined);
  const isRepeated = html !== undefined && same(html.text, title);
  const rest =
    headingText !== ""
      ? lines.toSpliced(at, isSetext ? 2 : 1)
      : isRepeated
        ? lines.toSpliced(at, html.length)
        : later !== undefined && more.length === 0 && plainHeading(later.text.slice(2, 500)) === title
          ? lines.filter((line) => line !== later)
          : lines;
  return {
    title,
    sidebarTitle: side === title ? undefined : side,
    rest,
    repeated: headingText !== "" && written !== undefined && same(written, headingText) ? first!.line : undefined,
  };
}

/** The text and number of lines of an HTML heading at the beginning, if it has no picture. */
function htmlTitle(lines: PageText, at: number): { readonly text: string; readonly length: number } | undefined {
  if (!/^\s*<h1[\s>]/.test(lines[at]!.text)) return undefined;
  const length = lines.slice(at, at + 8).findIndex((line) => /<\/h1>\s*$/.test(line.text.slice(-500))) + 1;
  const headingLines = lines.slice(at, at + length);
  const whole = headingLines.map((line) => line.text.slice(0, 2000)).join(" ");
  const text = plainHeading(whole.replace(/<[^<>]{0,2000}>/g, "")).replace(/\s+/g, " ");
  return length === 0 || text === "" || /<img\b/.test(whole) || headingLines.some(({ code }) => code)
    ? undefined
    : { text, length };
}

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The text of a heading without its markup. */
export const plainHeading = (heading: string): string =>
  outsideCodeSpans(heading.replace(/\s*\{#[^}]*\}\s*$/, "").replace(/\s#+\s*$/, ""), (part) =>
    part
      .replace(/!\[[^\]]{0,300}\]\([^)]{0,300}\)|\\?\{:[^{}]{0,300}\}/g, "")
      .replace(/\[([^\]]{0,300})\](?:\([^)]{0,300}\)|\[[^\]]{0,100}\])/g, "$1")
      .replace(/(?<!\\)<[^<>]{0,300}>/g, "")
      .replace(/(?<!\\|(?:^|\s)(?=\*\s))(?:\*|~~)|(?<![\p{L}\p{N}\\])_|(?<!\\)_(?![\p{L}\p{N}])/gu, "")
      .replace(/\\([^\p{L}\p{N}\s])/gu, "$1"),
  )
    .replace(/\[((?:`[^`]*`|[^[\]`]){0,300})\](?:\([^)]{0,300}\)|\[[^\]]{0,100}\])/g, "$1")
    .replaceAll("`", "")
    .trim();

function titleOf(address: string, siteName: string): string {
  const words = nameOf(address).replace(/[-_]+/g, " ").trim();
  return words === "" ? siteName || "Welcome" : words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
