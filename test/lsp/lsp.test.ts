import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { newFolder } from "../security/site-folder.js";
import { page, writeSite } from "../support/cli.js";
import { waitUntil } from "../support/wait-until.js";
import { startEditor } from "./editor.js";

const folder = newFolder("lsp");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let sites = 0;
const newSite = (files: Readonly<Record<string, string>> = {}): string =>
  writeSite(join(folder, `site-${sites++}`), {
    "docs.json": JSON.stringify({
      name: "Acme",
      theme: "mint",
      colors: { primary: "#0f766e" },
      variables: { product: "Acme Cloud" },
      navigation: { pages: ["index", "guides/install"] },
    }),
    "index.mdx": page("Start", "Text."),
    "guides/install.mdx": `---\ntitle: Install\ndescription: In five minutes.\n---\n\n## First steps\n\nText.\n`,
    "snippets/hello.mdx": "Hello, [reader](/gone).\n",
    "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ...files,
  });
const body = (text: string): string => page("Start", text);

describe("offprint lsp reports faults", () => {
  test("in the text of the editor, not of the file, and forgets them with the file", async () => {
    const editor = await startEditor(newSite());
    await editor.open("index.mdx", body("[a](/guides/instal)\n\n<Note>\n\nText.\n"));
    await editor.expectCodes("index.mdx", "LINK_NOT_FOUND", "MDX_SYNTAX");
    const [first] = editor.diagnostics("index.mdx");
    expect(first).toMatchObject({ severity: 2, source: "offprint", range: { start: { character: 4 } } });
    await editor.type("index.mdx", body("[a](/guides/install#first-step)"));
    await editor.expectCodes("index.mdx", "ANCHOR_NOT_FOUND");
    // The heading of another open file that is not saved.
    await editor.open("guides/install.mdx", "---\ntitle: Install\n---\n\n## First step\n");
    await editor.expectCodes("index.mdx");
    await editor.type("index.mdx", body("<Note>\n\nText.\n"));
    await editor.expectCodes("index.mdx", "MDX_SYNTAX");
    await editor.close("index.mdx");
    await editor.expectCodes("index.mdx");
    expect((await editor.stop()).code).toBe(0);
  });

  test("with the location that explains them, in settings and front matter too, even while they are broken", async () => {
    const editor = await startEditor(newSite());
    await editor.open("index.mdx", body("<Card>\n\ntext\n\n</Crad>\n"));
    await editor.expectCodes("index.mdx", "MDX_SYNTAX");
    expect(editor.diagnostics("index.mdx")[0]!.relatedInformation).toMatchObject([
      { message: "<Card> opens here", location: { uri: editor.uriOf("index.mdx") } },
    ]);
    await editor.type("index.mdx", "---\ntitle: One: two\n---\n\nText.\n");
    await editor.expectCodes("index.mdx", "FRONTMATTER_SYNTAX");
    await editor.open("docs.json", '{\n  "name": "Acme",\n  "navigation": {\n    "pages": ["index"]\n');
    await editor.expectCodes("docs.json", "JSON_BROKEN");
    await editor.type("docs.json", '{ "name": "Acme", "navigation": { "pages": ["index", "gone"] } }');
    await waitUntil("the missing page", () => editor.codes("docs.json").includes("PAGE_NOT_FOUND"));
    await editor.stop();
  });

  test("in a snippet, where a page shows it", async () => {
    const site = newSite({
      "index.mdx": page("Start", 'import Hello from "/snippets/hello.mdx";\n\n<Hello />'),
    });
    const editor = await startEditor(site);
    await editor.open("snippets/hello.mdx");
    await editor.expectCodes("snippets/hello.mdx", "LINK_NOT_FOUND");
    await editor.type("snippets/hello.mdx", "Hello.\n");
    await editor.expectCodes("snippets/hello.mdx");
    await editor.stop();
  });

  test("again when another program changes a file", async () => {
    const site = newSite();
    const editor = await startEditor(site);
    await editor.open("index.mdx", body("[a](/later)"));
    await editor.expectCodes("index.mdx", "LINK_NOT_FOUND");
    writeFileSync(join(site, "later.mdx"), page("Later", "Text."));
    await waitUntil("the link works", () => editor.codes("index.mdx").length === 0);
    await editor.stop();
  });

  test("in time proportional to the page, not to the site: hundreds of other pages are not made again", async () => {
    const many = Array.from({ length: 400 }, (_, i) => [
      `many/page-${i}.mdx`,
      page(`Page ${i}`, "Text.\n\n".repeat(50)),
    ]);
    const editor = await startEditor(newSite(Object.fromEntries(many)));
    await editor.open("index.mdx", body("[a](/gone)"));
    await waitUntil("the first check", () => editor.codes("index.mdx").includes("LINK_NOT_FOUND"));
    const times: number[] = [];
    for (let round = 0; round < 6; round++) {
      const begun = performance.now();
      await editor.type("index.mdx", body(round % 2 === 0 ? "Text." : "[a](/gone)"));
      await waitUntil(
        "the next check",
        () => editor.codes("index.mdx").includes("LINK_NOT_FOUND") === (round % 2 === 1),
      );
      times.push(performance.now() - begun);
    }
    // About 0.2 s, of which 0.12 s is the pause; making all pages takes many times as long.
    expect(Math.min(...times)).toBeLessThan(1_500);
    await editor.stop();
  });
});

