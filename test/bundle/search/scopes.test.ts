import assert from "node:assert/strict";
import { test } from "vitest";
import { scopesFor, searchScopes } from "../../../src/bundle/search/index.js";
import type { Division, NavSection } from "../../../src/site/site.js";
import { divisionProducts, pageProducts } from "../../../src/site/site.js";
import {
  renderedPage,
  sampleManifest,
  samplePage,
  sampleSite,
  sampleTheme,
  section,
} from "../../page/theme/sample-site.js";

/** A page in a language and a version, as discover plans it. */
const pageIn = (index: number, language?: string, version?: string, inDefaultScope = true) =>
  samplePage(index, `/page-${index}`, {
    division: index,
    inDefaultScope,
    ...(language === undefined ? {} : { language }),
    ...(version === undefined ? {} : { version }),
  });

/** Sections: 1 English, 2 and 3 its versions; 4 French, 5 its version; 6 a tab without either. */
const sections: NavSection[] = [
  section(0, { children: [1, 4, 6] }),
  section(1, { kind: "language", label: "en", parent: 0, children: [2, 3], default: true }),
  section(2, { kind: "version", label: "v2", parent: 1, default: true }),
  section(3, { kind: "version", label: "v1", parent: 1 }),
  section(4, { kind: "language", label: "fr", parent: 0, children: [5] }),
  section(5, { kind: "version", label: "v2", parent: 4, default: true }),
  section(6, { kind: "tab", label: "About", parent: 0 }),
];
const division = (id: number, ids: readonly number[]): Division => ({ id, sections: ids, entries: [], order: [id] });
const divisions = [division(0, [0, 1, 2]), division(1, [0, 1, 3]), division(2, [0, 4, 5]), division(3, [0, 6])];
const pages = [pageIn(0, "en", "v2"), pageIn(1, "en", "v1", false), pageIn(2, "fr", "v2", false), pageIn(3)];
const site = sampleSite({ sections, divisions, pages });

test("each language and version has an index, and pages without both have their own", () => {
  assert.deepEqual(
    searchScopes(site).map(({ id, language, version, pages }) => [id, language, version, pages]),
    [
      ["0", "en", "v2", [0]],
      ["1", "en", "v1", [1]],
      ["2", "fr", "v2", [2]],
      ["3", undefined, undefined, [3]],
    ],
  );
});

const cases: readonly (readonly [rule: string, division: number, ids: string])[] = [
  // A reader …                                              in  searches
  ["of the default sees it and the pages in none", 0, "0 3"],
  ["of an older version sees that version alone", 1, "1 3"],
  ["of another language sees that language", 2, "2 3"],
  ["outside of both sees the default", 3, "3 0"],
];
for (const [rule, at, ids] of cases)
  test(`a reader ${rule}`, () => {
    const found = scopesFor(site, searchScopes(site), divisions[at]!);
    assert.deepEqual(found.map(({ id }) => id).join(" "), ids);
  });

test("versions of different products are searched together", () => {
  const products: NavSection[] = [
    section(0, { children: [1, 4] }),
    section(1, { kind: "product", label: "A", parent: 0, children: [2, 3], default: true }),
    section(2, { kind: "version", label: "a2", parent: 1, default: true }),
    section(3, { kind: "version", label: "a1", parent: 1 }),
    section(4, { kind: "product", label: "B", parent: 0, children: [5] }),
    section(5, { kind: "version", label: "b1", parent: 4, default: true }),
  ];
  const places = [division(0, [0, 1, 2]), division(1, [0, 1, 3]), division(2, [0, 4, 5])];
  const site = sampleSite({
    sections: products,
    divisions: places,
    pages: [pageIn(0, undefined, "a2"), pageIn(1, undefined, "a1", false), pageIn(2, undefined, "b1")],
  });
  const ids = places.map((place) => scopesFor(site, searchScopes(site), place).map(({ version }) => version));
  assert.deepEqual(ids, [
    ["a2", "b1"],
    ["a1", "b1"],
    ["b1", "a2"],
  ]);
});

test("pages and readers have the number of their product, where there are several", () => {
  const products = ["A", "B"].map((label, at) =>
    section(at + 1, { kind: "product", label, parent: 0, default: at === 0, landing: at }),
  );
  const tab = section(3, { kind: "tab", label: "About", parent: 0, landing: 2 });
  const places = [
    division(0, [0, 1]),
    { ...division(1, [0, 2]), order: [1, 3] },
    { ...division(2, [0, 3]), order: [2] },
  ];
  const withProducts = sampleSite({
    sections: [section(0, { children: [1, 2, 3] }), ...products, tab],
    // The second product lists a page of the first.
    divisions: [{ ...places[0]!, order: [0, 3] }, ...places.slice(1)],
    pages: [
      samplePage(0, "/a"),
      samplePage(1, "/b", { division: 1 }),
      samplePage(2, "/c", { division: 2 }),
      samplePage(3, "/d"),
    ],
  });
  assert.deepEqual(divisionProducts(withProducts), [1, 2, 0]);
  assert.deepEqual([...pageProducts(withProducts)], [1, 2, 0, 0]);
  const theme = sampleTheme(withProducts, {
    searchIndexes: () => ["0"],
    manifest: { ...sampleManifest, parts: { ...sampleManifest.parts, search: "search.css" } },
  });
  const numbers = withProducts.pages.map(
    (plan) => /data-product="(\d)"/.exec(theme.document(plan, renderedPage()))?.[1],
  );
  assert.deepEqual(numbers, ["1", "2", undefined, "1"]);
  assert.deepEqual(divisionProducts({ ...withProducts, sections: [withProducts.sections[1]!] }), [0, 0, 0]);
});

test("a page that is not searchable is in no index, and a page that is listed twice is in both", () => {
  const twice = sampleSite({
    sections,
    divisions: [...divisions.slice(0, 1), { ...divisions[1]!, order: [1, 0] }],
    pages: [pages[0]!, { ...pages[1]!, searchable: false }],
  });
  assert.deepEqual(
    searchScopes(twice).map(({ version, pages }) => [version, pages]),
    [
      ["v2", [0]],
      ["v1", [0]],
    ],
  );
});
