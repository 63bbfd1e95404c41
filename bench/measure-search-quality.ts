// Does the search find what readers ask for? Exports one real site, asks the queries of <site>.json in the folder of the
// environment variable QUERIES (by default search-queries) of its index through the client's own code and of Pagefind in a browser, and prints one JSON line. Queries are in two halves:
// `held` is every second one, which nobody looks at while the ranking is changed. Misses of the other half are printed
// on stderr.
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { exportSite } from "offprint";
import type { IndexFiles } from "../src/bundle/search/engine/index-files.ts";
import { findChromium } from "../test/support/browser.ts";
import { bundleModule } from "../test/support/bundle-module.ts";
import { documentOf, firstPage, htmlOf, pageOf, placeOf } from "./exported-pages.ts";
import { openPagefind } from "./pagefind.ts";

const enginePath = bundleModule(fileURLToPath(new URL("./search-engine.ts", import.meta.url)));
const { createIndexOpener, dataIn, search } = (await import(
  pathToFileURL(enginePath).href
)) as typeof import("./search-engine.ts");

interface JudgedQuery {
  readonly query: string;
  /** Addresses of the pages that answer it equally well. */
  readonly pages: readonly string[];
  /** The page on which the reader searches; by default the first page. */
  readonly from?: string;
}

/** Addresses of the pages found, best first; a page may come more than once. */
type Ask = (query: string) => Promise<readonly string[]>;

const [source, output, kept] = process.argv.slice(2);
if (source === undefined || output === undefined)
  throw new Error("usage: measure-search-quality.ts <site> <output> [keep]");
const site = basename(source);
const queries = JSON.parse(
  readFileSync(
    join(process.env["QUERIES"] ?? fileURLToPath(new URL("./search-queries", import.meta.url)), `${site}.json`),
    "utf8",
  ),
) as JudgedQuery[];
if (kept === undefined || !existsSync(join(output, "index.html"))) {
  const result = await exportSite({ source, output });
  if (!result.ok) throw new Error(`Nothing was exported: ${JSON.stringify(result.diagnostics.slice(0, 3))}`);
}

const openIndex = createIndexOpener((path) => Promise.resolve(dataIn(readFileSync(join(output, path), "utf8"))));
/** Where readers of a page search: the names of the indexes, and the number of their product. */
const scopeFrom = (page: string): { readonly ids: readonly string[]; readonly product: number } => {
  const html = htmlOf(output!, page);
  const product = Number(/data-product="(\d+)"/.exec(html)?.[1] ?? 0);
  return { ids: /data-search="([^"]*)"/.exec(html)![1]!.split(" "), product };
};

/** The pages that readers of a scope search, as in the indexes. */
async function documentsIn(indexes: readonly IndexFiles[]): Promise<string[]> {
  const hrefs = new Set<string>();
  for (const index of indexes)
    for (let page = 0; page + 1 < index.firstOf.length; page++) hrefs.add((await index.page(page))[0]);
  return [...hrefs];
}

const chromium = findChromium();
const found = { ours: [] as number[], pagefind: [] as number[] };
const pagefinds = new Map<string, Awaited<ReturnType<typeof openPagefind>>>();
try {
  for (const [at, { query, pages, from }] of queries.entries()) {
    const { ids, product } = scopeFrom(from ?? firstPage(output!));
    const indexes = await Promise.all(ids.map(openIndex));
    const ours: Ask = async (text) => (await search(indexes, text, product)).hits.map(({ href }) => pageOf(href));
    const results = await ours(query);
    found.ours.push(placeOf(results, pages));
    for (const page of pages)
      if (documentOf(output!, page) === undefined) console.error(`${site}: there is no page ${page} ("${query}").`);
    if (at % 2 === 0 && found.ours.at(-1)! > 1)
      console.error(`${site} "${query}": ${found.ours.at(-1)}; ${results.slice(0, 3).join(" ")}; not ${pages[0]}`);
    if (chromium === undefined || process.env["PAGEFIND"] === "0") continue;
    const key = ids.join(" ");
    const other = pagefinds.get(key) ?? (await openPagefind(chromium, output, await documentsIn(indexes)));
    pagefinds.set(key, other);
    found.pagefind.push(placeOf((await other.ask(query)).map(pageOf), pages));
  }
} finally {
  for (const each of pagefinds.values()) await each.close();
}
console.log(
  JSON.stringify({
    site,
    queries: queries.length,
    hitAt1: figures(found.ours).at1,
    ours: figuresOf(found.ours),
    ...(found.pagefind.length > 0 && { pagefind: figuresOf(found.pagefind) }),
  }),
);

function figuresOf(ranks: readonly number[]) {
  const half = (odd: number): readonly number[] => ranks.filter((_, at) => at % 2 === odd);
  return { all: figures(ranks), seen: figures(half(0)), held: figures(half(1)) };
}

/** Share of the queries whose answer comes first, or is among the first three; and the mean of 1 / place. */
function figures(ranks: readonly number[]) {
  const share = (most: number): number => rounded(ranks.filter((rank) => rank <= most).length / ranks.length);
  return { at1: share(1), at3: share(3), mrr: rounded(ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length) };
}
function rounded(value: number): number {
  return Number(value.toFixed(3));
}
