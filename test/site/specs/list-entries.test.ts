import { describe, expect, test } from "vitest";
import { listEntries } from "../../../src/site/specs/list-entries.js";
import { codesOf, openapi, readJson } from "./read-text.js";

test("faults of entries are located only when they are read", () => {
  const asked: string[] = [];
  const { spec } = readJson(openapi({ paths: { "/a": 5, "/b": { get: {} } } }));
  const locationOf = (pointer: string) => {
    asked.push(pointer);
    return { sourcePath: "a.json" };
  };
  const listed = listEntries({ ...spec!, locationOf }, "a.json");
  expect(listed.entries).toHaveLength(1);
  expect(asked).toEqual([]);
  expect(codesOf(listed.diagnostics)).toEqual(["SPEC_ENTRY_INVALID a.json::"]);
  expect(asked).toEqual(["#/paths/~1a"]);
});

test("an operation in an extension of a path has no page, and is reported", () => {
  const operation = { responses: { "200": { description: "d" } } };
  const paths = { "/a": { get: operation, "x-amazon-apigateway-any-method": operation, "x-note": { a: 1 } } };
  const { entries, diagnostics } = readJson(openapi({ paths }));
  expect(entries.map(({ method }) => method)).toEqual(["get"]);
  expect(diagnostics.map(({ what }) => what)).toEqual([expect.stringMatching(/any-method" of \/a .*gets no page/)]);
});

describe("an entry of a specification", () => {
  test("is listed in the order written, webhooks last", () => {
    const { entries } = readJson(
      openapi({
        webhooks: { "tree.felled": { post: { summary: "Felled" } } },
        paths: {
          "/trees": { parameters: [], summary: "Trees", post: {}, get: {}, "x-extra": {}, servers: [] },
          "x-more": {},
          "/a": { trace: {}, query: {}, head: {}, CONNECT: {} },
        },
      }),
    );
    expect(entries.map(({ kind, method, name }) => `${kind} ${method} ${name}`)).toEqual([
      "operation post /trees",
      "operation get /trees",
      "operation trace /a",
      "operation query /a",
      "operation head /a",
      "webhook post tree.felled",
    ]);
  });

  test("has what a page needs before it is rendered", () => {
    const operation = {
      summary: " List ",
      description: "All *trees*.",
      deprecated: true,
      tags: ["trees", "more"],
      "x-hidden": true,
      "x-mint": { href: "/here", content: "Before", metadata: { title: "T" }, groups: ["staff", 1] },
    };
    const { entries } = readJson(
      openapi({
        tags: [{ name: "trees", "x-group": "Trees & more" }, "odd", { name: 1 }],
        paths: {
          "/trees": {
            "x-mint": { groups: ["all"] },
            get: operation,
            put: { "x-excluded": true, summary: 5, tags: "x" },
            patch: { "x-internal": true },
            post: { "x-displayName": "Plant", summary: "Plant a tree", "x-deprecated-at": "2026-01-01" },
          },
          "/roots": { "x-internal": true, get: {} },
        },
      }),
    );
    expect(entries).toMatchObject([
      {
        pointer: "#/paths/~1trees/get",
        title: "List",
        description: "All *trees*.",
        deprecated: true,
        tag: "trees",
        tagLabel: "Trees & more",
        hidden: true,
        excluded: false,
        href: "/here",
        content: "Before",
        metadata: { title: "T" },
        restrictions: [
          { includes: ["all"], excludes: [] },
          { includes: ["staff", "1"], excludes: [] },
        ],
      },
      { hidden: false, excluded: true, deprecated: false, restrictions: [{ includes: ["all"], excludes: [] }] },
      { excluded: true },
      { title: "Plant", excluded: false, deprecated: true },
      { excluded: true },
    ]);
    expect(entries[1]).toMatchObject({ title: undefined, tag: undefined, tagLabel: undefined, metadata: undefined });
  });

  test("has a title without marks of Markdown", () => {
    const summaries = [
      "Creates a [text](/docs/text) or\n`image` response",
      "**Lists** all",
      "List a_b_c",
      "Sum 2 * 3",
      "`*`",
      " ",
    ];
    const paths = Object.fromEntries(summaries.map((summary, i) => [`/${i}`, { get: { summary } }]));
    expect(readJson(openapi({ paths })).entries.map(({ title }) => title)).toEqual([
      "Creates a text or image response",
      "Lists all",
      "List a_b_c",
      "Sum 2 * 3",
      "`*`",
      undefined,
    ]);
  });

  test("may have a method that has no key of its own", () => {
    const { entries, diagnostics } = readJson(
      openapi({
        openapi: "3.2.0",
        paths: { "/a": { additionalOperations: { COPY: { summary: "Copy" }, "no token": {}, "x-more": {} }, get: {} } },
      }),
    );
    expect(diagnostics).toEqual([]);
    expect(entries.map(({ method, pointer }) => `${method} ${pointer}`)).toEqual([
      "get #/paths/~1a/get",
      "COPY #/paths/~1a/additionalOperations/COPY",
    ]);
  });

  test("is in the group of its first tag for navigation, with the groups around that", () => {
    const { entries } = readJson(
      openapi({
        tags: [
          { name: "a", summary: "All", kind: "nav" },
          { name: "b", "x-displayName": "Both", parent: "a" },
          { name: "beta", kind: "badge" },
          { name: "loop", parent: "pool" },
          { name: "pool", parent: "loop" },
        ],
        paths: {
          "/1": { get: { tags: ["beta", "b"] } },
          "/2": { get: { tags: ["beta"] } },
          "/3": { get: { tags: ["loop"] } },
        },
      }),
    );
    expect(entries.map(({ tag, tagLabel, tagParents }) => [tag, tagLabel, ...tagParents])).toEqual([
      ["b", "Both", "All"],
      [undefined, undefined],
      ["loop", "loop", "pool"],
    ]);
  });

  test("may be a reference", () => {
    const { entries, diagnostics } = readJson(
      openapi({
        paths: { "/a": { $ref: "#/components/pathItems/A" }, "/b": { $ref: "#/components/pathItems/A", post: {} } },
        components: { pathItems: { A: { get: { summary: "Get" } } } },
      }),
    );
    expect(diagnostics).toEqual([]);
    expect(entries.map(({ method, name }) => `${method} ${name}`)).toEqual(["get /a", "get /b", "post /b"]);
  });

  test("that refers to itself has nothing to show", () => {
    const { entries, diagnostics } = readJson(
      openapi({
        paths: { "/a": { $ref: "#/paths/~1b" }, "/b": { $ref: "#/paths/~1a" }, "/c": { $ref: "#/paths/~1c" } },
      }),
    );
    expect(entries).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["SPEC_EMPTY"]);
  });

  test("may be broken, or refer to a missing file", () => {
    const { entries, diagnostics } = readJson(openapi({ paths: { "/c": { $ref: "#/x" }, "/d": { $ref: "a.json" } } }));
    expect(entries).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "SPEC_REF_BROKEN",
      "SPEC_REF_EXTERNAL",
      "SPEC_EMPTY",
      "SPEC_EMPTY",
    ]);
  });

  test("that is not an object is reported and left out", () => {
    const { entries, diagnostics } = readJson(
      openapi({ paths: { "/a": null, "/b": { get: "x", post: {} } }, webhooks: [] }),
    );
    expect(entries.map(({ name }) => name)).toEqual(["/b"]);
    expect(codesOf(diagnostics)).toEqual([
      "SPEC_ENTRY_INVALID openapi.json:8:11",
      "SPEC_ENTRY_INVALID openapi.json:10:14",
      "SPEC_ENTRY_INVALID openapi.json:14:3",
    ]);
  });

  test("cannot have a URL on another host", () => {
    const at = (href: string) => ({ get: { "x-mint": { href } } });
    const { entries, diagnostics } = readJson(
      openapi({
        paths: { "/a": at("https://x.y/z"), "/b": at("//x.y"), "/c": at("javascript:alert(1)"), "/d": at("d") },
      }),
    );
    expect(entries.map(({ href }) => href)).toEqual([undefined, undefined, undefined, "d"]);
    expect(codesOf(diagnostics)).toEqual([
      "SPEC_HREF_INVALID openapi.json:11:19",
      "SPEC_HREF_INVALID openapi.json:18:19",
      "SPEC_HREF_INVALID openapi.json:25:19",
    ]);
  });

  test("is left out after the first twenty thousand", () => {
    const paths = Object.fromEntries(Array.from({ length: 20_002 }, (_, i) => [`/${i}`, { get: {} }]));
    const { entries, diagnostics } = readJson(openapi({ paths }));
    expect(entries).toHaveLength(20_000);
    expect(diagnostics.map(({ code, what }) => [code, what])).toEqual([
      ["SPEC_TOO_MANY", "openapi.json describes 20002 operations; only the first 20000 get pages."],
    ]);
    expect(diagnostics[0]?.location?.line).toBe(60_009);
  });

  test("is reported twenty times at most, then counted", () => {
    const paths = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`/${i}`, i % 2 ? null : { get: { "x-mint": { href: "a:b" } } }]),
    );
    const { diagnostics } = readJson(openapi({ paths }));
    expect(diagnostics).toHaveLength(21);
    expect(diagnostics.at(-1)?.what).toBe("openapi.json has 4980 more faults of this kind.");
  });

  test("may be missing", () => {
    for (const parts of [{}, { paths: {} }, { paths: null }])
      expect(readJson(openapi(parts))).toMatchObject({ entries: [], diagnostics: [] });
  });

  test("of AsyncAPI is a channel", () => {
    const { spec, entries } = readJson({
      asyncapi: "3.0.0",
      info: { title: "Live", version: "1", tags: [{ name: "growth", "x-group": "Growing" }] },
      channels: {
        trees: { address: "/trees/{id}", title: "Trees", description: "How they grow.", tags: [{ name: "growth" }] },
        fruit: { $ref: "#/components/channels/fruit" },
      },
      components: { channels: { fruit: { address: "/fruit", summary: "Fruit" } } },
    });
    expect(spec?.format).toBe("asyncapi");
    expect(entries).toMatchObject([
      {
        kind: "channel",
        name: "trees",
        address: "/trees/{id}",
        title: "Trees",
        description: "How they grow.",
        tag: "growth",
        tagLabel: "Growing",
      },
      { kind: "channel", name: "fruit", address: "/fruit", description: "Fruit", tag: undefined },
    ]);
  });
});
