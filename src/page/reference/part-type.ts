/**
 * The media type that a part of a form is sent with.
 *
 * @param allowed in the specification: one type or several separated by commas, such as `image/*`.
 * @param own type of the chosen file, which is kept if it is allowed.
 */
export function partType(allowed: string | undefined, own?: string): string | undefined {
  const types = (allowed ?? "").split(",").flatMap((each) => {
    const type = each.trim();
    return isMediaType.test(type) ? [type] : [];
  });
  if (own && types.some((type) => covers(type.toLowerCase(), own.toLowerCase()))) return own;
  return types.find((type) => !type.includes("*"));
}

/** What precedes the content of a part without a name. */
export const partHead = (boundary: string, type: string | undefined, disposition = ""): string =>
  `--${boundary}\r\n${disposition}${type === undefined ? "" : `Content-Type: ${type}\r\n`}\r\n`;

const isMediaType = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;\s*[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/;

const covers = (type: string, own: string): boolean =>
  type === own || type === "*/*" || (type.endsWith("/*") && own.startsWith(type.slice(0, -1)));
