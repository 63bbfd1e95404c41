const maxGroups = 100;
const maxName = 200;

/** Names of groups of readers: trimmed, sorted, each once. */
export const sortedGroups = (names: readonly string[]): readonly string[] =>
  [...new Set(names.map((name) => name.trim()))].sort();

/** Names that are separated by commas; none for an empty text. */
export const splitGroups = (text: string): readonly string[] =>
  sortedGroups(text.split(",").filter((name) => name.trim() !== ""));

/** What is wrong with such names, as a sentence that begins with the name of the setting; undefined: nothing. */
export function groupsFault(setting: string, names: readonly string[]): string | undefined {
  if (names.length > maxGroups) return `${setting} has more than ${maxGroups} groups.`;
  const wrong = names.find(
    (name) => name.trim() === "" || name === "*" || name.length > maxName || /[,\p{Cc}]/u.test(name),
  );
  if (wrong === undefined) return undefined;
  return `${setting} contains ${JSON.stringify(wrong.slice(0, maxName))}, which is not a valid group name. Write the names as in "groups" of a page.`;
}
