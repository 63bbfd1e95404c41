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
