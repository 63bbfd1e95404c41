/** What a request asks for. */
export interface RequestPath {
  /** Decoded once, NFC, without the slash in front. */
  readonly path: string;
  /** `?query`, as sent, or empty. */
  readonly query: string;
}

/**
 * Reads the target of a request line below `basePath`.
 *
 * Undefined for what cannot be the path of any file: below another base, not decodable, with a slash, backslash or NUL that
 * was hidden in a code, a name that is empty or leads up. What remains is looked up in a list, so that no file outside of
 * it can be meant, whatever is written.
 */
export function readRequestPath(target: string, basePath: string): RequestPath | undefined {
  const end = target.search(/[?#]/);
  const written = end < 0 ? target : target.slice(0, end);
  if (!written.startsWith(`${basePath}/`)) return undefined;
  const encoded = written.slice(basePath.length + 1);
  const query = end >= 0 && target[end] === "?" ? target.slice(end) : "";
  if (/^[\w/.~-]*$/.test(encoded)) return leadsUp(encoded) ? undefined : { path: encoded, query };
  if (/%2f|%5c|%00|\\/i.test(encoded)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(encoded).normalize("NFC");
  } catch {
    return undefined;
  }
  return leadsUp(path) ? undefined : { path, query };
}

const leadsUp = (path: string): boolean => /(?:^|\/)\.{0,2}\/|(?:^|\/)\.{1,2}$/.test(path);

/** The target of a request line without scheme and host, which some clients write. */
export const withoutHost = (target: string): string => target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, "") || "/";
