import type { Pattern } from "../../lib/url/index.js";
import { decodePercent, parseHttpUrl } from "../../lib/url/index.js";
import type { Redirect } from "../config/index.js";
import type { SiteTarget } from "./target.js";

/** Where a redirect leads. */
export type Destination =
  | { readonly kind: "external"; readonly url: string }
  | {
      readonly kind: "internal";
      /** Decoded, from the root. */
      readonly path: string;
      /** `?query#fragment`, as written. */
      readonly suffix: string;
      /** The end of the chain of redirects; absent if it leads to nothing. */
      readonly target?: SiteTarget;
    };

export interface RedirectRule {
  /** Decoded path from the root: `/guides/old`, `/v1/:slug*`. */
  readonly source: string;
  readonly destination: Destination;
  readonly redirect: Redirect;
  /** Set for a wildcard rule. */
  readonly pattern?: Pattern;
}

/** Why a redirect of docs.json is refused. */
export type RedirectFault = "bad source" | "bad destination" | "too many stars";

/** Reads exact paths, `:name` for one name, `:name*` and `*` for any number of names, and `*` within a name. */
export function readRedirect(redirect: Redirect): RedirectRule | RedirectFault {
  const source = readSource(redirect.source);
  if (source === undefined) return "bad source";
  const destination = readDestination(redirect.destination);
  if (destination === undefined) return "bad destination";
  if (!/[*]|\/:[A-Za-z_]/.test(source)) return { source, destination, redirect };
  const pattern = readPattern(source);
  return pattern === undefined ? "too many stars" : { source, destination, redirect, pattern };
}

/** Decoded, with one leading slash, none at the end; undefined if it could leave the site. */
function readSource(text: string): string | undefined {
  if (/[?#]/.test(text)) return undefined;
  return cleanPath(text.trim());
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const unsafeCharacters = /[\0-\x1f\x7f\\]/;

function cleanPath(text: string): string | undefined {
  const segments: string[] = [];
  for (const written of text.split("/")) {
    const segment = decodePercent(written);
    if (segment === "") continue;
    if (segment === "." || segment === ".." || segment.includes("/") || unsafeCharacters.test(segment))
      return undefined;
    segments.push(segment);
  }
  return `/${segments.join("/")}`.normalize("NFC");
}

function readDestination(text: string): Destination | undefined {
  const trimmed = text.trim();
  if (unsafeCharacters.test(trimmed)) return undefined;
  const address = trimmed.startsWith("//") ? `https:${trimmed}` : trimmed;
  if (/^[A-Za-z][\w+.-]*:/.test(address)) {
    const url = parseHttpUrl(address);
    return url === undefined ? undefined : { kind: "external", url: url.href };
  }
  const end = address.search(/[?#]/);
  const path = cleanPath(end < 0 ? address : address.slice(0, end));
  return path === undefined ? undefined : { kind: "internal", path, suffix: end < 0 ? "" : address.slice(end) };
}

function readPattern(source: string): Pattern | undefined {
  const names: string[] = [];
  let stars = 0;
  let regex = "^";
  for (const segment of source.slice(1).split("/")) {
    const named = /^:([A-Za-z_]\w*)([*+]?)$/.exec(segment);
    if (segment === "*" || named?.[2]) {
      names.push(named?.[1] ?? "*");
      stars++;
      regex += named?.[2] === "+" ? "/(.+)" : "(?:/(.*))?";
    } else if (named) {
      names.push(named[1]!);
      regex += "/([^/]+)";
    } else {
      const parts = segment.split("*");
      for (let i = 1; i < parts.length; i++) names.push("*");
      stars += parts.length - 1;
      regex += `/${parts.map(escapeRegExp).join("(.*)")}`;
    }
  }
  // Each further "(.*)" multiplies the time of a failing match by the length of the path.
  return stars > 2 ? undefined : { regex: new RegExp(`${regex}/?$`), names };
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
