import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/lib/json/index.js";
import { selectPath } from "../../../src/lib/json-path/json-path.js";
import { applyOverlay } from "../../../src/site/specs/overlay.js";
import { codesOf, openapi, readText } from "./read-text.js";

const store: Json = {
  books: [
    { title: "Oaks", price: 8, tags: ["tree"] },
    { title: "Pines", price: 12, "out-of-print": true },
    { title: "Yews", price: 20, author: { name: "Ann" } },
  ],
  paths: { "/a/{id}": { get: { "x-internal": true }, post: {} }, "/b": { get: {} } },
};

describe("selectPath", () => {
  const cases: readonly (readonly [path: string, values: readonly unknown[]])[] = [
    ["$", [store]],
    ["$.books[0].title", ["Oaks"]],
    ["$['books'][1][\"title\"]", ["Pines"]],
    ["$.books[-1].title", ["Yews"]],
    ["$.books[*].title", ["Oaks", "Pines", "Yews"]],
    ["$.books.*.price", [8, 12, 20]],
    ["$.books[0,2].title", ["Oaks", "Yews"]],
    ["$.books[0]['title','price']", ["Oaks", 8]],
    ["$..title", ["Oaks", "Pines", "Yews"]],
    ["$..name", ["Ann"]],
    ["$.paths['/a/{id}'].get", [{ "x-internal": true }]],
    ["$.paths.*.get", [{ "x-internal": true }, {}]],
    ["$.paths.*[?(@.x-internal)]", [{ "x-internal": true }]],
    ["$.paths.*[?(@['x-internal'] == true)]", [{ "x-internal": true }]],
    ["$.books[?@.price > 10].title", ["Pines", "Yews"]],
    ["$.books[?(@.price >= 8 && @.price < 20)].title", ["Oaks", "Pines"]],
    ["$.books[?(@.price == 8 || @.title == 'Yews')].title", ["Oaks", "Yews"]],
    ["$.books[?(!@.author)].title", ["Oaks", "Pines"]],
    ["$.books[?(!(@.price != 8))].title", ["Oaks"]],
    ['$.books[?(@.tags[0] == "tree")].title', ["Oaks"]],
    ["$.books[?(@.author.name <= 'B')].title", ["Yews"]],
    ["$.books[?(@.price == '8')].title", []],
    ["$.books[7]", []],
    ["$.books.title", []],
    ["$.nothing..title", []],
    ["$.constructor", []],
    ["$.books.length", []],
    [" $ .books [ 0 ] .title", ["Oaks"]],
    ["$.books[1:].title", ["Pines", "Yews"]],
    ["$.books[:1].title", ["Oaks"]],
    ["$.books[-2:-1].title", ["Pines"]],
    ["$.books[::2].title", ["Oaks", "Yews"]],
    ["$.books[::-1].title", ["Yews", "Pines", "Oaks"]],
    ["$.books[5:-9:-1].title", ["Yews", "Pines", "Oaks"]],
    ["$.books[1:0:0].title", []],
    ["$.paths[0:1]", []],
    ["$.books[?length(@.title) > 4].title", ["Pines"]],
    ["$.books[?length(@.tags) == 1].title", ["Oaks"]],
    ["$.books[?length(@) == 2]", []],
    ["$.books[?length(@.price) == length(@.nothing)].title", ["Oaks", "Pines", "Yews"]],
    ["$.books[?count(@.*) == 3].title", ["Oaks", "Pines", "Yews"]],
    ["$.books[?count(@..name) >= 1].title", ["Yews"]],
    ["$.books[?count(@['title','title']) == 2].title", ["Oaks", "Pines", "Yews"]],
    ["$.paths[?count(@.*) > 1].get", [{ "x-internal": true }]],
    ["$.books[?value(@..name) == 'Ann'].title", ["Yews"]],
    ["$.paths[?value(@..x-internal) == true].post", [{}]],
    ["$.books[?value(@.*) == 8].title", []],
    ["$.books[?match(@.title, 'P[a-z]+')].title", ["Pines"]],
    ["$.books[?match(@.title, 'ine')].title", []],
    ["$.books[?search(@.title, 'ine|ak')].title", ["Oaks", "Pines"]],
    ["$.books[?!search(@.title, 'e')].title", ["Oaks"]],
    ["$.books[?search(@.price, '8')].title", []],
    ["$.books[?search(@.title, $.books[0].tags[0])].title", []],
    ["$.books[?search($.books[1].title, @.title)].title", ["Pines"]],
    ["$.books[?search(@.title, @.tags)].title", []],
    ["$.books[?@..name].title", ["Yews"]],
    ["$.books[?@.*[?@ == 'tree']].title", ["Oaks"]],
    ["$.books[?@.price == $.books[0].price].title", ["Oaks"]],
    ["$.books[?$.paths].title", ["Oaks", "Pines", "Yews"]],
    ["$.books[?@.nothing == @.neither].title", ["Oaks", "Pines", "Yews"]],
    ["$.books[?@.out-of-print >= true].title", ["Pines"]],
    ["$.books[?@.author == $.books[2].author].title", ["Yews"]],
    ["$.books[?@ .price < 10 , ?@.price>12]['title']", ["Oaks", "Yews"]],
  ];
  for (const [path, values] of cases)
    test(path, () => expect(selectPath(store, path).map(({ value }) => value)).toEqual(values));

  for (const path of [
    "",
    "books",
    "$.",
    "$.books[",
    "$.books[0",
    "$.books[?(@.title]",
    "$.books[?('a')]",
    "$.books[?length(@.title)]",
    "$.books[?length(@.*) > 1]",
    "$.books[?length (@.title) > 1]",
    "$.books[?count(1) > 1]",
    "$.books[?count(@.a, @.b) > 1]",
    "$.books[?value(@.a)]",
    "$.books[?match(@.title, 'a') == true]",
    "$.books[?match(@.title)]",
    "$.books[?match(@.title, '[')]",
    "$.books[?search(@.title, 'a{9999999999}')]",
    "$.books[?upper(@.title) == 'A']",
    "$.books[?@.* == 1]",
    "$.books[?@..a == 1]",
    "$.books[?1 == @[0,1]]",
    `$[?${"length(".repeat(100)}@.a${")".repeat(100)} == 1]`,
    "$.books x",
    `$${".a".repeat(3000)}`,
    `$[?${"(".repeat(100)}@.a${")".repeat(100)}]`,
    `$[?${"!".repeat(3000)}@.a]`,
  ])
    test(`refuses ${path.slice(0, 40)}`, () => expect(() => selectPath(store, path)).toThrow(/character|longer/));

  test("visits each value once, however often `..` occurs", () => {
    const trees = Array.from({ length: 1000 }, () => ({ branches: [{ leaves: [1, 2] }] }));
    expect(selectPath(trees, "$..*..*..*..leaves")).toHaveLength(1000);
  });

  test("counts the values that its filters visit", () => {
    const texts = Array.from({ length: 300 }, () => "a".repeat(30_000));
    expect(() => selectPath(texts, "$[?search(@, '(a|aa)+b')]")).toThrow(/too many/);
    expect(() => selectPath(texts, "$[?count($..*) > count($[*][*])]")).not.toThrow();
    const wide = Array.from({ length: 3000 }, (_, i) => i);
    expect(() => selectPath(wide, "$[?count($[?count($.*) > 0]) > 0]")).toThrow(/too many/);
  });

  test("stops when it would visit millions of values", () => {
    const wide = Array.from({ length: 3000 }, () => Array(3000).fill(0) as Json);
    expect(() => selectPath(wide, "$..*")).toThrow(/too many/);
  });
});

