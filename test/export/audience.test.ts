/** Who gets the parts that `groups` restricts: which bundles contain them, and which diagnostics report them. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ExportOptions, type ExportResult, InvalidOption } from "offprint";
import { afterAll, describe, expect, test } from "vitest";
import { filesIn, newFolder, writeSite } from "../security/site-folder.js";
import { exportInProcess } from "../support/pool-in-process.js";

const folder = newFolder("audience");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each restricted part has its own word, which must be in no byte of a bundle for others. */
const page = (groups: string, word: string): string =>
  `---\ntitle: ${word} title\ndescription: ${word} description\nkeywords: [${word}]\nrss: true\n${groups}\n---\n\n${word} body\n\n<Update label="${word}">${word}</Update>\n`;
const ok = { responses: { 200: { description: "Fine." } } };
const spec = {
  openapi: "3.1.0",
  info: { title: "Tides", version: "1", description: "About tides." },
  paths: {
    "/open": {
      get: {
        summary: "Open",
        operationId: "open",
        parameters: [
          { name: "heron-parameter", in: "query", schema: { type: "string" }, "x-mint": { groups: ["staff"] } },
          {
            name: "kind",
            in: "query",
            schema: { type: "string", enum: ["plain", "heron-value"], "x-mint-enum": { "heron-value": ["staff"] } },
          },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                oneOf: [
                  { type: "object", title: "Plain", properties: { a: { type: "string" } } },
                  { type: "object", title: "heron-option", "x-mint": { groups: ["staff"] } },
                ],
                properties: { "heron-property": { type: "string", "x-mint": { groups: ["staff"] } } },
              },
            },
          },
        },
        ...ok,
      },
    },
    "/closed": {
      "x-mint": { groups: ["staff"] },
      get: { summary: "heron-path", ...ok },
      post: { summary: "heron-both", "x-mint": { groups: ["admins"] }, ...ok },
    },
    "/mixed": {
      get: { summary: "heron-operation", operationId: "heron-operation-id", "x-mint": { groups: ["staff"] }, ...ok },
    },
    "/more": {
      get: {
        summary: "More",
        "x-mint": { metadata: { groups: ["staff"] }, content: "heron-metadata" },
        ...ok,
      },
      put: {
        summary: "Put",
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Heron" } } } },
        responses: {
          200: {
            description: "Fine.",
            headers: { "heron-header": { schema: { type: "string" }, "x-mint": { groups: ["staff"] } } },
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  allOf: [{ $ref: "#/components/schemas/Heron" }],
                  properties: {
                    list: { type: "array", items: { $ref: "#/components/schemas/Heron" } },
                    map: { type: "object", additionalProperties: { $ref: "#/components/schemas/Heron" } },
                  },
                },
              },
            },
          },
          404: { description: "heron-response", "x-mint": { groups: ["staff"] } },
        },
        callbacks: { "heron-callback": { "x-mint": { groups: ["staff"] }, "{$request.body#/url}": { post: ok } } },
      },
    },
    "/page": { get: { summary: "heron-described", "x-mint": { groups: ["staff"] }, ...ok } },
  },
  components: {
    schemas: {
      Heron: {
        type: "object",
        "x-mint": { groups: ["staff"] },
        description: "heron-schema",
        properties: { a: { type: "string", description: "heron-inner-property" } },
      },
    },
  },
};
const site = {
  "docs.json": JSON.stringify({
    theme: "mint",
    name: "Kept",
    colors: { primary: "#0f766e" },
    contextual: { options: ["copy", "view"] },
    redirects: [
      { source: "/old/heron-former", destination: "/staff" },
      { source: "/heron-wildcard/:slug*", destination: "/heron-folder/:slug*" },
      { source: "/heron-folder/:slug*", destination: "/" },
      { source: "/heron-gone", destination: "/heron-folder" },
      { source: "/heron-folder/heron-page", destination: "/" },
      { source: "/open/:slug*", destination: "/:slug*" },
    ],
    navbar: { links: [{ label: "Team", href: "/staff" }] },
    navigation: {
      tabs: [
        {
          tab: "Open",
          pages: ["index", "staff", "both-tabs", "outside", "nobody", "partners", "public", "any", "linked"],
        },
        { tab: "heron-tab", groups: ["staff"], pages: ["inside", "both-tabs"] },
        {
          tab: "More",
          groups: [
            { group: "heron-group", groups: [{ includes: ["staff"] }], pages: ["deep"] },
            { group: "API", openapi: "tides.json" },
            { group: "Split", openapi: "split.json" },
            { group: "Steps", arazzo: "flows.json" },
          ],
        },
        {
          tab: "Flows",
          pages: ["before", "heron-folder/heron-page", "after"],
        },
        { tab: "heron-link", groups: ["staff"], href: "https://intranet.example/heron-address" },
        { tab: "heron-specification", groups: ["staff"], openapi: "inner.json" },
      ],
    },
  }),
  "index.mdx": "---\ntitle: Start\n---\n\nEveryone reads this. [Team](/staff)\n",
  "before.mdx": `${page("", "before")}\n<p className="text-[11px]">Small</p>\n`,
  "after.mdx": page("", "after"),
  "heron-folder/heron-page.mdx": `---
title: heron-title
description: heron-description
groups: [staff]
tag: heron-tag
rss: true
---

import Shared from "/snippets/shared.mdx";
import { Counter } from "/snippets/counter.jsx";

<p className="before:content-['heron-class'] text-[13px]">heron-text</p>

<Shared />

<Counter />
`,
  "snippets/shared.mdx": `<p className="before:content-['heron-shared-class']">heron-shared</p>\n\n## heron-heading\n`,
  "snippets/counter.jsx": `import { label } from "./inner.jsx";
export const Counter = () => {
  const [count, setCount] = useState(0);
  return <button className="before:content-['heron-island-class']" onClick={() => setCount(count + 1)}>{label} heron-island</button>;
};
`,
  "snippets/inner.jsx": `export const label = "heron-inner-script";\n`,
  "both-tabs.mdx": "---\ntitle: Both\n---\n\nListed in an open tab too.\n",
  "staff.mdx": page('groups: ["staff"]', "heron-staff"),
  "partners.mdx": page("groups: [partners]", "heron-partners"),
  "outside.mdx": page("groups:\n  - excludes: [contractors]", "heron-excludes"),
  "any.mdx": page('groups:\n  - includes: ["*"]\n    excludes: [contractors]', "heron-any"),
  "nobody.mdx": page("groups: []", "heron-nobody"),
  "public.mdx": page("groups: [staff]\npublic: true", "heron-public"),
  "inside.mdx": page("", "heron-inside"),
  "deep.mdx": page("", "heron-deep"),
  "loose.mdx": page("groups: staff", "heron-loose"),
  "linked.mdx": page("groups: [staff]\nurl: https://example.com/heron-url", "heron-linked"),
  "operation.mdx": "---\nopenapi: GET /page\n---\n\nheron-written\n",
  "model.mdx": "---\nopenapi-schema: Heron\n---\n\nheron-model\n",
  "tides.json": JSON.stringify(spec),
  // Only one of the specification's files has a part for some readers.
  "split.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Split", version: "1" },
    paths: { "/split": { $ref: "parts/split.json" } },
  }),
  "parts/split.json": JSON.stringify({
    get: {
      summary: "Split",
      parameters: [{ name: "heron-split", in: "query", "x-mint": { groups: ["staff"] }, schema: { type: "string" } }],
      ...ok,
    },
  }),
  // Files that no page is made from, but that are copied.
  "files/unused.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Unused", version: "1" },
    paths: { "/unused": { get: { summary: "heron-unused", "x-mint": { groups: ["staff"] }, ...ok } } },
  }),
  "files/plain.json": JSON.stringify({ note: "x-mint has groups." }),
  "files/events.yaml": `asyncapi: 3.0.0
info: { title: Events, version: "1" }
channels:
  open: { address: open }
  closed:
    address: heron-channel
    x-mint: { groups: [staff] }
`,
  "files/part.yaml": `type: string
enum: [plain, heron-part]
x-mint-enum:
  heron-part: [staff]
`,
  "files/broken.json": '{ "x-mint": { "groups": ["staff"] }, "heron-broken": ',
  "flows.json": JSON.stringify({
    arazzo: "1.0.1",
    info: { title: "Flows", version: "1" },
    sourceDescriptions: [
      { name: "tides", url: "tides.json", type: "openapi" },
      { name: "inner", url: "inner.json", type: "openapi" },
    ],
    workflows: [
      {
        workflowId: "morning",
        dependsOn: ["heron-workflow"],
        steps: [
          { stepId: "look", operationId: "open" },
          {
            stepId: "second",
            description: "heron-step-description",
            operationId: "heron-operation-id",
            parameters: [{ name: "heron-step-parameter", in: "query", value: 1 }],
            outputs: { heron: "$response.body#/heron-output" },
          },
          {
            stepId: "third",
            operationId: "open",
            onSuccess: [{ name: "next", type: "goto", workflowId: "heron-workflow" }],
          },
          { stepId: "fourth", workflowId: "heron-workflow" },
          { stepId: "fifth", operationId: "heron-inner-operation" },
        ],
      },
      { workflowId: "heron-workflow", "x-mint": { groups: ["staff"] }, steps: [{ stepId: "a", operationId: "open" }] },
    ],
  }),
  "inner.json": JSON.stringify({
    ...spec,
    paths: { "/inner": { get: { summary: "heron-inner", operationId: "heron-inner-operation", ...ok } } },
  }),
};
const source = writeSite(join(folder, "site"), site);
let outputs = 0;

