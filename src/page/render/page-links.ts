/** Resolves the links and files of a page, collects them for the check, and reports the wrong ones. */

import {
  type Diagnostic,
  hintOf,
  type Location,
  nearestName,
  quoted,
  unseenCharacters,
  warningOf,
} from "../../lib/diagnostic/index.js";
import { cleanUrl, isImageData } from "../../lib/url/index.js";
import * as links from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import { reportUnusable } from "./handlers/media-faults.js";
import type { PageRender } from "./page-render.js";

interface PageLink {
  readonly href: string;
  /** Leads to another host. */
  readonly external: boolean;
  /** Its target does not exist. */
  readonly broken: boolean;
}

/** A resolved link; undefined if it is unsafe. */
export function linkTo(page: PageRender, written: string, location: Location): PageLink | undefined {
  if (written.trim() === "") reportEmpty(page, "LINK_NOT_FOUND", "link", location);
  const target = resolve(page, written, location);
  if (target.kind === "unsafe") {
    reportUnsafe(page, written, location);
    return undefined;
  }
  if (written.trim() === "#") {
    const what = 'The link "#" leads only to the top of its own page.';
    const fix = "write the path of the page, such as /guides/install, or remove the link.";
    report(page, written, { code: "LINK_NOT_FOUND", severity: "hint", what, location, fix });
  }
  if (target.kind === "external") reportScheme(page, written, location);
  if (target.kind === "missing")
    page.collector.reportAt(location, `LINK_NOT_FOUND ${written}`, () => missingPage(page, written, target, location));
  if ("folder" in target && target.folder !== undefined && target.kind === "page")
    report(page, written, {
      ...warningOf("LINK_TO_FOLDER", location),
      what: `${quoted(written)} is a folder without a page of its own; the link leads to its first page, ${target.page.urlPath}.`,
      fix: `write "${target.page.urlPath}${tailOf(written)}".`,
      rewrites: links.newAddress(written, target.page.urlPath),
    });
  if (target.kind === "page") reportLanguage(page, written, target.page, location);
  const href = links.hrefOf(target, page.context.plan.outputPath);
  page.collector.uses.push({ href, written, location });
  return { href, external: target.kind === "external" && target.host, broken: target.kind === "missing" };
}

/** Reports a link that leaves the page's language although the target exists in it: `/guide` instead of `/de/guide`. */
function reportLanguage(page: PageRender, written: string, { urlPath }: PagePlan, location: Location): void {
  const { language, sourcePath } = page.context.plan;
  if (language === undefined || `${urlPath}/`.startsWith(`/${language}/`)) return;
  const path = `/${language}${urlPath}`.replace(/\/$/, "");
  const translation = page.context.tools.addresses.resolve(path, { sourcePath });
  if (translation.kind !== "page" || translation.page.urlPath !== path) return;
  report(page, written, {
    ...hintOf("LINK_OTHER_LANGUAGE", location),
    what: `${quoted(written)} leaves the language of the page, ${quoted(language)}, which has that page, too.`,
    fix: `write "${path}${tailOf(written)}".`,
    rewrites: links.newAddress(written, path, false),
    cause: language,
  });
}

/** Whether it is the path of a file other than a page. */
const isFilePath = (path: string): boolean => /\.[a-z]\w{0,9}$/i.test(path) && !/\.(?:mdx?|html?)$/i.test(path);

interface PageFile {
  readonly src: string;
  /** The source, for a file of the site. */
  readonly sourcePath?: string;
  /** The size of an embedded image. */
  readonly size?: links.FoundTarget["size"];
}

