import { createHash } from "node:crypto";

/**
 * Makes a path of the site safe to write, unpack and serve on every system. Characters that a system refuses become `~` and
 * two hexadecimal digits: `<>:"|?*\` and control characters, a dot or space at the end of a name, one of two dots in a row
 * (some programs do not unpack such files), the first letter of a device name (`con`, `aux`), a `%` that could be decoded
 * twice. A `~` before two digits is encoded, too, so that two paths never become one. A name above 200 bytes of UTF-8 is cut
 * and gets a hash at its end.
 */
export const portablePath = (path: string): string =>
  plain.test(path) && !deviceSomewhere.test(path) ? path : path.split("/").map(portableName).join("/");

/** Encodes the first character of a path, so that it differs from a path that the bundle uses itself. */
export const markedPath = (path: string): string => mark(path[0]!) + path.slice(1);

/** Whether every system can unpack a file with this path. `portablePath` may change such a path nevertheless. */
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
  let start = "";
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    start += character;
  }
  return start;
}
