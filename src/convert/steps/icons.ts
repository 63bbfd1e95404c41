import { emojiByName } from "../../page/icons/emoji.js";
import { type IconSetName, iconSet } from "../../page/icons/icon-set.js";
import { mapText, type PageText } from "../page-text.js";
import type { AddNote, PageContext } from "../project.js";

const sets: readonly IconSetName[] = ["fa7-solid", "fa7-brands", "lucide", "tabler"];

/**
 * Our name for an icon of another tool: `BookOpen` of Lucide, `fontawesome/brands/github`, `lucide:rocket`, `i-lucide-rocket`. Undefined if none of
 * our sets has it.
 */
export function iconName(written: string): string | undefined {
  const name = written
    .replace(/^.*[/:]|(?<=.)Icon$/g, "")
    .replace(/^(?:fa[bdlrs]?|icon)[ -](?:.* )?(?:fa-)?|^i-(?:simple-icons|heroicons(?:-outline|-solid)?|[a-z]+)-/, "")
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, "-")
    .toLowerCase();
  return /^[a-z\d][a-z\d-]{0,60}$/.test(name) && sets.some((set) => iconSet(set).find(name)) ? name : undefined;
}

/** An icon of Material for MkDocs, such as `:material-apple:`, with its name without the set and the size. */
export const materialIcon = /:(?:material|fontawesome-\w+|octicons|simple)-([\w-]+?)(?:-\d\d)?:/g;

/** Like `iconName`, for front matter and navigation, where an icon may also be a picture or an emoji; notes unknown icons. */
export const iconReader =
  (note: AddNote) =>
  (written: string | undefined, file: string): string | undefined => {
    if (written === undefined || /\.\w{3,4}$|\p{Extended_Pictographic}/u.test(written)) return written;
    const name = iconName(written);
    if (name === undefined) note(file, "icon", `No icon has the name "${written}"; choose another one.`);
    return name;
  };

/** Like `iconName`, for the icon of a card, which may be a component: `<BookIcon />`; notes unknown icons. */
export function cardIcon(
  written: string,
  { reportOnce }: Pick<PageContext, "reportOnce">,
  line?: number,
): string | undefined {
  const name = iconName(/^\{\s*<([A-Z]\w{0,60})/.exec(written)?.[1] ?? written);
  if (name === undefined && written !== "")
    reportOnce(
      "icon",
      `No icon has the name "${written.slice(0, 60)}", so the card has none; choose another one.`,
      line,
    );
  return name;
}

/** Replaces emoji names such as `:rocket:` by the character. An unknown name stays, with a note. */
export const emojiNames = (lines: PageText, { reportOnce }: PageContext): PageText =>
  mapText(lines, (text, { line }) =>
    text.includes(":")
      ? text.replace(/(?<![\w:/]):(?!-+:)([a-z+-][a-z0-9_+-]{0,40}):(?![\w:/])/g, (whole, name: string) => {
          const emoji = emojiByName().get(name);
          if (emoji !== undefined) return emoji;
          reportOnce("emoji", `"${whole}" may be the name of an emoji; write the character.`, line);
          return whole;
        })
      : text,
  );
