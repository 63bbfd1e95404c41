import { shortHash } from "../../lib/short-hash.js";
import { encodePath } from "../../lib/url/index.js";
import { relativeHref, upToRoot } from "../../site/links/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import type { FilePart } from "../archive/index.js";
import { markdownPath, pageUrl } from "./address.js";
import { headOf, type LlmsOptions, publishedPages } from "./llms.js";
import { instructionsBlock } from "./markdown-version.js";

/** The part of a page's Markdown version that every `llms-full.txt` contains, whatever its path. */
export interface MarkdownChunk {
  /** With its `#`. */
  readonly title: string;
  /** Split before the target of each relative link, where the path to the bundle's root is inserted. */
  readonly body: readonly string[];
}

export interface LlmsFullOptions extends LlmsOptions {
  readonly chunkOf: (page: PagePlan) => Promise<MarkdownChunk | undefined>;
  readonly more?: FullTextOptions | undefined;
}

/** What is known once all pages are rendered. */
export interface FullTextOptions {
  readonly pieces?: TextPieces | undefined;
  /** Pages of models, which are in no plan of the site. */
  readonly models?: readonly PagePlan[];
}

/** Pieces of the file that the previous bundle has at the same path. */
export interface TextPieces {
  /** SHA-256 of a written Markdown version. */
  hashOf(outputPath: string): string | undefined;
  /** Equal keys mean equal pieces. */
  find(key: string): FilePart | undefined;
  /** To be called for each piece in its order. */
  keep(key: string, bytes: number): void;
}

/** A larger `llms-full.txt` has no copy in another folder. */
export const maxCopiedBytes = 2_000_000;

/** All pages in one text, a chunk per page. Relative links are rewritten for the path of this file. */
export async function* llmsFullText(site: Site, options: LlmsFullOptions): AsyncGenerator<string | FilePart> {
  const { pieces, models = [] } = options.more ?? {};
  const root = rootFrom(options);
  const common = pieces && shortHash(JSON.stringify([root, instructionsBlock(site)]));
  const head = headOf(site);
  yield head;
  pieces?.keep("", Buffer.byteLength(head));
  for (const page of withModels(publishedPages(site), models)) {
    const source = sourceOf(page, site, options);
    const path = markdownPath(page);
    const sha256 = pieces?.hashOf(path);
    const key = sha256 && [common, sha256, path, source].join(" ");
    const part = key ? pieces?.find(key) : undefined;
    const chunk = part ? undefined : await options.chunkOf(page);
    if (!part && !chunk) continue;
    const text = part ?? `${chunk!.title}\n\nSource: ${source}\n${chunk!.body.join(root)}\n`;
    yield text;
    pieces?.keep(key ?? "", typeof text === "string" ? Buffer.byteLength(text) : text.bytes);
  }
}

function withModels(pages: readonly PagePlan[], models: readonly PagePlan[]): readonly PagePlan[] {
  if (models.length === 0) return pages;
  const last = new Map(pages.map((page) => [page.api?.spec, page]));
  const modelsOf = Map.groupBy(models, ({ api }) => last.get(api?.spec));
  return pages.flatMap((page) => [page, ...(modelsOf.get(page) ?? [])]);
}

/** Instead of a second copy of a large `llms-full.txt`. */
export const fullTextElsewhere = (site: Site, path: string, { baseUrl, outputPath }: LlmsOptions): string =>
  `${headOf(site)}All pages are in [${path}](${baseUrl === undefined ? relativeHref(outputPath, path) : `${baseUrl}/${path}`}).\n`;

/**
 * Reads Markdown versions for files that are written in parallel. The last one is cached, so that each is read and split once.
 *
 * @param readMarkdown reads a written Markdown version by its output path; undefined if there is none.
 */
