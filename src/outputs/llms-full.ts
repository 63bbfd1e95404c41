import { encodePath, relativeHref, upToRoot } from "../address/index.js";
import type { PagePlan, Site } from "../discover/site.js";
import { pageUrl, twinPath } from "./address.js";
import { headOf, type LlmsOptions, publishedPages } from "./llms.js";
import { instructionsBlock } from "./markdown-twin.js";

export interface LlmsFullOptions extends LlmsOptions {
  /** Text of a twin that has been written, by its output path; undefined if there is none. */
  readonly readTwin: (outputPath: string) => string | undefined | Promise<string | undefined>;
}

/**
 * All pages in one text, a chunk a page: title, address, description, body. Only one twin is held at a time. Links of
 * the twins, which are relative to their own places, are written anew for the place of this file.
 */
export async function* llmsFullText(site: Site, options: LlmsFullOptions): AsyncGenerator<string> {
  const instructions = instructionsBlock(site);
  yield headOf(site);
  for (const page of publishedPages(site)) {
    const twin = await options.readTwin(twinPath(page));
    if (twin === undefined) continue;
    // They stand at the top of the whole file.
    const text = instructions === "" ? twin : twin.replace(`${instructions}\n\n`, () => "");
    const end = text.indexOf("\n");
    const source = sourceOf(page, site, options);
    yield `${text.slice(0, end)}\n\nSource: ${source}\n${rebaseLinks(text.slice(end + 1), twinPath(page), options)}\n`;
  }
}

const sourceOf = (page: PagePlan, site: Site, { baseUrl, outputPath }: LlmsOptions): string =>
  baseUrl === undefined
    ? relativeHref(outputPath, page.outputPath)
    : pageUrl(baseUrl, page.urlPath, site.config.seo.trailingSlash);

/** Moves the relative links of a Markdown text from one file of the bundle to another; code stays as it is. */
export function rebaseLinks(text: string, from: string, { baseUrl, outputPath }: LlmsOptions): string {
  if (!text.includes("](") && !text.includes("]: ")) return text;
  const move = (url: string): string => {
    if (/^(?:\/|[A-Za-z][\w+.-]*:)/.test(url)) return url;
    const end = url.search(/[?#]/);
    const path = end < 0 ? url : url.slice(0, end);
    const target = path === "" ? encodePath(from) : joinPath(from, path);
    const moved = baseUrl === undefined ? upToRoot(outputPath) + target : `${baseUrl}/${target}`;
    return moved + (end < 0 ? "" : url.slice(end));
  };
  const moveLine = (line: string): string =>
    line
      .replace(/\]\((<[^<>]*>|[^\s()<>]+)/g, (_, url: string) =>
        url.startsWith("<") ? `](<${move(url.slice(1, -1))}>` : `](${move(url)}`,
      )
      .replace(/^(\s{0,3}\[[^\]]+\]: )([^\s<]\S*)/, (_, label: string, url: string) => label + move(url));

  const lines = text.split("\n");
  let open = "";
  for (const [i, line] of lines.entries()) {
    const isFence = line.includes("```") || line.includes("~~~");
    const marks = !isFence ? null : /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})(.*)$/.exec(line);
    if (marks !== null && open === "") open = marks[1]!;
    else if (marks !== null && marks[1]!.startsWith(open) && marks[2]!.trim() === "") open = "";
    else if (open === "" && (line.includes("](") || line.includes("]: ")))
      lines[i] = line
        .split(/(`+[^`]*`+)/)
        .map((part) => (part.startsWith("`") ? part : moveLine(part)))
        .join("");
  }
  return lines.join("\n");
}

/** The path from the root that a relative link leads to; both are percent-encoded. */
function joinPath(from: string, link: string): string {
  const segments = encodePath(from).split("/").slice(0, -1);
  for (const segment of link.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}
