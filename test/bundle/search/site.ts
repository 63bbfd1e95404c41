import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A word that occurs only in pages that search must not find. */
export const canary = "quagmirecanary";

/** Pages so long that the text of each has a file of its own. */
const wordsOf = (at: number): string => Array.from({ length: 30 }, (_, i) => `own${at}word${i} `).join("");
const longPages = Array.from({ length: 12 }, (_, at) => `v1/long-${at}`);

const files: Readonly<Record<string, string>> = {
  "docs.json": JSON.stringify({
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0a6c5b" },
    navigation: {
      languages: [
        {
          language: "en",
          versions: [
            {
              version: "2.0",
              groups: [
                {
                  group: "Guides",
                  pages: ["index", "guides/install", "guides/domain", "guides/quiet", "guides/aside", "guides/fell"],
                },
                { group: "Old", hidden: true, searchable: true, pages: ["guides/attic"] },
                { group: "Internal", hidden: true, pages: ["guides/internal"] },
              ],
            },
            { version: "1.0", groups: [{ group: "Guides", pages: ["v1/install", ...longPages] }] },
          ],
        },
        { language: "ja", groups: [{ group: "ガイド", pages: ["ja/index", "ja/install"] }] },
      ],
    },
  }),
  "favicon.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`,
  "index.mdx": "---\ntitle: Welcome\ndescription: Where to begin.\n---\nRead how to install the tool.",
  "guides/install.mdx": [
    "---\ntitle: Install the tool\nkeywords: [download]\n---\nThe tool runs everywhere.",
    "## Requirements\n\nA processor and some memory.",
    "## Configure a proxy\n\nSet the variable `ACME_PROXY` before the first start.\n\n```bash\nexport ACME_PROXY=http://localhost:3128\n```",
    '<Accordion title="Why is it slow?">\nThe cache is cold.\n</Accordion>',
  ].join("\n\n"),
  "guides/domain.mdx":
    "---\ntitle: Custom domain\n---\nServe pages from your own address.\n\n## Certificates\n\nThey renew by themselves.",
  "guides/fell.mdx":
    "---\ntitle: Fell a poplar\napi: DELETE https://acme.example/poplars\n---\nIt is gone.\n\n## Poplar errors\n\nNone.",
  "guides/quiet.mdx": `---\ntitle: Quiet\nsearchable: false\n---\n${canary}`,
  "guides/aside.mdx": `---\ntitle: Aside\nnoindex: true\n---\n${canary}`,
  "guides/attic.mdx": "---\ntitle: Attic\n---\nThings that are kept.",
  "guides/internal.mdx": `---\ntitle: Internal\n---\n${canary}`,
  "guides/unlisted.mdx": `---\ntitle: Unlisted\n---\n${canary}`,
  "v1/install.mdx": "---\ntitle: Install the tool of old\n---\nThe first version wants a floppy disk.",
  ...Object.fromEntries(
    longPages.map((path, at) => [
      `${path}.mdx`,
      `---\ntitle: Long page ${at}\n---\n## Many words\n\nA zyzzyva is here. ${wordsOf(at).repeat(200)}`,
    ]),
  ),
  "ja/index.mdx": "---\ntitle: はじめに\n---\nようこそ。",
  "ja/install.mdx": "---\ntitle: インストール\n---\nコマンドラインから設定します。\n\n## 必要なもの\n\nメモリと電源。",
};

export function writeSearchSite(folder: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
