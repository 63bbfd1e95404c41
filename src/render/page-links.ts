/** Links and files that a page asks for: resolved, written down for the check, and reported where they are wrong. */
import type { Diagnostic, Place } from "../diagnostic/diagnostic.js";
import { type PageRun, reportOnce } from "./page-run.js";
import type { ExternalUse } from "./rendered-page.js";
import type { ResolvedLink } from "./resolve-link.js";
import { cleanUrl, isImageData } from "./url-safety.js";

export interface PageLink {
  readonly href: string;
  /** Opens another site. */
  readonly external: boolean;
  /** Leads nowhere in the site. */
  readonly broken: boolean;
}

/** A link as the page shows it; undefined if it must not lead anywhere. */
export function linkTo(run: PageRun, written: string, place: Place): PageLink | undefined {
  const found = resolve(run, written, place);
  if (found.kind === "unsafe") {
    reportUnsafe(run, written, place);
    return undefined;
  }
  if (found.kind === "missing")
    report(run, written, {
      code: "LINK_NOT_FOUND",
      severity: "warning",
      what: `The link ${quoted(written)} leads to ${found.path}, which is no page or file of the site.`,
      place,
      fix: found.nearest
        ? `write "${found.nearest}${tailOf(written)}".`
        : `correct the path, or add the ${isFilePath(found.path) ? "file" : "page"}.`,
    });
  run.uses.push({ href: found.href, written, place });
  return {
    href: found.href,
    external: found.kind === "external" && found.host,
    broken: found.kind === "missing",
  };
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
  const found = resolve(run, written, place);
  if (found.kind === "unsafe") {
    reportUnsafe(run, written, place);
    return undefined;
  }
  if (found.kind === "missing") {
    report(run, written, missingFile(written, kind, found, place));
    return undefined;
  }
  if (found.kind === "external") run.external.push({ kind, url: found.href, place });
  else run.uses.push({ href: found.href, written, place });
  return { src: found.href, sourcePath: found.kind === "file" ? found.outputPath : undefined };
}

function resolve(run: PageRun, written: string, place: Place): ResolvedLink {
  const { sourcePath, outputPath } = run.plan;
  const writtenIn = place.sourcePath === sourcePath ? undefined : place.sourcePath;
  const found = run.tools.links(written, { sourcePath, outputPath, writtenIn });
  if ("rightCase" in found && found.rightCase !== undefined)
    report(run, written, {
      code: "LINK_CASE_DIFFERS",
      severity: "warning",
      what: `${quoted(written)} differs from ${found.rightCase} in upper and lower case; most servers tell them apart.`,
      place,
      fix: `write "${found.rightCase}${tailOf(written)}".`,
    });
  return found;
}

/** A page that repeats a mistake is told once. */
const report = (run: PageRun, written: string, diagnostic: Diagnostic): void =>
  reportOnce(run, `${diagnostic.code} ${written}`, () => diagnostic);

/** Query and fragment as typed. */
const tailOf = (written: string): string => quoted(/[?#].*$/s.exec(written)?.[0] ?? "").slice(1, -1);

function missingFile(
  written: string,
  kind: ExternalUse["kind"],
  found: Extract<ResolvedLink, { kind: "missing" }>,
  place: Place,
): Diagnostic {
  return {
    code: kind === "image" ? "IMAGE_NOT_FOUND" : "FILE_NOT_FOUND",
    severity: "warning",
    what: `${quoted(written)} stands for ${found.path}, which the site does not have.`,
    place,
    fix: found.nearest ? `write "${found.nearest}".` : "add the file, or correct the path.",
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

/** For a message: short, without control characters. */
export function quoted(text: string): string {
  const clean = text.replace(/\p{Cc}+/gu, " ");
  return `"${clean.length > 120 ? `${clean.slice(0, 119)}…` : clean}"`;
}