async function exported(options: Partial<ExportOptions> = {}): Promise<ExportResult & { readonly words: string[] }> {
  const output = join(folder, `out-${outputs++}`);
  const result = await exportInProcess({ source, output, baseUrl: "https://docs.example.com", ...options });
  assert.equal(result.ok, true);
  const words = new Set<string>();
  for (const path of filesIn(output))
    for (const text of [path, readFileSync(join(output, path), "latin1")])
      for (const [word] of text.matchAll(/heron-[a-z]+/g)) words.add(word);
  return { ...result, words: [...words].sort() };
}
const of = ({ diagnostics }: ExportResult, code: string) => diagnostics.filter((each) => each.code === code);

describe("a bundle for everyone", () => {
  const result = exported();
  const told = async (code: string) =>
    of(await result, code).map(({ location, what }) => [
      `${location?.sourcePath}:${location?.line}:${location?.column}`,
      what,
    ]);

  test("has no byte of a page, an entry of the navigation or a part of a specification that names groups", async () => {
    expect((await result).words).toEqual([]);
    expect((await result).manifest).not.toHaveProperty("audience");
  });
  test("quotes nothing that the left-out pages import, not even in diagnostics", async () => {
    expect(JSON.stringify((await result).diagnostics)).not.toMatch(
      /heron-(?:text|shared|heading|island|inner-script|class|description)/,
    );
  });
  test("has the classes of its own pages, and the files whose text only mentions groups", async () => {
    const { output, manifest } = await result;
    const paths = manifest!.files.map(({ path }) => path);
    assert.ok(paths.includes("files/plain.json"));
    const styles = paths
      .filter((path) => path.endsWith(".css"))
      .map((path) => readFileSync(join(output!, path), "utf8"));
    assert.match(styles.join(), /\.text-\\\[11px\\\]/);
    assert.doesNotMatch(styles.join(), /\.text-\\\[13px\\\]/);
  });
  test("only says of a step that names content for other readers that it is restricted", async () => {
    const { output, manifest } = await result;
    const { path } = manifest!.files.find(({ path }) => /morning\.md$/.test(path))!;
    const text = readFileSync(join(output!, path), "utf8");
    for (const step of ["second", "fourth", "fifth"])
      assert.match(text, new RegExp(`${step}[\\s*#]*\`\\(restricted\\)\``), text);
    assert.match(text, /third[\s\S]*\/open/);
  });
  test("reports each page that it leaves out at its groups, and names its readers", async () => {
    const only = (name: string) => `The page is only for readers in "${name}", so it is left out.`;
    expect(await told("PAGE_RESTRICTED")).toEqual([
      ["any.mdx:6:1", 'The page is only for readers in a group, without "contractors", so it is left out.'],
      ["heron-folder/heron-page.mdx:4:9", only("staff")],
      ["linked.mdx:6:9", only("staff")],
      ["loose.mdx:6:9", only("staff")],
      ["model.mdx:2:17", 'What the page documents is only for readers in "staff", so it is left out.'],
      ["nobody.mdx:6:9", "The page is for nobody, because its groups have no names, so it is left out."],
      ["operation.mdx:2:10", 'What the page documents is only for readers in "staff", so it is left out.'],
      ["outside.mdx:6:1", 'The page is only for readers in a group, without "contractors", so it is left out.'],
      ["partners.mdx:6:9", only("partners")],
      ["public.mdx:6:9", `${only("staff")} Its "public: true" does not change that.`],
      ["staff.mdx:6:9", only("staff")],
    ]);
    expect(of(await result, "PAGE_RESTRICTED").at(-1)?.fix).toBe(
      'export with --audience staff for these readers, or remove "groups" to publish it for everyone.',
    );
  });
  test("reports an entry of the navigation once, with the number of its pages", async () => {
    const left = (entry: string, lost = "") => `The ${entry} is only for readers in "staff", so it is left out${lost}.`;
    const pages = (count: string) => ` with ${count} that nothing else lists`;
    expect((await told("NAVIGATION_RESTRICTED")).map(([, what]) => what)).toEqual([
      left('tab "heron-tab"', pages("1 page")),
      left('group "heron-group"', pages("1 page")),
      left('tab "heron-link"'),
      left('tab "heron-specification"', pages("2 pages")),
    ]);
  });
  test("reports a specification once, with the number of its operations and parts", async () => {
    const left = (what: string) =>
      `${what} for other groups of readers, so they are left out, and so is the file itself.`;
    expect((await told("SPEC_RESTRICTED")).map(([place]) => place).slice(0, 4)).toEqual([
      "files/broken.json:undefined:undefined",
      "files/events.yaml:7:5",
      "files/part.yaml:3:1",
      "files/unused.json:1:112",
    ]);
    const copied = (what: string) => `${what} for other groups of readers, so the file is left out and gets no pages.`;
    expect((await told("SPEC_RESTRICTED")).map(([, what]) => what)).toEqual([
      'files/broken.json restricts content to groups of readers with "x-mint", but cannot be parsed, so the file is left out.',
      copied("1 part of files/events.yaml is"),
      copied("1 part of files/part.yaml is"),
      copied("1 part of files/unused.json is"),
      "5 steps or other parts of the workflows of flows.json name content for other groups of readers. Such a step is only shown as restricted; other parts are left out, and so is the file itself.",
      left("1 operation and 1 part of flows.json are"),
      left("1 operation and 1 part of inner.json are"),
      left("1 part of split.json is"),
      left("5 operations and 8 parts of tides.json are"),
    ]);
  });
  test("reports links and redirects to the pages that it leaves out", async () => {
    expect((await told("REDIRECT_TARGET_MISSING")).map(([, what]) => what)).toEqual(
      [
        ["/old/heron-former", "/staff"],
        ["/heron-wildcard/:slug*", "/heron-folder/:slug*"],
        ["/heron-gone", "/heron-folder"],
      ].map(
        ([from, to]) =>
          `The redirect from "${from}" goes to "${to}", a page for other groups of readers, which is left out, as is the redirect.`,
      ),
    );
    expect((await told("REDIRECT_SOURCE_IS_PAGE")).map(([, what]) => what)).toEqual(
      ["/heron-folder/:slug*", "/heron-folder/heron-page"].map(
        (from) =>
          `The redirect from "${from}" is left out: its source is the URL of heron-folder/heron-page.mdx, a page for other groups of readers, which is left out.`,
      ),
    );
    for (const code of ["LINK_NOT_FOUND", "NAVIGATION_LINK_BROKEN"])
      expect(of(await result, code).map(({ what }) => what)).toEqual([
        expect.stringMatching(/"\/staff".*a page for other groups of readers, which is left out/),
      ]);
  });
});