describe("offprint lsp fixes", () => {
  test("findings that have edits", async () => {
    const editor = await startEditor(newSite());
    await editor.open("index.mdx", body("[a](/guides/instal)\n\n#Heading\n"));
    await waitUntil("the findings", () => editor.codes("index.mdx").length > 0);
    const link = await editor.fix("index.mdx", "LINK_NOT_FOUND");
    expect(link.title).toBe('Write "/guides/install"');
    expect(link.text).toContain("[a](/guides/install)");
    expect((await editor.fix("index.mdx", "HEADING_AS_TEXT")).text).toContain("\n# Heading\n");
    await editor.stop();
  });
});

test("offprint lsp completes components, properties, icons, links, anchors, images, variables, snippets and keys", async () => {
  const editor = await startEditor(newSite());
  await editor.open("index.mdx");
  const tag = await editor.complete("index.mdx", body("<Acc|"), "Accordion");
  expect(tag.labels).toContain("AccordionGroup");
  expect(tag.text).toContain("<Accordion");
  const property = await editor.complete("index.mdx", body('<Card title="a" |></Card>'), "icon");
  expect(property.labels).not.toContain("title");
  expect(property.text).toContain('<Card title="a" icon="$1"></Card>');
  const icon = await editor.complete("index.mdx", body('<Card icon="rocke|"></Card>'), "rocket");
  expect(icon.text).toContain('icon="rocket"');
  const link = await editor.complete("index.mdx", body("[a](/gui|)"), "/guides/install");
  expect(link.text).toContain("[a](/guides/install)");
  const anchor = await editor.complete("index.mdx", body("[a](/guides/install#|)"), "/guides/install#first-steps");
  expect(anchor.text).toContain("(/guides/install#first-steps)");
  expect((await editor.complete("index.mdx", body("![a](|)"))).labels).toEqual(["/logo.svg"]);
  expect((await editor.complete("index.mdx", body("{{pro|}}"), "product")).text).toContain("{{product}}");
  expect((await editor.complete("index.mdx", body('import A from "|"'))).labels).toContain("/snippets/hello.mdx");
  expect((await editor.complete("index.mdx", "---\ntitle: A\nsid|\n---\n", "sidebarTitle")).text).toContain(
    "\nsidebarTitle: \n",
  );
  expect((await editor.complete("index.mdx", body("```mdx\n<Acc|\n```"))).labels).toEqual([]);
  const key = await editor.complete("docs.json", '{\n  "name": "Acme",\n  "fav|"\n}\n', "favicon");
  expect(key.text).toContain('"favicon": ');
  expect((await editor.complete("docs.json", '{\n  "theme": "|"\n}\n', "maple")).text).toContain('"theme": "maple"');
  await editor.stop();
});

test("offprint lsp says what components, properties, settings, variables and links are", async () => {
  const editor = await startEditor(newSite());
  expect(await editor.hover("index.mdx", body("<Ca|rd>"))).toContain("`title`");
  expect(await editor.hover("index.mdx", body('<Card ic|on="x">'))).toMatch(/^`icon` \(icon\)/);
  expect(await editor.hover("index.mdx", body("{{prod|uct}}"))).toBe("`Acme Cloud`");
  expect(await editor.hover("index.mdx", body("[a](/guides/inst|all)"))).toContain("**Install**");
  expect(await editor.hover("index.mdx", "---\nsidebar|Title: A\n---\n")).toContain("sidebar");
  expect(await editor.hover("docs.json", '{ "col|ors": { "primary": "#fff" } }')).toContain("Colors");
  expect(await editor.hover("index.mdx", body("a w|ord"))).toBe("");
  await editor.stop();
});

test("offprint lsp leads to pages, headings, snippets, variables and entries of the navigation", async () => {
  const editor = await startEditor(newSite());
  expect(await editor.define("index.mdx", body("[a](/guides/inst|all)"))).toBe("guides/install.mdx:1");
  expect(await editor.define("index.mdx", body("[a](/guides/install#first|-steps)"))).toBe("guides/install.mdx:6");
  expect(await editor.define("index.mdx", body('<Card href="guides/in|stall">'))).toBe("guides/install.mdx:1");
  const imported = 'import Hello from "/snippets/hello.mdx";\n\n';
  expect(await editor.define("index.mdx", body(`${imported}<Hel|lo />`))).toBe("snippets/hello.mdx:1");
  expect(await editor.define("index.mdx", body('<Snippet file="hel|lo.mdx" />'))).toBe("snippets/hello.mdx:1");
  expect(await editor.define("index.mdx", body("{{prod|uct}}"))).toBe("docs.json:1");
  expect(await editor.define("docs.json", '{ "navigation": { "pages": ["guides/in|stall"] } }')).toBe(
    "guides/install.mdx:1",
  );
  await editor.stop();
});

test("offprint lsp leaves nothing behind when the editor crashes, and starts without a site", async () => {
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const site = newSite();
  const editor = await startEditor(site, { ...process.env, TMPDIR: temporary });
  await editor.open("index.mdx", body("[a](/gone)"));
  await editor.expectCodes("index.mdx", "LINK_NOT_FOUND");
  expect(readdirSync(temporary).length).toBeGreaterThan(0);
  expect((await editor.crash()).code).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
  const alone = await startEditor(folder);
  await alone.open("notes.mdx", "<Note>");
  expect(await alone.hover("notes.mdx", "<No|te>")).toBe("");
  expect((await alone.stop()).code).toBe(0);
});
