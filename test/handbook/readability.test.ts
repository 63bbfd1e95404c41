/** Pages of the handbook are short, and guides are plain English. Generated references are exempt. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readingEase, sentencesOf, wordCount } from "../support/reading-ease.js";

const folder = join(import.meta.dirname, "../../fixtures/handbook");
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".mdx"))
  .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));

/** Made from the source by tests of this folder. */
const generated =
  /^reference\/(?:command-line|environment-variables|settings|diagnostics|library|deployments|components)/;
const maxWords = 1500;
const guide = /^(?:start|guides)\//;
const minReadingEase = 60;

test("the measure distinguishes plain prose from a scientific paper", () => {
  const plain = "Put the file into the folder. Then start the program. It reads the file and prints each line. ".repeat(
    6,
  );
  const heavy =
    "Notwithstanding considerable organizational heterogeneity, institutional interoperability necessitates comprehensive standardization. ".repeat(
      9,
    );
  expect(readingEase(plain)).toBeGreaterThan(80);
  expect(readingEase(heavy)).toBeLessThan(0);
  expect(
    sentencesOf(
      "---\ntitle: A\n---\n\n# One\n\nTwo `x` three. Four five.\n\n```js\ncode\n```\n- six seven\n- eight nine\n",
    ),
  ).toEqual(["Two code three.", "Four five.", "- six seven", "- eight nine "]);
});

test(`no page that a person wrote has more than ${maxWords} words`, () => {
  const long = pages.filter(({ path, text }) => !generated.test(path) && wordCount(text) > maxWords);
  expect(long.map(({ path, text }) => `${path}: ${wordCount(text)}`)).toEqual([]);
});

test(`guides have a reading ease of ${minReadingEase} or more`, () => {
  const hard = pages.flatMap(({ path, text }) => {
    const ease = guide.test(path) ? readingEase(text) : undefined;
    return ease === undefined || ease >= minReadingEase ? [] : [`${path}: ${ease.toFixed(0)}`];
  });
  expect(hard).toEqual([]);
});

const maxSentence = 33;

test(`no sentence of a guide has more than ${maxSentence} words`, () => {
  const long = pages
    .filter(({ path }) => guide.test(path) || path.startsWith("service/"))
    .flatMap(({ path, text }) => sentencesOf(text).map((sentence) => `${path}: ${sentence}`))
    .filter((sentence) => wordCount(sentence) > maxSentence + 1);
  expect(long).toEqual([]);
});
