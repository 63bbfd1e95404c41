/** Links and files that a page asks for: resolved, written down for the check, and reported where they are wrong. */

import { type Diagnostic, type Place, quoted } from "../../lib/diagnostic/index.js";
import { cleanUrl, isImageData } from "../../lib/url/index.js";
import { hrefOf, type MissingTarget, type Target } from "../../site/links/index.js";
import { type PageRun, reportOnce } from "./page-run.js";
import type { ExternalUse } from "./rendered-page.js";

export interface PageLink {
  readonly href: string;
  /** Opens another site. */
  readonly external: boolean;
  /** Leads nowhere in the site. */
  readonly broken: boolean;
}

/** A link as the page shows it; undefined if it must not lead anywhere. */
export function linkTo(run: PageRun, written: string, place: Place): PageLink | undefined {
  const target = resolve(run, written, place);
  if (target.kind === "unsafe") {
    reportUnsafe(run, written, place);
    return undefined;
  }
  if (target.kind === "missing")
    reportOnce(run, `LINK_NOT_FOUND ${written}`, () => missingPage(run, written, target, place));
  const href = hrefOf(target, run.plan.outputPath);
  run.uses.push({ href, written, place });
  return { href, external: target.kind === "external" && target.host, broken: target.kind === "missing" };
}

/** Whether a path names a file as it is: one with an extension, save those that pages are written or exported with. */
const isFilePath = (path: string): boolean => /\.[a-z]\w{0,9}$/i.test(path) && !/\.(?:mdx?|html?)$/i.test(path);

export interface PageFile {
  readonly src: string;
  /** The file of the site, if it is one. */
  readonly sourcePath?: string;
}

/** A picture, film, frame or script that the page loads; undefined if it must not, or cannot, be loaded. */
export function fileFor(run: PageRun, written: string, kind: ExternalUse["kind"], place: Place): PageFile | undefined {
  if (kind === "image" && isImageData(cleanUrl(written))) return { src: cleanUrl(written) };
  const target = resolve(run, written, place);
  if (target.kind === "unsafe") {
    reportUnsafe(run, written, place);
    return undefined;
  }
  if (target.kind === "missing") {
    const code = kind === "image" ? "IMAGE_NOT_FOUND" : "FILE_NOT_FOUND";
    reportOnce(run, `${code} ${written}`, () => missingFile(run, code, written, target, place));
    return undefined;
  }
  const src = hrefOf(target, run.plan.outputPath);
  if (target.kind === "external") run.external.push({ kind, url: src, place });
  else run.uses.push({ href: src, written, place });
  return { src, sourcePath: target.kind === "file" ? target.outputPath : undefined };
}

function resolve(run: PageRun, written: string, place: Place): Target {
  const target = run.tools.addresses.resolve(written, {
    sourcePath: run.plan.sourcePath,
    writtenIn: place.sourcePath,
  });
  if ("rightCase" in target && target.rightCase !== undefined)
    report(run, written, {
      code: "LINK_CASE_DIFFERS",
      severity: "warning",
      what: `${quoted(written)} differs from ${target.rightCase} in upper and lower case; most servers tell them apart.`,
      place,
      fix: `write "${target.rightCase}${tailOf(written)}".`,
    });
  return target;
}

/** A page that repeats a mistake is told once. */
const report = (run: PageRun, written: string, diagnostic: Diagnostic): void =>
  reportOnce(run, `${diagnostic.code} ${written}`, () => diagnostic);

/** Query and fragment as typed. */
const tailOf = (written: string): string => quoted(/[?#].*$/s.exec(written)?.[0] ?? "").slice(1, -1);

function missingPage(run: PageRun, written: string, target: MissingTarget, place: Place): Diagnostic {
  const nearest = run.tools.addresses.nearest(target);
  return {
    code: "LINK_NOT_FOUND",
    severity: "warning",
    what: `The link ${quoted(written)} leads to ${target.path}, which is no page or file of the site.`,
    place,
    fix: nearest
      ? `write "${nearest}${tailOf(written)}".`
      : `correct the path, or add the ${isFilePath(target.path) ? "file" : "page"}.`,
  };
}

function missingFile(run: PageRun, code: string, written: string, target: MissingTarget, place: Place): Diagnostic {
  const nearest = run.tools.addresses.nearest(target);
  return {
    code,
    severity: "warning",
    what: `${quoted(written)} stands for ${target.path}, which the site does not have.`,
    place,
    fix: nearest ? `write "${nearest}".` : "add the file, or correct the path.",
  };
}

export function reportUnsafe(run: PageRun, written: string, place: Place): void {
  report(run, written, {
    code: "UNSAFE_ADDRESS",
    severity: "warning",
    what: `${quoted(written)} could run code or read the reader's own files, so it is left out.`,
    place,
    fix: "link to a page, a file of the site or an https address.",
  });
}
