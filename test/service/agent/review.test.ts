import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReviewedFile, reviewChanges } from "../../../src/service/agent/review/review-changes.js";
import { readSiteRule, type SiteRule } from "../../../src/service/agent/review/site-rule.js";
import { page } from "../../support/agent-worker.js";
import { writeSite } from "../../support/cli.js";

const docs = {
  $schema: "https://mintlify.com/docs.json",
  name: "Acme",
  theme: "mint",
  colors: { primary: "#123456" },
  api: { openapi: ["api/openapi.yaml"] },
  integrations: { plausible: { $ref: "./plausible.json" } },
  navigation: { groups: [{ group: "Guides", pages: ["index", "guides/install"] }, { $ref: "./navigation/more.json" }] },
};
const spec = `openapi: 3.1.0
info:
  title: Acme
  version: "1"
servers:
  - url: https://api.acme.com
paths:
  /users:
    get:
      summary: Lists users.
      description: All of them.
      responses:
        "200":
          description: OK
components:
  schemas:
    User:
      $ref: "./schemas/user.yaml"
`;
const files: Readonly<Record<string, string>> = {
  "docs.json": JSON.stringify(docs, null, 2),
  "plausible.json": '{ "domain": "acme.com" }',
  "navigation/more.json": '{ "group": "More", "pages": ["security", "old"] }',
  "index.mdx": page(
    'import Note from "/snippets/note.mdx";\n\nSee https://acme.com. <Note />\n\n<iframe src="https://acme.com/video" />\n\n![Start](/images/start.png)',
  ),
  "guides/install.mdx": page("Install {1 + 1} times."),
  "security.md": page("How we keep it safe."),
  "old.mdx": "---\ntitle: Old\nhidden: true\n---\n\nOld.\n",
  "snippets/note.mdx": "A note.",
  "snippets/tool.jsx": "export const Tool = () => <b />;",
  "api/openapi.yaml": spec,
  "api/schemas/user.yaml": "type: object\n",
  "ci/build.yaml": spec,
  "data.json": "{}",
  "style.css": "body {}",
  "README.md": "# Acme",
  "notes/README.md": "# Notes",
  "private/plan.mdx": page("Plan."),
  ".mintignore": "/private/\n/secret-*.mdx\n",
  "images/start.png": "",
};

