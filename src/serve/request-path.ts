/** The path and query of a request. */
export interface RequestPath {
  /** Decoded once, NFC, without the slash in front. */
  readonly path: string;
  /** `?query`, as sent, or empty. */
  readonly query: string;
}

/**
 * Reads the target of a request line below `basePath`.
 *
 * Undefined if it cannot be the path of a file: outside of the base, not decodable, with an encoded slash, backslash or
 * NUL, with an empty name or one that leads up. The caller looks the path up in a list of files, so it cannot reach any
 * other file.
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

/** Removes the scheme and host that some clients send in the request line. */
export const withoutHost = (target: string): string => target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, "") || "/";
