import { linkTarget } from "../../lib/markdown.js";
import { rememberedFor } from "../../lib/memo.js";
import { encodePath, parseHttpUrl } from "../../lib/url/index.js";
import { relativeHref } from "../../site/links/index.js";
import type { PagePlan, SidebarEntry, Site } from "../../site/site.js";
import { markdownPath } from "./address.js";
import { linkLabel, markdownLine, withoutBrackets } from "./markdown/markdown.js";
import { instructionsBlock } from "./markdown-version.js";
import { isPublished } from "./published.js";

/** Longest llms.txt, in UTF-16 code units. */
export const maxLlmsCharacters = 100_000;
/** Longest description of a page in it. If the file is too long, the next one is tried. */
const descriptionLengths = [300, 120, 60, 0];

export interface LlmsOptions {
  readonly baseUrl?: string;
  /** Path of the file: without a base URL its links are relative. */
  readonly outputPath: string;
}

/**
 * The index that agents read first: pages of the default language and version in navigation order, specifications,
 * external links. If it exceeds the limit, descriptions are shortened, then pages are left out from the end, and the file
 * says how many.
 */
export function llmsText(site: Site, { baseUrl, outputPath }: LlmsOptions): string {
  const linkTo = (path: string) =>
    withoutBrackets(baseUrl === undefined ? relativeHref(outputPath, path) : `${baseUrl}/${encodePath(path)}`);
  const head = headOf(site);
  const pages = publishedPages(site).map((page) => {
    const { label, description } = listEntry(page);
    return { link: `- [${label}](${linkTarget(linkTo(markdownPath(page)))})`, description };
  });
  const specs = (heading: string, format: keyof Site["specRefs"]) => {
    if (!site.config.api.downloads) return "";
    const sources = [...site.specRefs[format], ...specsOfPages(site).filter((spec) => spec.format === format)];
    return section(heading, [...new Set(sources.flatMap(({ source }) => specLine(source, site, linkTo)))]);
  };
  const tail = [
    specs("OpenAPI Specs", "openapi"),
    specs("AsyncAPI Specs", "asyncapi"),
    specs("Arazzo Documents", "arazzo"),
    section("Optional", outsideLinks(site)),
  ].join("");

  const room = maxLlmsCharacters - head.length - tail.length - "## Docs\n\n\n".length;
  for (const maxLength of descriptionLengths) {
    const lines = pages.map(({ link, description }) => {
      const shown = cut(description, maxLength);
      return shown === "" ? link : `${link}: ${shown}`;
    });
    if (lengthOf(lines) <= room) return head + section("Docs", lines) + tail;
  }
  const note = (count: number) =>
    `- ${count} more pages are left out here to keep this file short: see [llms-full.txt](${linkTo("llms-full.txt")})`;
  const lines: string[] = [];
  let remaining = room - note(pages.length).length - 1;
  for (const { link } of pages) {
    if (link.length + 1 > remaining) break;
    remaining -= link.length + 1;
    lines.push(link);
  }
  lines.push(note(pages.length - lines.length));
  return (head + section("Docs", lines) + tail).slice(0, maxLlmsCharacters);
}

/** Name, description and instructions: how both files begin. */
export function headOf(site: Site): string {
  const description = markdownLine(site.config.description ?? "");
  const parts = [
    `# ${markdownLine(site.config.name)}`,
    description === "" ? "" : `> ${description}`,
    instructionsBlock(site),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n\n`;
}

/** Pages that are listed for agents: those of the default language and version, in navigation order. */
export const publishedPages = (site: Site): readonly PagePlan[] =>
  site.pages.filter((page) => page.inDefaultScope && isPublished(page));

const section = (heading: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `## ${heading}\n\n${lines.map((line) => `${line}\n`).join("")}\n`;

const lengthOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** Cached, since several files list the same pages. */
const listEntry = rememberedFor(({ title, description = "" }: PagePlan) => ({
  label: linkLabel(title),
  description: firstParagraph(description),
}));

const firstParagraph = (description: string) => markdownLine(description.trim().split(/\n[ \t]*\n/, 1)[0] ?? "");

/** At most `maxLength` code units, cut between words. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, Math.max(0, maxLength - 1)).toWellFormed();
  const blank = start.lastIndexOf(" ");
  return start === "" ? "" : `${blank > maxLength / 2 ? start.slice(0, blank) : start}…`;
}

/** Specifications that listed pages are generated from, whether or not docs.json names them. */
function specsOfPages(site: Site): Site["specs"] {
  const used = new Set(publishedPages(site).map((page) => page.api?.spec));
  return site.specs.filter(({ key }) => used.has(key));
}

function specLine(source: string, site: Site, linkTo: (path: string) => string): string[] {
  const path = source.replace(/^(?:\.?\/)+/, "");
  const name = linkLabel((path.split("/").at(-1) ?? path).replace(/\.(?:json|ya?ml)$/i, ""));
  if (parseHttpUrl(source) !== undefined) return [`- [${name}](${linkTarget(source)})`];
  return site.staticFiles.includes(path) ? [`- [${name}](${linkTarget(linkTo(path))})`] : [];
}

/** External links of the navigation, each once. */
function outsideLinks(site: Site): string[] {
  const lines = new Map<string, string>();
  const add = (label: string, href: string | undefined) => {
    if (href === undefined || lines.has(href) || parseHttpUrl(href) === undefined) return;
    lines.set(href, `- [${linkLabel(label)}](${linkTarget(href)})`);
  };
  for (const { label, href } of site.config.navbar.links) add(label ?? href, href);
  for (const { label, href } of site.globalLinks) add(label, href);
  for (const { hidden, label, href, globalLinks } of site.sections) {
    if (hidden) continue;
    add(label, href);
    for (const link of globalLinks) add(link.label, link.href);
  }
  for (const { entries } of site.divisions) {
    const stack: SidebarEntry[] = [...entries].reverse();
    while (stack.length > 0) {
      const entry = stack.pop()!;
      if (entry.type === "link") add(entry.label, entry.href);
      else if (entry.type === "group") stack.push(...entry.entries.toReversed());
    }
  }
  return [...lines.values()];
}
