import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, search } from "../../../src/bundle/search/engine/engine.js";
import { createIndexOpener, type IndexFiles, type LoadData } from "../../../src/bundle/search/engine/index-files.js";
import { createIndexer } from "../../../src/bundle/search/index.js";
import { createRecordFile, type RecordSource } from "../../../src/bundle/search/indexer.js";
import { createRecordWriter, type SearchPage } from "../../../src/bundle/search/search-record.js";

/** Text of every file of an index, by its path. */
export type IndexText = ReadonlyMap<string, string>;

export const page = (title: string, changes: Partial<SearchPage> = {}): SearchPage => ({
  href: `${title.toLowerCase().replaceAll(" ", "-")}.html`,
  title,
  trail: [],
  marker: "",
  keywords: [],
  description: "",
  otherNames: [],
  boost: 1,
  sections: [{ id: "", heading: "", text: "", code: "" }],
  ...changes,
});

/** Sections of a page: the lead, then each heading with its text. */
export const sections = (
  first: string,
  ...others: readonly (readonly [heading: string, text: string, code?: string])[]
) => [
  { id: "", heading: "", text: first, code: "" },
  ...others.map(([heading, text, code = ""], at) => ({ id: `s${at + 1}`, heading, text, code })),
];

/** @param order in which the pages are done; default: their own order. @param products number of the product of each. */
export async function indexOf(
  pages: readonly SearchPage[],
  order?: readonly number[],
  products: readonly number[] = pages.map(() => 0),
): Promise<IndexText> {
  const write = createRecordWriter();
  return indexOfRecords(products, order ?? [...pages.keys()], (at) => write(pages[at]!));
}

/** @param recordOf gives a record that a file of this run takes, or a function for one of an earlier run. */
export async function indexOfRecords(
  products: readonly number[],
  order: readonly number[],
  recordOf: (page: number) => Uint8Array | (() => Uint8Array),
): Promise<IndexText> {
  const folder = mkdtempSync(join(tmpdir(), "offprint-search-"));
  const files = new Map<string, string>();
  const put = createRecordFile(folder);
  const sourceOf = (page: number): RecordSource => {
    const record = recordOf(page);
    return typeof record === "function" ? { digest: String(page), read: record } : put(record);
  };
  const indexer = createIndexer({
    scopes: [{ id: "0", isDefault: true, pages: [...products.keys()] }],
    products,
    folder,
    write: (path, bytes) => {
      files.set(path, Buffer.from(bytes).toString("utf8"));
      return { path, bytes: bytes.length, sha256: "" };
    },
  });
  try {
    for (const at of order) indexer.take(at, sourceOf(at));
    await indexer.finish();
  } finally {
    indexer.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return files;
}

/** The data that a file of an index passes to the browser. */
export function dataIn(script: string): readonly unknown[] {
  const call = /^offprintSearch\((.*)\);\n$/s.exec(script);
  if (!call) throw new Error(`This is no file of an index: ${script.slice(0, 80)}`);
  return (JSON.parse(`[${call[1]}]`) as unknown[]).slice(1);
}

export const loaderOf =
  (read: (path: string) => string | undefined): LoadData =>
  async (path) => {
    const script = read(path);
    if (script === undefined) throw new Error(`There is no ${path}.`);
    return dataIn(script);
  };

export const openIndex = (files: IndexText): Promise<IndexFiles> =>
  createIndexOpener(loaderOf((path) => files.get(path)))("0");

/** Answers queries from an index of these pages. */
export async function searcher(
  pages: readonly SearchPage[],
  products?: readonly number[],
): Promise<(query: string, product?: number) => Promise<Answer>> {
  const index = await openIndex(await indexOf(pages, undefined, products));
  return (query, product) => search([index], query, product);
}

export const titlesOf = ({ hits }: Answer): string[] => hits.map(({ title }) => title);
