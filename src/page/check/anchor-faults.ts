import { type Diagnostic, type Location, nearestName } from "../../lib/diagnostic/index.js";
import type { FindId } from "../../lib/url/index.js";

/** A link to an anchor that may not exist. */
export interface AnchorWanted {
  /** Output path of the page that must have it. */
  readonly outputPath: string;
  /** Decoded. */
  readonly fragment: string;
  readonly location: Location;
  /** Where the page has the same link once more. */
  readonly places?: readonly Location[];
  /** The link is a redirect, whose address is never changed. */
  readonly isFixed?: boolean;
}

/** What is wrong with an anchor, and the id that the link is changed to, if another spelling of it exists. */
interface AnchorFault {
  readonly id?: string;
  readonly diagnostic: Diagnostic;
}

/**
 * Judges a link to an anchor that its page does not have under this name. Links that every page has are never changed:
 * this would rewrite the whole site for one link of the settings.
 *
 * @param ids of that page
 * @param settings location of links in the settings
 */
export function judgeAnchor(
  { outputPath, fragment, location, places = [], isFixed = false }: AnchorWanted,
  ids: readonly string[],
  findId: FindId,
  settings: Location,
): AnchorFault {
  const id = findId(fragment);
  const rewriteTo = (to: string, certain: boolean) =>
    isPlain.test(to) ? { rewrites: [{ written: `#${fragment}`, replacement: `#${to}`, certain, places }] } : {};
  if (id !== undefined && !isFixed && location.sourcePath !== settings.sourcePath)
    return {
      id,
      diagnostic: {
        code: "ANCHOR_SPELLING_DIFFERS",
        severity: "warning",
        what: `The link leads to "#${fragment}" in ${outputPath}, whose anchor is "#${id}"; the exported link leads there.`,
        location,
        fix: `write "#${id}".`,
        ...rewriteTo(id, true),
      },
    };
  const near = id ?? nearestName(fragment, ids.slice(0, mostCompared));
  return {
    diagnostic: {
      code: "ANCHOR_NOT_FOUND",
      severity: "warning",
      what: `The link leads to "#${fragment}" in ${outputPath}, which has no such anchor.`,
      location,
      fix: near ? `write "#${near}".` : "link to a heading that the page has, or to the page itself.",
      ...(near && !isFixed && rewriteTo(near, false)),
    },
  };
}

/** An id that an address can hold without escapes. */
const isPlain = /^[^\s\p{Cc}()<>"'`\\{}[\]|%#]+$/u;

/** Anchors that are compared: a page may have thousands, and thousands of links to a missing one. */
const mostCompared = 200;
