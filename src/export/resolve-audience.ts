import { InvalidOption } from "./service-address.js";

const maxGroups = 100;
const maxName = 200;

/**
 * The groups of readers that a bundle is for: sorted, each once; undefined for none.
 *
 * @throws {InvalidOption} if a name is empty, longer than 200 characters, has a comma, or is `*`; or for more than 100.
 */
export function resolveAudience(groups: readonly string[] | undefined): readonly string[] | undefined {
  const names = [...new Set(groups?.map((name) => name.trim()))].sort();
  if (names.length > maxGroups) throw new InvalidOption(`audience has more than ${maxGroups} groups`);
  const wrong = names.find((name) => name === "" || name === "*" || name.length > maxName || /[,\p{Cc}]/u.test(name));
  if (wrong !== undefined)
    throw new InvalidOption(
      `audience has the group ${JSON.stringify(wrong.slice(0, maxName))}; it must be the name of a group, as "groups" of a page has it`,
    );
  return names.length === 0 ? undefined : names;
}
