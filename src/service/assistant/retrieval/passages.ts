import type { IndexFiles } from "../../../bundle/search/index.js";
import { decodePercent } from "../../../lib/url/index.js";
import type { ListedPage } from "../../../mcp/documentation.js";
import type { Passage } from "../answer.js";
import type { AskedWords, TextWords } from "./asked-words.js";
import type { SiteFacts } from "./index-object.js";

export type PageAddresses = Awaited<ReturnType<typeof createPageAddresses>>;

export async function createPageAddresses(
  indexes: readonly IndexFiles[],
  { baseUrl, trailingSlash, scopes }: SiteFacts,
) {
  const places = new Map<string, { index: number; page: number }>();
  const pages: ListedPage[] = [];
  for (const [index, files] of indexes.entries())
    for (let page = 0; page + 1 < files.firstOf.length; page++) {
      const [href, title, trail] = await files.page(page);
      const path = normal(decodePercent(href));
      if (places.has(path)) continue;
      places.set(path, { index, page });
      const { language, version } = scopes[index] ?? {};
      pages.push({ path, title, trail, language, version });
    }
  const find = (href: string): Pick<Passage, "path" | "anchor" | "url"> | undefined => {
    const [file = "", anchor = ""] = href.split("#");
    const encoded = withoutIndex(file);
    if (!isInside(encoded)) return undefined;
    const page = encoded === "" ? `${baseUrl}/` : `${baseUrl}/${encoded}${trailingSlash ? "/" : ""}`;
    if (!URL.canParse(page)) return undefined;
    const hash = anchor === "" ? "" : `#${anchor}`;
    return { path: `/${decodePercent(encoded)}`, anchor: decodePercent(anchor), url: page + hash };
  };
  /** Cached for each section that was found. */
  const addresses = new Map<string, ReturnType<typeof find>>();
  return {
    pages,
    /** The addresses of a section; undefined if its href, relative to the bundle's root, leads out of the site. */
    of(href: string) {
      if (!addresses.has(href)) addresses.set(href, find(href));
      return addresses.get(href);
    },
    /** Where a page is in the indexes. */
    placeOf: (path: string) => places.get(normal(path)),
    /** The path of a page as `of` gives it: of "guides/install.md" or "/guides/install/" it is "/guides/install". */
    normal,
    /** The file of a page. */
    markdownOf(path: string, files: { has(path: string): boolean }): string | undefined {
      const name = normal(path).slice(1);
      return [name === "" ? "index.md" : `${name}.md`, `${name}/index.md`].find((file) => files.has(file));
    },
  };
}

const withoutIndex = (file: string): string => file.replace(/\.html$/, "").replace(/(?:^|\/)index$/, "");

function normal(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  let start = 0;
  while (start < end && path[start] === "/") start++;
  return `/${withoutIndex(path.slice(start, end).replace(/\.md$/, ""))}`;
}

/** Only a path below the root: no scheme, no host, no `..`, and no character that an address must encode. */
const isInside = (encoded: string): boolean =>
  encoded.length <= 2000 &&
  /^(?:[\w\-.~!$&'()*+,;=@%][\w\-.~!$&'()*+,;=:@%/]*)?$/.test(encoded) &&
  !encoded.split("/").some((name) => (name === "" ? encoded !== "" : /^(?:\.|%2e){1,2}$/i.test(name)));

const passageLength = 1500;

/** The text of a section, then its code, as far as they fit; of a longer text the part with most of what is asked for. */
export function passageText(text: string, code: string, words: AskedWords, textWords: TextWords): string {
  if (text.length > passageLength) return bestPart(text, words, textWords);
  const room = passageLength - text.length - 1;
  if (code === "" || room < 40) return text;
  return text === "" ? cutAt(code, passageLength) : `${text}\n${cutAt(code, room)}`;
}

/** Whole lines, or else whole characters. */
function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf("\n", length);
  return text.slice(0, end > length / 2 ? end : length).toWellFormed();
}

/** Begins at a sentence. */
function bestPart(text: string, words: AskedWords, textWords: TextWords): string {
  const sentences = textWords.sentencesOf(text);
  const weights = sentences.map((sentence) => words.weightOf(sentence.words));
  let best = 0;
  let highest = -1;
  let sum = 0;
  let end = 0;
  for (const [at, { start }] of sentences.entries()) {
    while (end < sentences.length && (sentences[end + 1]?.start ?? text.length) - start <= passageLength)
      sum += weights[end++]!;
    if (sum > highest) [best, highest] = [start, sum];
    if (end <= at) end = at + 1;
    else sum -= weights[at]!;
  }
  return text
    .slice(best, best + passageLength)
    .trim()
    .toWellFormed();
}
