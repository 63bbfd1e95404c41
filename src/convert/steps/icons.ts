import { type IconSetName, iconSet } from "../../page/icons/icon-set.js";
import type { AddNote } from "../project.js";

const sets: readonly IconSetName[] = ["fa7-solid", "fa7-brands", "lucide", "tabler"];

/**
 * Our name of an icon of another tool: `BookOpen` of Lucide, `fontawesome/brands/github`, `lucide:rocket`. Undefined if none of
 * our sets has it.
 */
export function iconName(written: string): string | undefined {
  const name = written
    .replace(/^.*[/:]|(?<=.)Icon$/g, "")
    .replace(/^(?:fa[bdlrs]?|icon)[ -](?:.* )?(?:fa-)?/, "")
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, "-")
    .toLowerCase();
  return /^[a-z\d][a-z\d-]{0,60}$/.test(name) && sets.some((set) => iconSet(set).find(name)) ? name : undefined;
}

/** The same for front matter and navigations, where an icon may also be a picture or an emoji; adds a note for an unknown one. */
export const iconReader =
  (note: AddNote) =>
  (written: string | undefined, file: string): string | undefined => {
    if (written === undefined || /\.\w{3,4}$|\p{Extended_Pictographic}/u.test(written)) return written;
    const name = iconName(written);
    if (name === undefined) note(file, "icon", `No icon has the name "${written}"; choose another one.`);
    return name;
  };
