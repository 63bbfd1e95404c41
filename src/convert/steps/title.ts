import { nameOf } from "../../lib/url/index.js";
import { type Data, textOf } from "../data.js";
import type { PageText } from "../page-text.js";
import type { ProjectPage } from "../project.js";

export interface TitledPage {
  readonly title: string;
  readonly sidebarTitle?: string | undefined;
  /** The page without the heading that is its title. */
  readonly rest: PageText;
  /** Line of a heading that repeated the title. */
  readonly repeated?: number | undefined;
}

/** A page shows its title above its text, so a first heading with it goes. Without a title, the heading is the title. */
export function takeTitle(
  lines: PageText,
  frontmatter: Data,
  { label, address }: ProjectPage,
  siteName: string,
): TitledPage {
  const written = textOf(frontmatter["title"]);
  const at = lines.findIndex(({ text }) => text.trim() !== "" && !/^\s*(?:import\s.*|\{\/\*.*\*\/\})$/.test(text));
  const first = lines[at];
  const isSetext = first !== undefined && !first.code && /^=+\s*$/.test(lines[at + 1]?.text ?? "");
  const heading =
    first && !first.code && !first.made
      ? (/^#[ \t]+(.{1,500})$/.exec(first.text)?.[1] ?? (isSetext ? first.text : undefined))
      : undefined;
  const shown = heading === undefined ? "" : plain(heading);
  const title = shown || written || label || titleOf(address, siteName);
  const side = textOf(frontmatter["sidebarTitle"]) ?? label ?? (shown !== "" ? written : undefined);
  const rest = shown === "" ? lines : lines.toSpliced(at, isSetext ? 2 : 1);
  return {
    title,
    sidebarTitle: side === title ? undefined : side,
    rest,
    repeated: shown !== "" && written !== undefined && same(written, shown) ? first!.line : undefined,
  };
}

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Words of a heading without its marks. */
const plain = (heading: string): string =>
  heading
    .replace(/\s*\{#[^}]*\}\s*$/, "")
    .replace(/\s#+\s*$/, "")
    .replace(/!?\[([^\]]{0,300})\]\([^)]{0,300}\)/g, "$1")
    .replace(/<[^<>]{0,300}>/g, "")
    .replace(/[*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "")
    .replace(/\\([^\w\s])/g, "$1")
    .trim();

function titleOf(address: string, siteName: string): string {
  const words = nameOf(address).replace(/[-_]+/g, " ").trim();
  return words === "" ? siteName || "Welcome" : words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