export function createMarkdownChunks(
  site: Site,
  readMarkdown: (outputPath: string) => string | undefined | Promise<string | undefined>,
): LlmsFullOptions["chunkOf"] {
  const instructions = instructionsBlock(site);
  const read = async (path: string, isOfApi: boolean): Promise<MarkdownChunk | undefined> => {
    const markdown = await readMarkdown(path);
    if (markdown === undefined) return undefined;
    // The instructions are already at the top of the whole file.
    const whole = instructions === "" ? markdown : markdown.replace(`${instructions}\n\n`, () => "");
    const text = isOfApi ? withoutExcerpt(whole) : whole;
    const end = text.indexOf("\n");
    return { title: text.slice(0, end), body: cutAtLinks(text.slice(end + 1), path) };
  };
  let last: { readonly path: string; readonly chunk: Promise<MarkdownChunk | undefined> } | undefined;
  return (page) => {
    const path = markdownPath(page);
    if (last?.path !== path) last = { path, chunk: read(path, page.api !== undefined) };
    return last.chunk;
  };
}

/** The part of the specification at the end of a page says once more what its lists of fields say. */
const withoutExcerpt = (text: string): string =>
  text.replace(/\n## (?:Open|Async)API\n\n(`{3,})yaml\n(?:.*\n)*?\1\n(?:\n(?:- \[`#\/.*\n)+)?$/, "");

const rootFrom = ({ baseUrl, outputPath }: LlmsOptions): string =>
  baseUrl === undefined ? upToRoot(outputPath) : `${baseUrl}/`;

const sourceOf = (page: PagePlan, site: Site, { baseUrl, outputPath }: LlmsOptions): string =>
  baseUrl === undefined
    ? relativeHref(outputPath, page.outputPath)
    : pageUrl(baseUrl, page.urlPath, site.config.seo.trailingSlash);

/**
 * Rewrites the relative links of a Markdown text as paths from the root, and splits the text before each of them. Only
 * lines with a link or a fence are examined: most of a long text is code.
 */
export function cutAtLinks(text: string, from: string): string[] {
  const cuts: string[] = [];
  const folders = encodePath(from).split("/").slice(0, -1);
  let piece = "";
  let done = 0;
  /** @param start of a part of a line, without code. */
  const cutPart = (part: string, start: number): void => {
    for (const match of part.matchAll(links)) {
      const written = match[1] ?? match[2]!;
      const inBrackets = written.startsWith("<");
      const url = inBrackets ? written.slice(1, -1) : written;
      const path = pathFromRoot(url, from, folders);
      if (path === undefined) continue;
      const at = start + match.index + match[0].length - written.length + (inBrackets ? 1 : 0);
      cuts.push(piece + text.slice(done, at));
      piece = path;
      done = at + url.length;
    }
  };

  const marks = /`{3}|~{3}|\]\(|\]: /g;
  let open = "";
  for (let at = 0; ; ) {
    marks.lastIndex = at;
    const next = open === "" ? (marks.exec(text)?.index ?? -1) : text.indexOf(open, at);
    if (next < 0) break;
    const start = text.lastIndexOf("\n", next) + 1;
    const stop = text.indexOf("\n", next);
    at = stop < 0 ? text.length : stop;
    const line = text.slice(start, at);
    const fence = line.includes("```") || line.includes("~~~") ? fenceLine.exec(line) : null;
    if (fence !== null && open === "") open = fence[1]!;
    else if (fence !== null && fence[1]!.startsWith(open) && fence[2]!.trim() === "") open = "";
    else if (open === "") {
      let partStart = start;
      for (const part of line.split(/(`+[^`]*`+)/)) {
        if (!part.startsWith("`")) cutPart(part, partStart);
        partStart += part.length;
      }
    }
  }
  cuts.push(piece + text.slice(done));
  return cuts;
}

/** The URL of a definition or a link, the latter possibly in angle brackets. */
const links = /^\s{0,3}\[[^\]]+\]: ([^\s<]\S*)|\]\((<[^<>]*>|[^\s()<>]+)/g;
const fenceLine = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})(.*)$/;

/** The path of a relative link from the root, percent-encoded, with query and fragment; undefined for other links. */
function pathFromRoot(url: string, from: string, folders: readonly string[]): string | undefined {
  if (/^(?:\/|[A-Za-z][\w+.-]*:)/.test(url)) return undefined;
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const suffix = end < 0 ? "" : url.slice(end);
  if (path === "") return encodePath(from) + suffix;
  const segments = [...folders];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments.join("/") + suffix;
}
