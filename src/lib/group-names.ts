const maxGroups = 100;
const maxName = 200;

/** Names of groups of readers: trimmed, sorted, each once. */
export const sortedGroups = (names: readonly string[]): readonly string[] =>
  [...new Set(names.map((name) => name.trim()))].sort();

/** Splits a list of names at its commas; an empty text has none. */
export const splitGroups = (text: string): readonly string[] =>
  sortedGroups(text.split(",").filter((name) => name.trim() !== ""));

/** Describes the fault of a list of names in a sentence that begins with the setting's name; undefined if it has none. */
export function groupsFault(setting: string, names: readonly string[]): string | undefined {
  if (names.length > maxGroups) return `${setting} has more than ${maxGroups} groups.`;
  const wrong = names.find(
    (name) => name.trim() === "" || name === "*" || name.length > maxName || /[,\p{Cc}]/u.test(name),
  );
  if (wrong === undefined) return undefined;
  return `${setting} contains ${JSON.stringify(wrong.slice(0, maxName))}, which is not a valid group name. Write the names as in "groups" of a page.`;
}
