import { groupsFault, sortedGroups } from "../lib/group-names.js";
import { InvalidOption } from "./service-address.js";

/**
 * The groups of readers that a bundle is for: sorted, each once; undefined for none.
 *
 * @throws {InvalidOption} if a name is empty, longer than 200 characters, has a comma, or is `*`; or for more than 100.
 */
export function resolveAudience(groups: readonly string[] = []): readonly string[] | undefined {
  const fault = groupsFault("audience", groups);
  if (fault !== undefined) throw new InvalidOption(fault);
  return groups.length === 0 ? undefined : sortedGroups(groups);
}
