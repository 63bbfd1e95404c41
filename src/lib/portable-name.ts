import { createHash } from "node:crypto";

/**
 * Makes a path of the site safe to write, unpack and serve on every system. What some system refuses becomes `~` and two
 * hexadecimal digits: characters (`<>:"|?*\` and control characters), a dot or blank at the end of a name, one of two
 * dots in a row (some programs do not unpack such files), the first letter of a device name (`con`, `aux`), a `%` that
 * could be decoded twice. A `~` before two digits is encoded itself, so two paths never become one. A name above
 * 200 bytes of UTF-8 is cut and gets a hash at its end.
 */
export function portablePath(path: string): string {
  return plain.test(path) && !deviceSomewhere.test(path) ? path : path.split("/").map(portableName).join("/");
}

/** Encodes the first character of a path, so that it differs from a path that the bundle needs itself. */
export const markedPath = (path: string): string => mark(path[0]!) + path.slice(1);

/** True if every system can unpack a file with this path; it may still be one that `portablePath` changes. */
export const isStorable = (path: string): boolean =>
  path.split("/").every((name) => !refused.test(name) && !device.test(name) && Buffer.byteLength(name) <= 255);

const refused = /[\p{Cc}<>:"|?*\\]|[. ]$/u;
const longestNameBytes = 200;
/** A fast test that nearly all paths pass. */
const plain = /^(?!.*(?:\.\.|[. ](?:\/|$)))[\w./ ()[\]&+,;=@!'#$-]{1,200}$/;
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=[. ]|$)/i;
const deviceSomewhere = /(?:^|\/)(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(?:[. /]|$)/i;

function portableName(name: string): string {
  const written = name
    .replace(/[\p{Cc}<>:"|?*\\]|%(?=[0-9A-Fa-f]{2})|~(?=[0-9A-F]{2})|\.(?=\.)|[. ]$/gu, mark)
    .replace(device, (found) => markedPath(found));
  if (Buffer.byteLength(written) <= longestNameBytes) return written;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 12);
  return `${cut(written, longestNameBytes - hash.length - 2)}~~${hash}`;
}

const mark = (character: string): string => `~${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** The longest start of `text` that fits, without splitting a character. */
function cut(text: string, bytes: number): string {
  let used = 0;
  let kept = "";
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    kept += character;
  }
  return kept;
}
