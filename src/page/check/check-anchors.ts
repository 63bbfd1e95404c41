import { type Diagnostic, type Location, nearestName, warningOf } from "../../lib/diagnostic/index.js";
import { createIdFinder, type FindId } from "../../lib/url/index.js";
import { type AnchorRepairs, anchorKey } from "./repair-links.js";

/** A rendered page, as the check needs it. */
export interface CheckedPage {
  readonly outputPath: string;
  /** Its own ids, joined by line feeds. */
  readonly ids: string;
  readonly anchorsWanted: readonly AnchorWanted[];
  /** Faults found in the page itself. */
  readonly diagnostics?: readonly Diagnostic[];
}

interface AnchorCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** By the output path of the page whose links are to be changed. */
  readonly repairs: ReadonlyMap<string, AnchorRepairs>;
}

/**
 * Checks the links to anchors in other pages, once every page is rendered. To save memory, it makes a set of only one
 * page's ids at a time.
 *
 * @param everywhere ids that every page has
 * @param settings location of links in the settings
 */
export function checkAnchors(
  pages: readonly CheckedPage[],
  everywhere: ReadonlySet<string>,
  settings: Location,
): AnchorCheck {
  // If a page could not be read, its anchors are missing for that reason.
  const readable = pages.filter(({ ids, diagnostics = [] }) => ids !== "" || !isBroken(diagnostics));
  const joinedIds = new Map(readable.map((page) => [page.outputPath, page.ids]));
  const allLinks = pages.flatMap(({ outputPath: from, anchorsWanted }) =>
    anchorsWanted.map((wanted) => ({ from, wanted })),
  );
  const diagnostics: Diagnostic[] = [];
  const repairs = new Map<string, Map<string, string>>();
  for (const [outputPath, links] of Map.groupBy(allLinks, ({ wanted }) => wanted.outputPath)) {
    const ids = joinedIds.get(outputPath)?.split("\n");
    if (ids === undefined) continue;
    const existing = new Set(ids);
    const missing = links.filter(({ wanted }) => !existing.has(wanted.fragment) && !everywhere.has(wanted.fragment));
    if (missing.length === 0) continue;
    const findId = createIdFinder(ids);
    for (const { from, wanted } of missing) {
      const { id, diagnostic } = judgeAnchor(wanted, ids, findId, settings);
      diagnostics.push(diagnostic);
      if (id === undefined) continue;
      const repairsOfPage = repairs.get(from) ?? new Map<string, string>();
      repairs.set(from, repairsOfPage.set(anchorKey(outputPath, wanted.fragment), id));
    }
  }
  return { diagnostics, repairs };
}

/** A link to an anchor that may not exist. */
export interface AnchorWanted {
  /** Output path of the page that should have the anchor. */
  readonly outputPath: string;
  /** Decoded. */
  readonly fragment: string;
  readonly location: Location;
  /** Further locations of the same link on the page. */
  readonly places?: readonly Location[];
  /** Whether the link is a redirect. Its address is not changed. */
  readonly isRedirect?: boolean;
}

/** A fault of a link to an anchor. `id` replaces the anchor if the target page only spells it differently. */
interface AnchorFault {
  readonly id?: string;
  readonly diagnostic: Diagnostic;
}

/**
 * Reports a link to an anchor that the target page lacks. A link of the settings, which is on every page, keeps its
 * address, since changing it would rewrite the whole site.
 *
 * @param ids of that page
 * @param settings location of links in the settings
 */
export function judgeAnchor(
  { outputPath, fragment, location, places = [], isRedirect = false }: AnchorWanted,
  ids: readonly string[],
  findId: FindId,
  settings: Location,
): AnchorFault {
  const id = findId(fragment);
  const rewriteTo = (to: string, certain: boolean) =>
    isPlain.test(to) ? { rewrites: [{ written: `#${fragment}`, replacement: `#${to}`, certain, places }] } : {};
  if (id !== undefined && !isRedirect && location.sourcePath !== settings.sourcePath)
    return {
      id,
      diagnostic: {
        ...warningOf("ANCHOR_SPELLING_DIFFERS", location),
        what: `The link points to "#${fragment}" in ${outputPath}, but the anchor is "#${id}"; the exported link uses that.`,
        fix: `write "#${id}".`,
        ...rewriteTo(id, true),
      },
    };
  const compared = ids.slice(0, maxCompared);
  const near = id ?? nearestName(fragment, compared) ?? continued(fragment, compared) ?? spelledOut(fragment, compared);
  return {
    diagnostic: {
      ...warningOf("ANCHOR_NOT_FOUND", location),
      what: `The link points to "#${fragment}" in ${outputPath}, which has no such anchor.`,
      fix: near ? `write "#${near}".` : "link to a heading on that page, or to the page itself.",
      ...(near && !isRedirect && rewriteTo(near, false)),
    },
  };
}

/** The only id that has the words of the fragment and further ones after them, or the other way round. */
function continued(fragment: string, ids: readonly string[]): string | undefined {
  const begins = (longer: string, shorter: string): boolean => shorter.length > 5 && longer.startsWith(`${shorter}-`);
  const [first, second] = ids.filter((each) => begins(each, fragment) || begins(fragment, each));
  return second === undefined ? first : undefined;
}

/** The only id with other numbers, or with umlauts that the fragment spells out. */
function spelledOut(fragment: string, ids: readonly string[]): string | undefined {
  const key = (id: string): string =>
    id
      .toLowerCase()
      .replace(/\d+/g, "")
      .replace(/[äöüß]/g, (letter) => ({ ä: "ae", ö: "oe", ü: "ue" })[letter] ?? "ss");
  const wanted = key(fragment);
  const [first, second] = ids.filter((id) => wanted.length > 5 && key(id) === wanted);
  return second === undefined ? first : undefined;
}

/** An id that an address can hold without escapes. */
const isPlain = /^[^\s\p{Cc}()<>"'`\\{}[\]|%#]+$/u;

/** Limit of anchors compared with a missing one: a page can have thousands, and thousands of such links. */
const maxCompared = 200;

const breaking = /^(?:MDX_SYNTAX|PAGE_FAILED|PAGE_TOO_\w+)$/;

/** Whether the page could not be shown as its author wrote it. */
export const isBroken = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ code, severity }) => severity === "error" && breaking.test(code));