/** An image, video, frame or script that the page loads; undefined for one that may not or cannot be loaded. */
export function fileFor(
  page: PageRender,
  written: string,
  kind: links.LoadedKind,
  location: Location,
): PageFile | undefined {
  if (written.trim() === "") {
    reportEmpty(page, kind === "image" ? "IMAGE_NOT_FOUND" : "FILE_NOT_FOUND", kind, location);
    return undefined;
  }
  reportUnusable(page, written, kind, location);
  if (kind === "image" && isImageData(cleanUrl(written))) return { src: cleanUrl(written) };
  const target = resolve(page, written, location, kind);
  if (target.kind === "unsafe") {
    reportUnsafe(page, written, location);
    return undefined;
  }
  const path = target.kind === "missing" ? target.path : "folder" in target ? target.folder : undefined;
  if (path !== undefined) {
    const code = kind === "image" ? "IMAGE_NOT_FOUND" : "FILE_NOT_FOUND";
    const candidates = target.kind === "missing" ? target.candidates : [path.slice(1)];
    if (!page.collector.hasReported(`MEDIA_UNUSABLE ${written}`))
      page.collector.reportAt(location, `${code} ${written}`, () =>
        missingFile(page, code, written, { path, candidates }, location),
      );
    return undefined;
  }
  if (target.kind === "file" && target.isShared && (kind === "script" || kind === "style")) return undefined;
  const src = links.hrefOf(target, page.context.plan.outputPath);
  if (target.kind === "external") page.collector.external.push({ kind, url: src, location });
  else page.collector.uses.push({ href: src, written, location });
  return target.kind === "file" ? { src, sourcePath: target.outputPath, size: target.size } : { src };
}

/** The copy of another host's picture, which decorates a link; undefined unless the export copies it. */
export function copyOf(page: PageRender, url: string | undefined, location: Location): string | undefined {
  if (url === undefined) return undefined;
  const target = resolve(page, url, location, "image");
  if (target.kind === "external")
    page.collector.external.push({ kind: "image", url: target.url, location, isOptional: true });
  return target.kind === "file" ? links.hrefOf(target, page.context.plan.outputPath) : undefined;
}

