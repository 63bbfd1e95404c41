import { type Diagnostic, warningOf } from "../../lib/diagnostic/index.js";
import { escapeRegExp } from "../../lib/regexp/match-glob.js";
import { decodePercent, type Pattern, parseHttpUrl } from "../../lib/url/index.js";
import type { Redirect } from "../config/index.js";
import type { LeftOutPage } from "../site.js";
import { newAddress, type Suggestion } from "./similar-paths.js";
import type { SiteTarget } from "./target.js";

export type Destination =
  | { readonly kind: "external"; readonly url: string }
  | {
      readonly kind: "internal";
      /** Decoded, from the root. */
      readonly path: string;
      /** `?query#fragment`, as written. */
      readonly suffix: string;
      /** The end of the chain of redirects; absent if the site has no such page or file. */
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

export type RedirectFault = "bad source" | "bad destination" | "too many stars";

/** Reads a rule: an exact path, `:name` for one name, `:name*` and `*` for any number of names, and `*` within a name. */
export function readRedirect(redirect: Redirect): RedirectRule | RedirectFault {
  const source = readSource(redirect.source);
  if (source === undefined) return "bad source";
  const destination = readDestination(redirect.destination);
  if (destination === undefined) return "bad destination";
  if (!/[*]|\/:[A-Za-z_]/.test(source)) return { source, destination, redirect };
  const pattern = readPattern(source);
  return pattern === undefined ? "too many stars" : { source, destination, redirect, pattern };
}

/** The source path, decoded, with one leading slash, none at the end; undefined if it could leave the site. */
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

export function refused({ source, destination, location }: Redirect, fault: RedirectFault): Diagnostic {
  if (fault === "bad destination") {
    const what = `The redirect from ${quote(source)} goes to ${quote(destination)}, which is neither a path of the site nor an http(s) URL, so it is left out.`;
    const fix = `write a path such as "/new/page", or a URL that starts with https://.`;
    return { code: "REDIRECT_DESTINATION_UNSAFE", severity: "error", what, location, fix };
  }
  const [what, fix] =
    fault === "bad source"
      ? [
          `The redirect source ${quote(source)} is not a path inside the site, so the redirect is left out.`,
          `write a path such as "/old/page", without a query, fragment, ".." or control characters.`,
        ]
      : [
          `The redirect source ${quote(source)} has more than two "*", which no host supports, so it is left out.`,
          "write it as several redirects.",
        ];
  return { code: "REDIRECT_SOURCE_INVALID", severity: "warning", what, location, fix };
}

export function duplicate({ redirect: { source, location } }: RedirectRule, first: RedirectRule): Diagnostic {
  const { location: at } = first.redirect;
  const where = at?.line === undefined ? "" : ` on line ${at.line}`;
  const what = `There is more than one redirect from "${source}"; the first one${where} wins.`;
  return { code: "REDIRECT_DUPLICATE", severity: "warning", what, location, fix: "remove this one." };
}

export function shadowed({ redirect: { source, location } }: RedirectRule, sourcePath: string): Diagnostic {
  const what = `The redirect from "${source}" is left out: the page ${sourcePath} has that URL, and pages take precedence.`;
  const fix = `remove the redirect, or remove ${sourcePath}.`;
  return { code: "REDIRECT_SOURCE_IS_PAGE", severity: "warning", what, location, fix };
}

/** Reports a redirect whose source is a page for other readers. */
export function restrictedSource({ redirect: { source, location } }: RedirectRule, leftOut: LeftOutPage): Diagnostic {
  const what = `The redirect from "${source}" is left out: its source is the URL of ${leftOut.sourcePath}, ${whyLeftOut(leftOut)}.`;
  return { code: "REDIRECT_SOURCE_IS_PAGE", severity: "warning", what, location, fix: publish(leftOut, "redirect") };
}

export function circle(
  { source, redirect: { source: written, location } }: RedirectRule,
  passed: readonly string[],
): Diagnostic {
  const chain = [source, ...passed];
  const round = chain.findIndex((path, i) => chain.indexOf(path) < i) + 1;
  const shown = round === 0 || round > 7 ? [...chain.slice(0, 6), "…"] : chain.slice(0, round);
  const what = `The redirect from "${written}" is part of a loop: ${shown.join(" -> ")}.`;
  const fix = "redirect one of them to a page that exists.";
  return { code: "REDIRECT_LOOP", severity: "error", what, location, fix };
}

/** Suggestions for a path without a page or file. */
export interface Instead {
  /** The page that would be there if it were not left out. */
  readonly leftOut?: LeftOutPage | undefined;
  /** A similar path. */
  readonly nearest?: Suggestion | undefined;
}

export function missing(
  { source, redirect: { location, destination } }: RedirectRule,
  path: string,
  { leftOut, nearest }: Instead = {},
): Diagnostic {
  const why = leftOut ? whyLeftOut(leftOut) : "but the site has no such page or file";
  const also = leftOut?.why === "groups" ? ", as is the redirect" : "";
  const what = `The redirect from "${source}" goes to "${path}", ${why}${also}.`;
  const fix = leftOut
    ? publish(leftOut, "redirect")
    : nearest === undefined
      ? "redirect it to a page that exists, or remove it."
      : `write "${nearest.path}".`;
  const rewrites =
    leftOut === undefined && nearest !== undefined ? newAddress(destination, nearest.path, nearest.certain) : undefined;
  return {
    ...{ code: "REDIRECT_TARGET_MISSING", severity: "warning", what, location, fix },
    ...(rewrites && { rewrites }),
    ...causeOf(leftOut),
  };
}

/** Reports a redirect that spells the path of its target differently. */
export function differs(
  { source, redirect: { location, destination } }: RedirectRule,
  { rightCase, otherPrefix }: SiteTarget,
): Diagnostic | undefined {
  const path = otherPrefix?.path ?? rightCase;
  if (path === undefined) return undefined;
  const cause = otherPrefix?.cause ?? "upper and lower case differ";
  return {
    ...warningOf("REDIRECT_TARGET_DIFFERS", location),
    what: `The redirect from "${source}" to "${destination}" goes to ${path} instead: ${cause}.`,
    fix: `write "${path}".`,
    rewrites: newAddress(destination, path),
    cause,
  };
}

/** The clause about a page that is left out, in a sentence about a link to it. */
export const whyLeftOut = ({ why, sourcePath }: LeftOutPage): string =>
  ({
    draft: "which is a draft, so it is left out",
    groups: "a page for other groups of readers, which is left out",
    paths: "which is not among the pages that this export was asked for",
    unread: `which may be a page of ${sourcePath}, but that specification could not be read`,
  })[why];

/** The cause that all links share that lead to pages of one unread specification, or to pages that are not selected; see `Diagnostic`. */
export const causeOf = (leftOut: LeftOutPage | undefined): { readonly cause?: string } =>
  leftOut?.why === "unread" ? { cause: leftOut.sourcePath } : leftOut?.why === "paths" ? { cause: "--paths" } : {};

/** The advice for a link to a page that is left out. */
export const publish = ({ sourcePath, why }: LeftOutPage, link = "link"): string =>
  ({
    draft: `remove "draft: true" from ${sourcePath} to publish it, or remove the ${link}.`,
    paths: "name the page in --paths, too; an export of the whole site has it.",
    groups: `remove the ${link}, or export for the groups of ${sourcePath} with --audience.`,
    unread: `repair ${sourcePath} as its own message says, or correct the ${link}.`,
  })[why];

const quote = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
