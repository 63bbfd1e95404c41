/**
 * The media type that a part of a form is sent with.
 *
 * @param allowed what the specification says of the part: one type, or several with commas between, `image/*` among
 *   them.
 * @param own the type that a chosen file has: it is kept where it is allowed.
 */
export function partType(allowed: string | undefined, own?: string): string | undefined {
  const types = (allowed ?? "").split(",").flatMap((each) => {
    const type = each.trim();
    return isMediaType.test(type) ? [type] : [];
  });
  if (own && types.some((type) => covers(type.toLowerCase(), own.toLowerCase()))) return own;
  return types.find((type) => !type.includes("*"));
}

const isMediaType = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;\s*[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/;

const covers = (type: string, own: string): boolean =>
  type === own || type === "*/*" || (type.endsWith("/*") && own.startsWith(type.slice(0, -1)));