/** @param loaded the kind of file that the page loads; absent for a link. */
function resolve(page: PageRender, written: string, location: Location, loaded?: links.LoadedKind): links.Target {
  const { addresses } = page.context.tools;
  const from = { sourcePath: page.context.plan.sourcePath, writtenIn: location.sourcePath };
  const target = loaded ? addresses.resolveFile(written, from, loaded) : addresses.resolve(written, from);
  if ("rightCase" in target && target.rightCase !== undefined)
    report(page, written, {
      ...warningOf("LINK_CASE_DIFFERS", location),
      what: `${quoted(written)} and ${target.rightCase} differ in upper and lower case, which most servers treat as different paths.`,
      fix: `write "${target.rightCase}${tailOf(written)}".`,
      rewrites: links.newAddress(written, target.rightCase),
      cause: `${location.sourcePath} ${written}`,
    });
  if ("otherPrefix" in target && target.otherPrefix !== undefined) {
    const { path, cause } = target.otherPrefix;
    report(page, written, {
      ...warningOf("LINK_PREFIX_DIFFERS", location),
      what: `${quoted(written)} is linked to ${path}: ${cause}.`,
      fix: `write "${path}${tailOf(written)}".`,
      // A name alone may be that of another page.
      rewrites: links.newAddress(written, path, /\w\//.test(written)),
      cause,
    });
  }
  return target;
}

/** Reports a mistake once, even if the page repeats it. */
const report = (page: PageRender, written: string, diagnostic: Diagnostic): void =>
  page.collector.reportAt(diagnostic.location!, `${diagnostic.code} ${written}`, () => diagnostic);

/** Query and fragment as typed. */
const tailOf = (written: string): string => quoted(/[?#].*$/s.exec(written)?.[0] ?? "").slice(1, -1);

const ofThisComputer = "its host is the reader's own computer, and the site has this page";
/** Addresses that browsers read as another scheme or as a path, with the reason and the replacement. */
const schemeFaults: readonly (readonly [form: RegExp, why: string, right: string])[] = [
  [/^https?:\/\/(https?:\/\/.*)$/is, "it has two schemes", "$1"],
  [/^mailto:\/\/(.*)$/is, "no slashes follow mailto:", "mailto:$1"],
  [
    /^(?:mail|e-?mail|mail-to|malito|mialto|mailo):\/*([^@\s]+@.*)$/is,
    'the scheme of email addresses is "mailto:"',
    "mailto:$1",
  ],
  [
    /^mailto:([^@?,\s]+@[\w.-]+),\s*(com|org|net|io|dev|ai|co|de|uk)$/is,
    "it has a comma in place of a dot",
    "mailto:$1.$2",
  ],
  [/^mailto:([^@?,\s]+@[\w-]+)(\?.*)?$/is, "its domain has no dot", "mailto:$1.com$2"],
  [/^mailto:(?!\?)[^@?]*(?:\?.*)?$/is, "it has no @", "mailto:docs@example.com"],
  [/^(https?):\/?(?=[\w-]+\.)(.*)$/is, "two slashes must follow the colon", "$1://$2"],
  [/^(https?):\/{3,}(?=[\w-]+\.)(.*)$/is, "two slashes must follow the colon", "$1://$2"],
  [/^https?:\/\/\/*$/i, "it has no host", "https://example.com"],
  [/^\/\/((?:localhost|[^./?#:]+)(?:[/?#].*)?)$/s, "two slashes at its start name a host", "/$1"],
  [/^pathname:\/\/(\/.*)$/is, "only Docusaurus knows its scheme", "$1"],
  [/^(?:doc|page|ref|changelog):([\w/-]+(?:#.*)?)$/is, "only ReadMe knows its scheme", "/$1"],
  [/^https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?(\/[^?#].*)$/is, ofThisComputer, "$1"],
  [/^sandbox:.*\/([^/]+)$/is, "it is a file of a chat assistant", "/files/$1"],
];

/** Reports `htps://example.com`, `https:/example.com` and the like. */
function reportScheme(page: PageRender, written: string, location: Location): void {
  const typed = written.trim();
  const [, scheme = "", rest] = /^((?:ht|th|tt)[a-z]{0,4}):\/\/(?=[\w-]+\.)(.*)$/is.exec(typed) ?? [];
  const isMisspelt = !/^https?$/i.test(scheme) && nearestName(scheme.toLowerCase(), ["http", "https"]) !== undefined;
  const fault = schemeFaults.find(([form]) => form.test(typed));
  if (!fault && (rest === undefined || !isMisspelt)) return;
  const replaced = fault ? typed.replace(fault[0], fault[2]) : `https://${rest}`;
  const { addresses } = page.context.tools;
  const target = addresses.resolve(replaced, { sourcePath: page.context.plan.sourcePath });
  if (fault?.[1] === ofThisComputer && target.kind !== "page") return;
  const nearest = target.kind === "missing" ? addresses.nearest(target)?.path : replaced;
  const certain = nearest === replaced && !/\.com/.test(fault?.[2] ?? "");
  report(page, written, {
    ...warningOf("LINK_NOT_FOUND", location),
    what: `${quoted(written)} is not a valid URL: ${fault ? fault[1] : `"${scheme}" is not "https"`}.`,
    fix: nearest === undefined ? "write the path of the page or file." : `write ${quoted(nearest)}.`,
    ...(nearest !== undefined && { rewrites: [{ written, replacement: nearest, certain, places: [] }] }),
  });
}

export const reportEmpty = (page: PageRender, code: string, kind: string, location: Location): void =>
  page.collector.reportAt(location, `${code} ${location.line}:${location.column}`, () => ({
    ...warningOf(code),
    what: `The ${kind} has no URL.`,
    location: { ...location, length: location.length ?? 2 },
    fix: `add the URL, or remove the ${kind}.`,
  }));

/** An email address without `mailto:`, and a host without `https://` or with a part of it. */
const mailAlone = /^[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+$/;
const hostAlone =
  /^(?:https?\/\/)?((?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app)(?:[/?#].*)?|www\.[\w-]+\.[\w.-]+(?:[/?#].*)?)$/s;

function missingPage(page: PageRender, written: string, target: links.MissingTarget, location: Location): Diagnostic {
  if (target.leftOut) {
    const what = `The link ${quoted(written)} points to ${target.path}, ${links.whyLeftOut(target.leftOut)}.`;
    const fix = links.publish(target.leftOut);
    return { code: "LINK_NOT_FOUND", severity: "warning", what, location, fix, ...links.causeOf(target.leftOut) };
  }
  const { addresses } = page.context.tools;
  const seen = written.replace(unseenCharacters, "");
  const from = { sourcePath: page.context.plan.sourcePath, writtenIn: location.sourcePath };
  if (seen !== written && addresses.resolve(seen, from).kind !== "missing")
    return {
      ...warningOf("LINK_NOT_FOUND", location),
      what: `The link ${quoted(written)} has an invisible character, so it leads to no page.`,
      fix: `write ${quoted(seen)} without it.`,
      rewrites: [{ written, replacement: seen, certain: true, places: [] }],
    };
  const isTemplate = /\{\{[<%]/.test(written);
  const nearest = isTemplate ? undefined : addresses.nearest(target);
  const [, , inQuotes] = /^(["'])([^"']+)\1$/.exec(written) ?? [];
  const outside = mailAlone.test(written)
    ? `mailto:${written}`
    : hostAlone.test(written)
      ? `https://${hostAlone.exec(written)![1]}`
      : undefined;
  return {
    ...warningOf("LINK_NOT_FOUND", location),
    what: `The link ${quoted(written)} points to ${target.path}, which is not a page or file of the site.`,
    about: [target.path],
    fix: inQuotes
      ? `write (${inQuotes}) without quotes.`
      : outside
        ? `write ${quoted(outside)} for ${outside.startsWith("mailto:") ? "an email address" : "another site"}.`
        : nearest
          ? `write "${nearest.path}${tailOf(written)}".`
          : isTemplate
            ? "write the address that this template tag of another tool stands for."
            : `correct the path, or add ${isFilePath(target.path) ? "the file" : `the page ${target.path.slice(1).replace(/\.(?:mdx?|html?)$/i, "")}.mdx`}.`,
    ...(outside
      ? { rewrites: [{ written, replacement: outside, certain: true, places: [] }] }
      : nearest && { rewrites: links.newAddress(written, nearest.path, nearest.certain) }),
  };
}

function missingFile(
  page: PageRender,
  code: string,
  written: string,
  target: Pick<links.MissingTarget, "path" | "candidates">,
  location: Location,
): Diagnostic {
  const inMarkdown = /^!?\[[^[\]]*\]\(([^()\s]+)\)$/.exec(written)?.[1];
  // Of an image, the extension may be what is missing.
  const isBare = code === "IMAGE_NOT_FOUND" && !isFilePath(target.path);
  const candidates = target.candidates.flatMap((path) => (isBare ? [`${path}.png`, path] : path));
  const nearest = inMarkdown
    ? { path: inMarkdown, certain: true }
    : page.context.tools.addresses.nearest({ candidates });
  return {
    ...warningOf(code),
    what: `${quoted(written)} refers to ${target.path}, which does not exist in the site.`,
    location,
    fix:
      hostAlone.test(written) && written.includes("/")
        ? `write "https://${hostAlone.exec(written)![1]}" for another site.`
        : nearest
          ? `write "${nearest.path}".`
          : links.addFile(target.path, "correct the path"),
    ...(nearest && { rewrites: links.newAddress(written, nearest.path, nearest.certain) }),
    // A file is added once, whatever the number of pages that need it.
    cause: target.path,
  };
}

export function reportUnsafe(page: PageRender, written: string, location: Location): void {
  const what = `${quoted(written)} could run code or read the reader's own files, so it is left out.`;
  const fix = "link to a page, a file of the site or an https:// URL.";
  report(page, written, { code: "UNSAFE_ADDRESS", severity: "warning", what, location, fix });
}
