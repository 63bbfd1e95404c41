/** Navigations, versions and languages that plugins and settings of other tools make. */
import { expect, test } from "vitest";
import { convertSite } from "../../src/convert/index.js";
import { temporaryFolder, writeSite } from "../support/cli.js";

async function convert(files: Readonly<Record<string, string>>) {
  const { conversion } = await convertSite(writeSite(temporaryFolder(), { "docs.json": "{}", ...files }), {
    fallback: "Sample",
  });
  const { navigation } = JSON.parse(String(conversion!.files.get("docs.json"))) as { navigation: unknown };
  return { ...conversion!, navigation };
}

test("languages of Hugo may have a folder each, without a folder of the name content", async () => {
  const { tool, navigation } = await convert({
    "hugo.toml": '[languages.en]\ncontentDir = "content.en"\n[languages.zh]\ncontentDir = "content.zh"\n',
    "content.en/soil.md": "---\ntitle: Soil\n---\n",
    "content.zh/soil.md": "---\ntitle: 土\n---\n",
  });
  expect([tool, navigation]).toEqual([
    "Hugo",
    {
      languages: [
        { language: "en", default: true, pages: ["soil"] },
        { language: "zh", pages: ["zh/soil"] },
      ],
    },
  ]);
});

test("settings whose pages are not there are named when the rest is converted as a folder of Markdown", async () => {
  const { tool, notes } = await convert({
    "docs/a.md": "# A\n",
    "website/hugo.yaml": "contentDir: made-by-a-program\n",
    "examples/hugo.toml": "",
  });
  expect(tool).toBe("Markdown");
  expect(notes).toEqual([expect.objectContaining({ sourcePath: "website/hugo.yaml", kind: "settings" })]);
});

test("other sites in the repository are named", async () => {
  const { notes } = await convert({
    "mkdocs.yml": "site_name: S\n",
    "docs/a.md": "# A\n",
    "sdk/book/book.toml": "",
    "sdk/book/src/b.md": "# B\n",
  });
  expect(notes).toEqual([
    expect.objectContaining({
      sourcePath: "sdk/book/book.toml",
      kind: "site",
      what: expect.stringContaining("sdk/book"),
    }),
  ]);
});