let base: string;
let rule: SiteRule;
beforeAll(async () => {
  base = writeSite(mkdtempSync(join(tmpdir(), "offprint-review-")), files);
  rule = await readSiteRule(base);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const png = Buffer.from("89504e470d0a1a0a", "hex");
const reviewed = (changes: Readonly<Record<string, string | Buffer | undefined>>) =>
  reviewChanges(
    base,
    Object.entries(changes).map(
      ([path, text]): ReviewedFile => ({
        path,
        before: files[path] === undefined ? undefined : readFileSync(join(base, path)),
        after: text === undefined ? undefined : Buffer.from(text),
      }),
    ),
  );
const flagsOf = async (changes: Parameters<typeof reviewed>[0]): Promise<string[]> => {
  const { refused, flags } = await reviewed(changes);
  expect(refused).toEqual([]);
  return flags.map(({ kind, path, line }) => `${kind} ${path}:${line}`);
};
const edited = (path: string, old: string, next: string): Record<string, string> => {
  expect(files[path]).toContain(old);
  return { [path]: files[path]!.replace(old, next) };
};

test("an agent may change the files that the site of the base branch reads, and add pages, snippets, styles and media", () => {
  const open = [
    ...["docs.json", "navigation/more.json", "index.mdx", "security.md", "snippets/note.mdx", "style.css"],
    ...["api/openapi.yaml", "api/schemas/user.yaml", "images/start.png"],
    ...[
      "new.mdx",
      "new/deep/page.md",
      "changelog.mdx",
      "snippets/new.mdx",
      "_snippets/new.md",
      "new.css",
      "images/a.svg",
    ],
  ];
  expect(open.flatMap((path) => rule.refusal(path) ?? [])).toEqual([]);
});

const closed: readonly (readonly [rule: string, paths: readonly string[]])[] = [
  ["that the site does not read", ["ci/build.yaml", "data.json", "README.md", "notes/README.md", "private/plan.mdx"]],
  ["of data that is new", ["new.json", "api/new.yaml", "schema.graphql", "mint.json", "api/schemas/other.yaml"]],
  [
    "that .mintignore or the export leaves out",
    ["private/new.mdx", "secret-plan.mdx", "dist/a.mdx", "node_modules/a.mdx"],
  ],
  [
    "about the repository",
    [
      "readme.md",
      "guides/README.md",
      "LICENSE.md",
      "Contributing.md",
      "docs/AGENTS.md",
      "CLAUDE.md",
      "skill.md",
      "SUPPORT.md",
    ],
  ],
  ["that runs in browsers or on machines", ["snippets/tool.jsx", "new.js", "sw.js", "a.ts", "index.html", "tool.py"]],
  [
    "whose name differs from another one in case or look-alikes only",
    ["Docs.json", "DOCS.JSON", "Index.mdx", "GUIDES/new.mdx", "\uff49ndex.mdx", "Snippets/new.mdx"],
  ],
];
for (const [rule_, paths] of closed)
  test(`an agent may not write a file ${rule_}`, () => {
    expect(paths.filter((path) => rule.refusal(path) === undefined)).toEqual([]);
  });

test("new media has the bytes of the type in its name, and a changed page shows it", async () => {
  const shown = { "guides/install.mdx": page("![A](/images/new.png)") };
  expect((await reviewed({ "images/new.png": png, ...shown })).refused).toEqual([]);
  const why = async (changes: Parameters<typeof reviewed>[0]) =>
    (await reviewed(changes)).refused.map((each) => each.why);
  expect(await why({ "images/new.png": "#!/bin/sh", ...shown })).toEqual([
    "Its content is not an image or video of this type.",
  ]);
  expect(await why({ "images/new.jpg": png })).toEqual(["Its content is not an image or video of this type."]);
  expect(await why({ "images/new.png": png })).toEqual(["No changed page uses it."]);
});

const ordinary: readonly (readonly [rule: string, changes: () => Record<string, string | undefined>])[] = [
  ["a text", () => edited("index.mdx", "See", "Read")],
  [
    "a link, an image and a component",
    () => edited("guides/install.mdx", "Install", "<Note>[Start](/index) ![A](/images/start.png)</Note> {2}"),
  ],
  [
    "a code block with a script",
    () => edited("guides/install.mdx", "Install", "```html\n<script onclick={f()}></script>\n```\n\n"),
  ],
  [
    "an import of a snippet",
    () => edited("guides/install.mdx", "Install", 'import Note from "/snippets/note.mdx";\n\n<Note />'),
  ],
  [
    "a new page with its entry of the navigation",
    () => ({ "new.mdx": page("New."), ...edited("docs.json", '"guides/install"', '"guides/install", "new"') }),
  ],
  ["texts of a specification", () => edited("api/openapi.yaml", "All of them.", "All of them, see `GET /users`.")],
  [
    "a passage moved to another page",
    () => ({
      ...edited("index.mdx", '<iframe src="https://acme.com/video" />', ""),
      ...edited("guides/install.mdx", "Install", '<iframe src="https://acme.com/video" />\n\nInstall'),
    }),
  ],
  [
    "a moved page with its redirect",
    () => ({
      "guides/install.mdx": undefined,
      "guides/setup.mdx": files["guides/install.mdx"],
      ...edited(
        "docs.json",
        '"name"',
        '"redirects": [{ "source": "/guides/install", "destination": "/guides/setup" }], "name"',
      ),
    }),
  ],
];
for (const [what, changes] of ordinary)
  test(`${what} is an ordinary change, without a flag`, async () => {
    expect(await flagsOf(changes())).toEqual([]);
  });

const inPage = (text: string) => edited("guides/install.mdx", "Install", `${text}\n\nInstall`);
const inDocs = (text: string) => edited("docs.json", '"name"', `${text}, "name"`);
const inSpec = (old: string, next: string) => edited("api/openapi.yaml", old, next);
const flagged: readonly (readonly [what: string, changes: () => Record<string, string>, flags: readonly string[]])[] = [
  ["a script", () => inPage('<script src="/a.js"></script>'), ["script guides/install.mdx:5"]],
  ["a script in capitals", () => inPage("<SCRIPT>x</SCRIPT>"), ["script guides/install.mdx:5"]],
  ["a script next to amounts of money", () => inPage("$5 <script>x</script> $6"), ["script guides/install.mdx:5"]],
  [
    "an address in a style",
    () => inPage('<b style={{ background: "url(//evil.example.org/a)" }} />'),
    ["link guides/install.mdx:5"],
  ],
  [
    "an address with character references",
    () => inPage('<a href="&#106;avascript:x">a</a>'),
    ["scheme guides/install.mdx:5"],
  ],
  ["a script in an expression", () => inPage("{<script>{`x`}</script>}"), ["script guides/install.mdx:5"]],
  [
    "a script in a Markdown file",
    () => edited("security.md", "How", "{<\n\n<script>let a = {;</script>\n\nHow"),
    ["script security.md:7"],
  ],
  ["an embedded page", () => inPage('<Frame><iframe src="/a" /></Frame>'), ["embed guides/install.mdx:5"]],
  ["a style element", () => inPage("<style>{`a {}`}</style>"), ["element guides/install.mdx:5"]],
  ["an event handler", () => inPage('<b onClick="x">a</b>'), ["handler guides/install.mdx:5"]],
  ["an event handler with code", () => inPage("<b onClick={x}>a</b>"), ["handler guides/install.mdx:5"]],
  ["a call", () => inPage("{fetch(x)}"), ["code guides/install.mdx:5"]],
  ["a function in an attribute", () => inPage("<Card title={() => 1} />"), ["code guides/install.mdx:5"]],
  ["spread attributes", () => inPage("<Card {...x} />"), ["code guides/install.mdx:5"]],
  ["an export of a component", () => inPage("export const A = () => <b />;"), ["code guides/install.mdx:5"]],
  ["an import of code", () => inPage('import { Tool } from "/snippets/tool.jsx";'), ["code guides/install.mdx:5"]],
  ["raw markup", () => inPage("<b dangerouslySetInnerHTML={x} />"), ["code guides/install.mdx:5"]],
  ["a link to another host", () => inPage("[a](https://evil.example.org/x)"), ["link guides/install.mdx:5"]],
  [
    "an image of another host",
    () => inPage('<img srcset="/a.png 1x, //evil.example.org/a.png 2x" />'),
    ["link guides/install.mdx:5"],
  ],
  [
    "an address in an expression",
    () => inPage('<Card href={"https://evil.example.org"} />'),
    ["link guides/install.mdx:5"],
  ],
  ["an address that runs code", () => inPage('<a href="java\nscript:x">a</a>'), ["scheme guides/install.mdx:5"]],
  [
    "an address of a specification in front matter",
    () => edited("guides/install.mdx", "title", "openapi: https://evil.example.org/a.yaml GET /x\ntitle"),
    ["address guides/install.mdx:2"],
  ],
  [
    "a description with a script",
    () => edited("guides/install.mdx", "title", 'description: "<script>x</script>"\ntitle'),
    ["script guides/install.mdx:2"],
  ],
  [
    "a page that is hidden",
    () => edited("guides/install.mdx", "title", "hidden: true\ntitle"),
    ["visibility guides/install.mdx:2"],
  ],
  [
    "groups of readers",
    () => edited("guides/install.mdx", "title: Page", "title: Page\ngroups: [admin]"),
    ["visibility guides/install.mdx:3"],
  ],
  ["a page that is no longer hidden", () => edited("old.mdx", "hidden: true\n", ""), ["visibility old.mdx:1"]],
  [
    "a changed snippet with a script",
    () => ({ "snippets/note.mdx": "A note.\n\n<script />" }),
    ["script snippets/note.mdx:3"],
  ],
  ["a style sheet", () => ({ "style.css": "a {}" }), ["style style.css:1"]],
  [
    "a drawing with a script",
    () => ({ "images/a.svg": "<svg><script>x</script></svg>", ...inPage("![a](/images/a.svg)") }),
    ["drawing images/a.svg:1"],
  ],
  [
    "an integration",
    () => edited("docs.json", '"plausible"', '"ga4": { "measurementId": "G-1" }, "plausible"'),
    ["integration docs.json:14"],
  ],
  [
    "an integration in its own file",
    () => edited("plausible.json", '"acme.com"', '"evil.example.org"'),
    ["integration plausible.json:1"],
  ],
  ["a redirect", () => inDocs('"redirects": [{ "source": "/a", "destination": "/b" }]'), ["redirect docs.json:3"]],
  [
    "a link of the navigation",
    () => inDocs('"navbar": { "links": [{ "label": "A", "href": "https://evil.example.org" }] }'),
    ["link docs.json:3"],
  ],
  ["a banner with a script", () => inDocs('"banner": { "content": "<script />" }'), ["script docs.json:3"]],
  [
    "a file of a specification that the site has not read",
    () => edited("docs.json", '"api/openapi.yaml"', '"api/openapi.yaml", "ci/build.yaml"'),
    ["address docs.json:10"],
  ],
  [
    "a server of the playground",
    () => inDocs('"x": { "mdx": { "server": "https://evil.example.org" } }'),
    ["address docs.json:3"],
  ],
  ["another part of the settings", () => inDocs('"footer": { "$ref": "./data.json" }'), ["address docs.json:3"]],
  [
    "a hidden group",
    () => edited("navigation/more.json", '"More"', '"More", "hidden": true'),
    ["visibility navigation/more.json:1"],
  ],
  [
    "a tag for search engines",
    () => inDocs('"seo": { "metatags": { "robots": "noindex" } }'),
    ["metadata docs.json:3"],
  ],
  [
    "a server of an API",
    () => inSpec("https://api.acme.com", "https://evil.example.org"),
    ["address api/openapi.yaml:6"],
  ],
  [
    "another reference of a specification",
    () => inSpec("./schemas/user.yaml", "https://evil.example.org/user.yaml"),
    ["address api/openapi.yaml:18"],
  ],
  [
    "a description with a script",
    () => inSpec("All of them.", '"All. <script>x</script>"'),
    ["script api/openapi.yaml:11"],
  ],
  [
    "a hidden operation",
    () => inSpec("summary:", "x-hidden: true\n      summary:"),
    ["visibility api/openapi.yaml:10"],
  ],
  ["a handler in a tag that is not closed", () => inPage("A <img src=x onerror=y>."), ["handler guides/install.mdx:5"]],
  [
    "a page that no parser reads",
    () => inPage(`{${"[".repeat(2000)}${"]".repeat(2000)}}`),
    ["unreadable guides/install.mdx:1"],
  ],
];
for (const [what, changes, flags] of flagged)
  test(`${what} is flagged with its file and line`, async () => {
    expect(await flagsOf(changes())).toEqual(flags);
  });