describe("applyOverlay", () => {
  const apply = (actions: Json, document: Json = store) =>
    applyOverlay(document, {
      source: "overlay.yaml",
      document: { overlay: "1.0.0", info: { title: "O", version: "1" }, actions },
      locationOf: () => ({ sourcePath: "overlay.yaml" }),
    });
  const at = (document: Json, path: string) => selectPath(document, path).map(({ value }) => value);

  test("merges objects all the way down, and adds to lists", () => {
    const update = { tags: ["old", "green"], author: { born: 1900 }, price: 9 };
    const { document, diagnostics } = apply([{ target: "$.books[*]", update }]);
    expect(diagnostics).toEqual([]);
    expect(at(document, "$.books[0]")).toEqual([
      { title: "Oaks", price: 9, tags: ["tree", "old", "green"], author: { born: 1900 } },
    ]);
    expect(at(document, "$.books[2].author")).toEqual([{ name: "Ann", born: 1900 }]);
  });

  test("appends to a list that is selected", () => {
    const { document } = apply([{ target: "$.books[0].tags", update: "tall" }]);
    expect(at(document, "$.books[0].tags")).toEqual([["tree", "tall"]]);
  });

  test("replaces a text or number by another", () => {
    const { document, diagnostics } = apply([
      { target: "$.books[0].title", update: "Beeches" },
      { target: "$.books[0].tags[0]", update: "hedge" },
    ]);
    expect(diagnostics).toEqual([]);
    expect(at(document, "$.books[0]['title','tags']")).toEqual(["Beeches", ["hedge"]]);
  });

  test("copies from the one location that is selected, so that a path can be renamed", () => {
    const { document, diagnostics } = apply([
      { target: "$.paths", update: { "/c": {} } },
      { target: "$.paths['/c']", copy: "$.paths['/a/{id}']" },
      { target: "$.paths['/a/{id}']", remove: true },
    ]);
    expect(diagnostics).toEqual([]);
    expect(at(document, "$.paths")).toEqual([{ "/b": { get: {} }, "/c": { get: { "x-internal": true }, post: {} } }]);
  });

  test("removes, in lists too", () => {
    const { document } = apply([
      { target: "$.books[?@.price < 15]", remove: true },
      { target: "$.paths.*[?(@.x-internal)]", remove: true, update: { not: "done" } },
    ]);
    expect(at(document, "$.books[*].title")).toEqual(["Yews"]);
    expect(at(document, "$.paths")).toEqual([{ "/a/{id}": { post: {} }, "/b": { get: {} } }]);
  });

  test("does not change its input", () => {
    const before = JSON.stringify(store);
    apply([{ target: "$..*", remove: true }]);
    expect(JSON.stringify(store)).toBe(before);
  });

  test("applies its actions in order", () => {
    const { document } = apply([
      { target: "$.paths", update: { "/c": { get: {} } } },
      { target: "$.paths.*", update: { seen: true } },
    ]);
    expect(at(document, "$.paths.*.seen")).toEqual([true, true, true]);
  });

  test("copies a value that it inserts in several locations", () => {
    const { document } = apply([
      { target: "$.paths.*", update: { list: [] } },
      { target: "$.paths['/b'].list", update: 1 },
    ]);
    expect(at(document, "$.paths.*.list")).toEqual([[], [1]]);
  });

  const faults: readonly (readonly [rule: string, action: Json, code: string])[] = [
    ["a target that selects nothing", { target: "$.pathz", remove: true }, "OVERLAY_NO_MATCH"],
    ["a target that is not a path", { target: "paths", remove: true }, "OVERLAY_TARGET"],
    ["a target that is a text", { target: "$.books[0].title", update: { x: 1 } }, "OVERLAY_TARGET"],
    ["a copy of nothing", { target: "$.paths", copy: "$.pathz" }, "OVERLAY_NO_MATCH"],
    ["a copy of several", { target: "$.paths", copy: "$.books[*]" }, "OVERLAY_NO_MATCH"],
    ["a copy that is not a path", { target: "$.paths", copy: "pathz" }, "OVERLAY_TARGET"],
    ["no target", { update: {} }, "OVERLAY_INVALID"],
    ["no object", "x", "OVERLAY_INVALID"],
  ];
  for (const [rule, action, code] of faults)
    test(`reports ${rule}`, () => expect(apply([action]).diagnostics.map((each) => each.code)).toEqual([code]));

  const near = [
    ["$.pathz['/b']", "$.paths['/b']"],
    ["$..titel", "$..title"],
    ["$.paths['/aa'].get", undefined],
    ["$.qqqq", undefined],
  ] as const;
  for (const [target, wanted] of near)
    test(`a target ${target} ${wanted ? `is corrected to ${wanted}` : "has no correction"}`, () =>
      expect(apply([{ target, remove: true }]).diagnostics[0]!.fix).toBe(
        wanted ? `write "${wanted}".` : "correct the target, or remove the action.",
      ));

  test("stops after fifty errors, and when its targets are too expensive", () => {
    const faulty = apply(Array(1000).fill({ target: "x", remove: true }) as Json).diagnostics;
    expect(faulty.length).toBeLessThan(60);
    const document = Array.from({ length: 1000 }, () => Array(1000).fill(0) as Json);
    const { diagnostics } = apply(Array(1000).fill({ target: "$..x", remove: true }) as Json, document);
    expect(diagnostics.at(-1)?.what).toContain("too many values");
    expect(diagnostics.length).toBeLessThan(60);
  });

  test("stops before it adds millions of values", () => {
    const document = Array.from({ length: 5000 }, () => ({}));
    const update = { list: Array(5000).fill(0) as Json };
    expect(apply([{ target: "$.*", update }], document).diagnostics.map(({ code }) => code)).toEqual([
      "OVERLAY_TARGET",
    ]);
  });
});