const ofStaff = [
  "address",
  "any",
  "callback",
  "channel",
  "class",
  "deep",
  "described",
  "description",
  "excludes",
  "folder",
  "former",
  "gone",
  "group",
  "header",
  "heading",
  "inner",
  "inside",
  "island",
  "link",
  "linked",
  "loose",
  "metadata",
  "model",
  "operation",
  "option",
  "output",
  "page",
  "parameter",
  "part",
  "path",
  "property",
  "public",
  "response",
  "schema",
  "shared",
  "specification",
  "split",
  "staff",
  "step",
  "tab",
  "tag",
  "text",
  "title",
  "unused",
  "url",
  "value",
  "wildcard",
  "workflow",
  "written",
];
describe("a bundle for some groups of readers", () => {
  test("has what names one of the groups, and records them in its manifest", async () => {
    const result = await exported({ audience: ["staff"] });
    expect(result.words).toEqual(ofStaff.map((word) => `heron-${word}`));
    expect(result.manifest?.audience).toEqual(["staff"]);
    const listed = readFileSync(join(result.output!, "llms.txt"), "utf8");
    assert.match(listed, /heron-staff title/);
  });
  test("has nothing that excludes one of its groups", async () => {
    const { words, manifest } = await exported({ audience: ["staff", " contractors", "staff"] });
    expect(words).toEqual(ofStaff.filter((word) => !/^(?:any|excludes)$/.test(word)).map((word) => `heron-${word}`));
    expect(manifest?.audience).toEqual(["contractors", "staff"]);
  });
  test("for a group that the site does not know, reports it", async () => {
    const result = await exported({ audience: ["admins", "staf"] });
    expect(of(result, "AUDIENCE_UNKNOWN")).toMatchObject([{ fix: 'write "staff".' }]);
    // Readers in any group have these.
    expect(result.words).toEqual(["heron-any", "heron-excludes"]);
  });
  test("cannot be for everything, or for a group without a name", async () => {
    for (const name of ["*", " ", "a,b"])
      await assert.rejects(exportInProcess({ source, audience: [name] }), InvalidOption);
  });
});

