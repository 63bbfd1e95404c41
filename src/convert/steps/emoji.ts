import emoji from "../../lib/emoji.json" with { type: "json" };
import { mapText, type PageText } from "../page-text.js";
import type { PageContext } from "../project.js";

/** Names of emoji between colons, as `:rocket:`. A name that is not known stays, with a note. */
export const emojiNames = (lines: PageText, { reportOnce }: PageContext): PageText =>
  mapText(lines, (text, { line }) =>
    text.includes(":")
      ? text.replace(/(?<![\w:/]):([a-z+-][a-z0-9_+-]{0,40}):(?![\w:/])/g, (whole, name: string) => {
          if (Object.hasOwn(emoji, name)) return emoji[name as keyof typeof emoji];
          reportOnce("emoji", `"${whole}" may be the name of an emoji; write the character.`, line);
          return whole;
        })
      : text,
  );
