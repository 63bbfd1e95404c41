/** `[1](https://…)`: the source is listed below the answer. */
const citation = /\[(\d{1,3})\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g;

/** The end of a text that may still become a citation. */
const beginning = /\[(?:\d{0,3}|\d{1,3}\](?:\([^\s]{0,2000})?)$/;

/** Shortens citations to their numbers, in a text that arrives in parts. */
export function createCitationFilter() {
  let held = "";
  return {
    add(text: string): string {
      const all = (held + text).replace(citation, "[$1]");
      held = beginning.exec(all)?.[0] ?? "";
      // A citation that has just been shortened is complete only when the next character is no parenthesis.
      return all.slice(0, all.length - held.length);
    },
    /** The rest of the text. */
    end(): string {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** An escaped mark, what may begin or end code, and the end of a paragraph. */
const token = /\\([!-/:-@[-`{-~])|`+|(?<=\n {0,3})~{3,}|\n[ \t]*\n/g;

/** The end of a text that may be the beginning of a token. */
const escapeFilterBeginning = /(?:[\\`~]+|\n[ \t\n]*)$/;

/** Removes the backslashes of Markdown escapes, which code does not have, in a text that arrives in parts. */
export function createEscapeFilter() {
  let held = "";
  /** The marks that end the code. */
  let open: string | undefined;
  const plain = (text: string): string =>
    text.replace(token, (whole: string, escaped: string | undefined) => {
      if (open === undefined && escaped !== undefined) return escaped;
      if (whole.startsWith("\n")) {
        // Code within a sentence ends with its paragraph.
        if (open !== undefined && open.length < 3) open = undefined;
      } else if (escaped === undefined) {
        if (open === undefined) open = whole;
        else if (whole === open || (open.length > 2 && whole.startsWith(open))) open = undefined;
      }
      return whole;
    });
  return {
    add(text: string): string {
      const all = held + text;
      held = escapeFilterBeginning.exec(all)?.[0] ?? "";
      return plain(all.slice(0, all.length - held.length));
    },
    /** The rest of the text. */
    end(): string {
      const rest = plain(held);
      held = "";
      return rest;
    },
  };
}
