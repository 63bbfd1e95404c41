import { readFileSync } from "node:fs";
import { lazy } from "../../lib/memo.js";
import { builtFile } from "../../lib/package-root.js";

/** The names of Unicode, which other programs use. */
const namesOfUnicode = {
  check_mark_button: "✅",
  construction_site: "🏗️",
  cross_mark: "❌",
  light_bulb: "💡",
  man_raising_hand: "🙋‍♂️",
  party_popper: "🎉",
  waving_hand: "👋",
  woman_raising_hand: "🙋‍♀️",
};

/** Emoji by their names on GitHub, such as `rocket`. The build takes these from the package gemoji. */
export const emojiByName = lazy((): ReadonlyMap<string, string> => {
  const names = JSON.parse(readFileSync(builtFile("emoji.json"), "utf8")) as Readonly<Record<string, string>>;
  return new Map([...Object.entries(names), ...Object.entries(namesOfUnicode)]);
});
