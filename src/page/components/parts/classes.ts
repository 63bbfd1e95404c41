/** Joins class names; empty and absent ones are left out, and nothing at all gives undefined. */
export function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  const joined = names.filter((name) => name).join(" ");
  return joined === "" ? undefined : joined;
}