test("overlays change a specification, and errors in them have a location", () => {
  const overlay = `overlay: 1.0.0
info: {title: Ours, version: "1"}
actions:
  - target: $.paths['/a'].get
    update: {summary: Changed}
  - target: $.paths['/b']
    remove: true
  - target: $.paths['/c']
    remove: true
`;
  const text = JSON.stringify(openapi({ paths: { "/a": { get: { summary: "A" } }, "/b": { get: {} } } }));
  const { entries, diagnostics } = readText(text, "openapi.json", { "overlay.yaml": overlay });
  expect(entries.map(({ name, title }) => [name, title])).toEqual([["/a", "Changed"]]);
  expect(codesOf(diagnostics)).toEqual(["OVERLAY_NO_MATCH overlay.yaml:8:13"]);
});

test("an invalid overlay is reported", () => {
  const { entries, diagnostics } = readText(JSON.stringify(openapi({ paths: { "/a": { get: {} } } })), "openapi.json", {
    "a.yaml": "openapi: 3.1.0",
    "b.yaml": "overlay: [",
  });
  expect(entries).toHaveLength(1);
  expect(codesOf(diagnostics)).toEqual(["OVERLAY_INVALID a.yaml:1:1", "SPEC_SYNTAX b.yaml:1:10"]);
});
