import { applyRule, encodePath, type Pattern } from "../lib/url/index.js";

/** The redirects of a bundle, read from its `_redirects`. */
export interface HostRules {
  /** The exact rule for a decoded path with a slash in front. */
  exact(path: string): Move | undefined;
  /** The wildcard rule for it; these rules apply after pages and files. */
  wildcard(path: string): Move | undefined;
}

export interface Move {
  /** Encoded: a path of the site with one slash in front, or an http(s) URL. */
  readonly target: string;
  readonly status: number;
}

const mostRules = 50_000;
const statuses: readonly number[] = [301, 302, 303, 307, 308];

/** Reads lines of `source target status`; other lines are ignored, as hosts do. */
export function readHostRules(text: string): HostRules {
  const exact = new Map<string, Move>();
  const wildcards: WildcardRule[] = [];
  for (const line of text.split("\n").slice(0, mostRules)) {
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
        const found = applyRule(rule, path);
        if (found === undefined) continue;
        const target = found.kind === "external" ? encodedUrl(found.url) : encodePath(found.path) + found.suffix;
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

/** Not `//host`, which leads to another site, and no character that ends a header. */
const isTarget = (target: string): boolean =>
  /^(?:\/(?![/\\])|https?:\/\/[^/\\])[\x21-\x7e]*$/i.test(target) || target === "/";

function destinationOf(target: string): Destination {
  if (!target.startsWith("/")) return { kind: "external", url: target };
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  return { kind: "internal", path: decoded(path) ?? path, suffix: end < 0 ? "" : target.slice(end) };
}

const encodedUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : "");

/** `:name` matches one segment, `*` at the end the rest. */
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

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
