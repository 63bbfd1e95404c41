/** What other tools have beside pages and navigation: it is converted, or the report names it. */
import { expect, test } from "vitest";
import { convertSite } from "../../src/convert/index.js";
import { temporaryFolder, writeSite } from "../support/cli.js";

async function convert(files: Readonly<Record<string, string>>) {
  const { conversion } = await convertSite(writeSite(temporaryFolder(), { "docs.json": "{}", ...files }), {
    fallback: "Sample",
  });
  const text = (path: string): string => String(conversion!.files.get(path));
  return {
    ...conversion!,
    page: (path: string) => text(path).replace(/\n{2,}/g, "\n"),
    settings: JSON.parse(text("docs.json")) as Record<string, unknown>,
    notes: conversion!.notes.map(({ sourcePath, line, what }) => `${sourcePath}:${line ?? ""} ${what}`),
  };
}

test("front matter in JSON is front matter, of one line too", async () => {
  const { page, notes } = await convert({
    "hugo.toml": 'title = "S"\n',
    "content/dig.md":
      '{\n\t"title": "Dig \\"deep\\"",\n\t"params": { "a": [1, {"b": 2}\n] },\n\t"description": "D"\n}\n\nText {a}.\n',
    "content/sow.md": '{ "title": "Sow" }\nText.\n',
    "content/bad.md": '{\n  "title": "Bad\n}\n\nText.\n',
  });
  expect(page("dig.mdx")).toBe('---\ntitle: "Dig \\"deep\\""\ndescription: "D"\n---\nText \\{a\\}.\n');
  expect(page("sow.mdx")).toBe('---\ntitle: "Sow"\n---\nText.\n');
  expect(notes).toContainEqual(expect.stringMatching(/^content\/bad\.md:1 The front matter cannot be read/));
});

test("blocks of mdbook-admonish are callouts with the code in them", async () => {
  const { page, notes } = await convert({
    "book.toml": '[book]\ntitle = "S"\n[output.html]\ngit-repository-url = "https://codeberg.org/a/b"\n',
    "src/SUMMARY.md": "- [Soil](soil.md)\n",
    "src/soil.md": [
      "# Soil",
      ...['```admonish warning title="Take care"', "It is **wet**.", "```", ""],
      ...["````admonish", "```rust,ignore", "dig();", "```", "````", ""],
      ...['- ~~~admonish faq.big "Why?"', "  Because.", "  ~~~", ""],
      ...['```admonish bug collapsible=true, title="Old"', "Gone.", "```", ""],
      ...["> ```admonish danger", "> Quoted.", "> ```", ""],
      ...["```admonish moss", "Green.", "```", ""],
      ...["```text", "admonish note", "```"],
    ].join("\n"),
  });
  const text = page("index.mdx");
  expect(text).toContain('<Warning title="Take care">\nIt is **wet**.\n</Warning>');
  expect(text).toContain("<Note>\n```rust\ndig();\n```\n</Note>");
  expect(text).toContain('- <Info title="Why?">\n  Because.\n  </Info>');
  expect(text).toContain("> <Danger>\n>\n> Quoted.\n>\n> </Danger>");
  expect(text).toContain('<Accordion title="Old">\nGone.\n</Accordion>');
  expect(text).toContain('<Note title="Moss">\nGreen.\n</Note>\n```text\nadmonish note\n```');
  expect(notes).toEqual([expect.stringMatching(/^src\/soil\.md:24 "admonish moss" is not a kind of callout/)]);
});

test("each kind of callout has ours, and another is named", async () => {
  const kinds = "warn idea error success info default moss".split(" ");
  const { page, notes } = await convert({
    "package.json": '{"dependencies":{"fumadocs-ui":"1"}}',
    "content/docs/index.mdx": `---\ntitle: S\n---\n\n${kinds.map((kind) => `<Callout type="${kind}">\n${kind}\n</Callout>\n`).join("\n")}`,
  });
  expect([...page("docs.mdx").matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name)).toEqual(
    "Warning Tip Danger Check Info Note Note".split(" "),
  );
  expect(notes.filter((each) => each.includes("callout"))).toEqual([
    expect.stringMatching(/:29 "moss" is not a kind of callout/),
  ]);
});

test("Docsify: links behind # and to headings lead there, and the header has its links", async () => {
  const { page, settings, notes } = await convert({
    "index.html": '<script>window.$docsify = { name: "S", repo: "a/b", loadNavbar: "top.md" };</script>',
    "_sidebar.md": "* [Soil](guide/soil.md)\n",
    "top.md": "* [Forum](https://forum.example.com)\n* More\n  * [Soil](/guide/soil)\n",
    "README.md": "# S\n",
    "guide/soil.md":
      '# Soil\n\n[a](#/guide/soil?id=clay) [b](/guide/soil?id=_2-sand) [c](?id=clay ":target=_self") <a href="#/">d</a> [e](#clay) [f](https://a.example/?id=1) [g](soil.md?id=clay)\n\n## Clay\n\n## 2 Sand\n',
  });
  expect(page("guide/soil.mdx")).toContain(
    '[a](/guide/soil#clay) [b](/guide/soil#2-sand) [c](#clay) <a href="/">d</a> [e](#clay) [f](https://a.example/?id=1) [g](/guide/soil#clay)',
  );
  expect(settings["navbar"]).toEqual({
    links: [
      { label: "Forum", href: "https://forum.example.com" },
      { type: "github", href: "https://github.com/a/b" },
    ],
  });
  expect(notes).toEqual([expect.stringMatching(/^top\.md:3 The header links "Soil" to "\/guide\/soil"/)]);
});

test("ReadMe: custom pages and the changelog are pages, and recipes are named", async () => {
  const { page, settings, notes } = await convert({
    "docs/_order.yaml": "- soil\n",
    "docs/soil.md": "---\ntitle: Soil\n---\n\n[Terms](page:terms)\n",
    "custom_pages/terms.md": "---\ntitle: Terms\n---\n",
    "changelog/may.md": "---\ntitle: May\n---\n",
    "recipes/dig.md": "---\ntitle: Dig\n---\n",
  });
  expect(page("docs/soil.mdx")).toContain("[Terms](/page/terms)");
  expect(page("page/terms.mdx")).toContain("Terms");
  expect(settings["navigation"]).toEqual({
    tabs: [
      { tab: "Guides", pages: ["docs/soil"] },
      { tab: "Changelog", pages: ["changelog/may"] },
    ],
  });
  expect(notes).toEqual([
    expect.stringMatching(/^custom_pages: No navigation lists/),
    expect.stringMatching(/^recipes\/dig\.md: Recipes and blocks/),
  ]);
});
