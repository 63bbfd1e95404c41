import { escapeRegExp } from "../lib/regexp/match-glob.js";
import { applyRule, encodePath, type Pattern } from "../lib/url/index.js";

/** The redirects of a bundle, read from its `_redirects`. */
export interface HostRules {
  /** The exact rule for a decoded path with a slash in front. */
  exact(path: string): Move | undefined;
  /** The wildcard rule for a path. Wildcard rules apply after pages and files. */
  wildcard(path: string): Move | undefined;
}

interface Move {
  /** Encoded: a path of the site with one slash in front, or an http(s) URL. */
  readonly target: string;
  readonly status: number;
}

const maxRedirects = 50_000;
const statuses: readonly number[] = [301, 302, 303, 307, 308];

/** Reads lines of `source target status`; other lines are ignored, as hosts do. */
export function readHostRules(text: string): HostRules {
  const exact = new Map<string, Move>();
  const wildcards: WildcardRule[] = [];
  for (const line of text.split("\n").slice(0, maxRedirects)) {
    const [written, target, code = "301", ...rest] = line.trim().split(/\s+/);
    const status = Number(code);
    if (written === undefined || target === undefined || rest.length > 0 || !statuses.includes(status)) continue;
    const source = decoded(written);
    if (source === undefined || !isTarget(target)) continue;
    const pattern = /\*|\/:[A-Za-z_]/.test(source) ? readPattern(source) : undefined;
    if (pattern !== undefined) wildcards.push({ source, pattern, destination: destinationOf(target), status });
    else if (!source.includes("*") && !exact.has(source)) exact.set(source, { target, status });
  }
  return {
    exact: (path) => exact.get(path),
    wildcard(path) {
      for (const rule of wildcards) {
        const move = applyRule(rule, path);
        if (move === undefined) continue;
        const target = move.kind === "external" ? encodedUrl(move.url) : encodePath(move.path) + move.suffix;
        return isTarget(target) ? { target, status: rule.status } : undefined;
      }
      return undefined;
    },
  };
}

type Destination =
  | { readonly kind: "external"; readonly url: string }
  | { readonly kind: "internal"; readonly path: string; readonly suffix: string };
interface WildcardRule {
  readonly source: string;
  readonly pattern: Pattern;
  readonly destination: Destination;
  readonly status: number;
}

function decoded(path: string): string | undefined {
  try {
    return path.startsWith("/") ? decodeURIComponent(path).normalize("NFC") : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a redirect may lead there: not to `//host`, which is another site, and without characters that end a header. */
const isTarget = (target: string): boolean =>
  /^(?:\/(?![/\\])|https?:\/\/[^/\\])[\x21-\x7e]*$/i.test(target) || target === "/";

function destinationOf(target: string): Destination {
  if (!target.startsWith("/")) return { kind: "external", url: target };
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  return { kind: "internal", path: decoded(path) ?? path, suffix: end < 0 ? "" : target.slice(end) };
}

const encodedUrl = (url: string): string => URL.parse(url)?.href ?? "";

/** `:name` matches one segment, and `*` at the end matches the rest. */
function readPattern(source: string): Pattern | undefined {
  const names: string[] = [];
  const segments = source.slice(1).split("/");
  const regex = segments.map((segment, at) => {
    const name = /^:([A-Za-z_]\w*)$/.exec(segment)?.[1];
    if (name !== undefined) {
      names.push(name);
      return "/([^/]+)";
    }
    const star = segment.indexOf("*");
    if (star < 0) return `/${escapeRegExp(segment)}`;
    if (star < segment.length - 1 || at < segments.length - 1) return undefined;
    names.push("*");
    return segment === "*" ? "(?:/(.*))?" : `/${escapeRegExp(segment.slice(0, -1))}(.*)`;
  });
  return regex.includes(undefined) ? undefined : { regex: new RegExp(`^${regex.join("")}/?$`, "s"), names };
}

/** Returns the headers that `_headers` sets for a path with a leading slash. Their names are in lower case. */
export type HeaderRules = (path: string) => ReadonlyMap<string, string>;

const maxHeaderRules = 1000;

/** Headers that describe the message. Only the server may set them. */
const reserved = new Set(
  (
    "connection content-encoding content-length content-range date etag keep-alive location " +
    "set-cookie trailer transfer-encoding upgrade vary accept-ranges"
  ).split(" "),
);

/** Reads `_headers`: a path with `*`, and below it indented lines. Values of several rules are joined. */
export function readHeaderRules(text: string): HeaderRules {
  const rules: { readonly pattern: RegExp; readonly headers: [name: string, value: string][] }[] = [];
  for (const line of text.split("\n")) {
    if (/^\/\S*\s*$/.test(line) && rules.length < maxHeaderRules)
      rules.push({ pattern: patternOf(line.trim()), headers: [] });
    const [, name, value] = /^\s+([\w-]+):\s*([\x20-\x7e]*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value && !reserved.has(name.toLowerCase()))
      rules.at(-1)?.headers.push([name.toLowerCase(), value]);
  }
  return (path) => {
    const values = new Map<string, string>();
    for (const { pattern, headers } of rules) {
      if (!pattern.test(path)) continue;
      for (const [name, value] of headers) {
        const before = values.get(name);
        values.set(name, before === undefined || name === "content-type" ? value : `${before}, ${value}`);
      }
    }
    return values;
  };
}

/** More stars could make a failing match slow. */
const maxStars = 3;

function patternOf(path: string): RegExp {
  const parts = path.split("*").map(escapeRegExp);
  return parts.length > maxStars + 1 ? /^$/ : new RegExp(`^${parts.join(".*")}$`, "s");
}
