/** The handbook's own search finds what newcomers ask: each question of questions.json, with the pages that answer it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Answer, search } from "../../src/bundle/search/engine/engine.js";
import { createIndexOpener } from "../../src/bundle/search/engine/index-files.js";
import { dataIn } from "../bundle/search/index-of.js";
import { sharedExport } from "../support/shared-export.js";
import questions from "./questions.json" with { type: "json" };

/** How many pages a reader looks at. */
const shownPages = 3;

/** The first pages of the results, such as `guides/install`. */
const pagesOf = ({ hits }: Answer): readonly string[] =>
  [...new Set(hits.map(({ href }) => href.replace(/(?:\/index)?\.html.*$/, "")))].slice(0, shownPages);

test(`one of the first ${shownPages} pages that the search finds answers a newcomer's question`, async () => {
  expect(questions.length).toBeGreaterThanOrEqual(40);
  const { folder } = await sharedExport("handbook");
  const accepted = [...new Set((questions as [string, string[]][]).flatMap(([, pages]) => pages))];
  expect(accepted.filter((page) => !existsSync(join(folder, `${page}.html`)))).toEqual([]);
  const read = async (path: string) => dataIn(readFileSync(join(folder, path), "utf8"));
  const index = await createIndexOpener(read)("0");
  const missed: string[] = [];
  for (const [question, answers] of questions as [string, string[]][]) {
    const pages = pagesOf(await search([index], question));
    if (!answers.some((page) => pages.includes(page))) missed.push(`${question}: ${pages.join(", ")}`);
  }
  expect(missed).toEqual([]);
});