test("a page of a bundle for other readers never comes from the cache", async () => {
  const cacheFolder = join(folder, "cache");
  const filesOf = async (options: Partial<ExportOptions>) => (await exported(options)).manifest?.files;
  const [forStaff, forAll] = [await filesOf({ audience: ["staff"] }), await filesOf({})];
  for (const audience of [["staff"], [], ["staff"]])
    assert.deepEqual(await filesOf({ audience, cacheFolder }), audience.length > 0 ? forStaff : forAll);
  // The same output with another audience is not the same export.
  const output = join(folder, "same");
  const again = (audience: readonly string[]) => exportInProcess({ source, output, audience, cacheFolder });
  await again(["staff"]);
  const { manifest } = await again([]);
  expect(manifest?.audience).toBeUndefined();
  for (const path of filesIn(output)) assert.doesNotMatch(readFileSync(join(output, path), "latin1"), /heron-/, path);
});

test("a page that gets groups leaves no byte in the same output, and returns without them", async () => {
  const words = {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Turns",
      colors: { primary: "#0f766e" },
      redirects: [{ source: "/heron-old", destination: "/heron" }],
      navigation: ["index", "heron", "last"],
    }),
    "index.mdx": page("", "first"),
    "last.mdx": page("", "last"),
    "snippets/shared.mdx": `<p className="before:content-['heron-class']">heron-snippet</p>\n`,
    "heron.mdx": "",
  };
  const imported = '\n\nimport Shared from "/snippets/shared.mdx";\n\n<Shared />\n';
  const output = join(folder, "turns-out");
  const cacheFolder = join(folder, "turns-cache");
  const exportWith = async (groups: string, cache: boolean) => {
    const turns = writeSite(join(folder, "turns"), { ...words, "heron.mdx": page(groups, "heron-page") + imported });
    const place = cache ? { output, cacheFolder } : { output: join(folder, `turns-${outputs++}`) };
    const { manifest } = await exportInProcess({ source: turns, baseUrl: "https://docs.example.com", ...place });
    return manifest!.files;
  };
  for (const groups of ["", "groups: [staff]", "", "groups: [staff]"]) {
    assert.deepEqual(await exportWith(groups, true), await exportWith(groups, false));
    const texts = filesIn(output).flatMap((path) => [path, readFileSync(join(output, path), "latin1")]);
    assert.equal(/heron/i.test(texts.join("\n")), groups === "");
  }
});
