/** Sites of other tools, as `offprint init --from` converts them. UPDATE_GOLDEN=1 writes the expected files. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { conversionReport } from "../../src/cli/commands/init.js";
import { writeNew } from "../../src/cli/site-source.js";
import { convertSite } from "../../src/convert/index.js";
import { runExport } from "../../src/export/index.js";
import { contentOf, temporaryFolder, writeSite } from "../support/cli.js";
import { withinCpu } from "../support/machine-time.js";
import { createPoolInProcess } from "../support/pool-in-process.js";

const samples = fileURLToPath(new URL("../../fixtures/import", import.meta.url));

async function convert(folder: string) {
  const { conversion, files } = await convertSite(folder, { fallback: "Sample" });
  const read = [...conversion!.files].map(
    ([path, data]) => [path, typeof data === "string" ? data : files.readBytes(data.copy)] as const,
  );
  return { ...conversion!, read };
}

/** Syntax of other tools, which readers would see. */
const foreign = /:::|!!! |\?\?\? |=== "|\{%|\[block:|\[\/block\]|> 📘|<<<|@include|--8<--|\[\[toc\]\]|\[TOC\]/i;
/** Links of the samples that lead to nothing in the source either. */
const broken = /(?:gone|nobody|nowhere|nothing)/;

describe("a sample of", () => {
  for (const name of readdirSync(samples).filter((each) => !each.endsWith(".txt")))
    test(`${name} becomes a site with every page`, async () => {
      const source = join(samples, name);
      const before = contentOf(source);
      const conversion = await convert(source);
      const texts = conversion.read.filter(([path]) => /\.(?:mdx|json)$/.test(path));
      const printed = texts
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([path, data]) => `##### ${path}\n${Buffer.from(data as string).toString("utf8")}`);
      const actual = [conversionReport(conversion, name, true), ...printed].join("\n");
      const expected = join(samples, `${name}.expected.txt`);
      if (process.env["UPDATE_GOLDEN"]) writeFileSync(expected, actual);
      expect(actual).toBe(readFileSync(expected, "utf8"));

      const target = join(temporaryFolder(), "site");
      writeNew(target, conversion.read);
      const result = await runExport({ source: target, output: "memory" }, { pagePool: createPoolInProcess });
      const errors = result.diagnostics.filter(({ severity }) => severity === "error");
      expect(errors).toEqual([]);
      const missing = result.diagnostics.filter(({ code, what }) => code === "LINK_NOT_FOUND" && !broken.test(what));
      expect(missing).toEqual([]);
      expect(result.pageCount).toBeGreaterThanOrEqual(conversion.pageCount);
      const pages = Object.entries(Object.fromEntries(result.files!)).filter(([path]) => path.endsWith(".html"));
      expect(pages.length).toBeGreaterThanOrEqual(conversion.pageCount);
      for (const [path, bytes] of pages) {
        const main = /<main[\s\S]*<\/main>/.exec(Buffer.from(bytes).toString("utf8"))?.[0] ?? "";
        const text = main.replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, "");
        expect(foreign.exec(text)?.[0], path).toBe(undefined);
      }
      expect(contentOf(source)).toEqual(before);
    });
});

describe("a hostile folder", () => {
  const docusaurus = (files: Readonly<Record<string, string>>): string => {
    const config = 'export default { title: "T", presets: [["classic", { docs: { sidebarPath: "./sidebars.js" } }]] };';
    return writeSite(temporaryFolder(), {
      "docusaurus.config.js": config,
      "docs.json.bak": "",
      ...files,
      "docs.json": "{}",
    });
  };

  test("runs no code in this process", async () => {
    const run = 'globalThis.wasRun = true; process.env.WAS_RUN = "1";';
    const folder = docusaurus({
      "docusaurus.config.js": `${run} export default { title: (() => { ${run} return "T"; })(), tagline: \`a\${(${"globalThis.wasRun = true"})}\` };`,
      "sidebars.js": `${run} module.exports = { docs: [eval("1"), ...f(), { get items() { ${run} } }] };`,
      "docs/a.mdx": `export const x = (() => { ${run} })();\n\n# A\n\n{x}\n`,
    });
    expect((await convert(folder)).pageCount).toBe(1);
    expect([(globalThis as { wasRun?: true }).wasRun, process.env["WAS_RUN"]]).toEqual([undefined, undefined]);
  });

  test("writes and reads nothing outside", async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, "secret.md"), "# Secret");
    writeFileSync(join(outside, "secret.svg"), "<svg/>");
    const folder = docusaurus({
      "sidebars.js": 'export default { docs: ["a", "../../secret"] };',
      "docs/a.md":
        "---\nslug: ../../../../escape\n---\n\nimport S from '../../../secret.mdx';\n\n<S />\n\n![x](../../../../../secret.svg) ![y](../img/out.svg)\n",
      "docs/..b/c.md": "# C\n",
      "docs/con\u0001trol.md": "# D\n",
    });
    mkdirSync(join(folder, "img"));
    symlinkSync(join(outside, "secret.svg"), join(folder, "img/out.svg"));
    symlinkSync(join(outside, "secret.md"), join(folder, "docs/linked.md"));
    const { files, read } = await convert(folder);
    for (const path of files.keys()) expect(path).not.toMatch(/(?:^|\/)\.|^\/|\\|secret|linked|out\.svg/);
    expect([...files.keys()]).toContain("docs/escape.mdx");
    expect(read.map(([, data]) => Buffer.from(data as string).toString("utf8")).join("\n")).not.toContain("# Secret");
  });

  const deep = 10_000;
  const cases: readonly (readonly [name: string, files: Readonly<Record<string, string>>])[] = [
    [
      "levels in JavaScript",
      { "sidebars.js": `export default ${"[".repeat(deep)}${"]".repeat(deep)};`, "docs/a.md": "# A\n" },
    ],
    ["signs in JavaScript", { "sidebars.js": `export default ${"!".repeat(100 * deep)}1;`, "docs/a.md": "# A\n" }],
    [
      "levels in YAML and of blocks, a long line, open tags and links",
      {
        "docs/yaml.md": `---\na: ${"[".repeat(deep)}\n---\n\n# A\n`,
        "docs/blocks.md": ":::note\n".repeat(deep),
        "docs/line.md": `${"<a {`[![".repeat(4 * deep)}\n`,
        "docs/tags.md": `${'<a "x\n<b {y\n'.repeat(deep)}\n`,
        "docs/links.md": `${"[a](b [c]: <d\n".repeat(deep)}\n`,
      },
    ],
    [
      "names of prototypes",
      {
        "sidebars.js": 'export default { __proto__: ["a"], constructor: ["a"], docs: ["toString"] };',
        "docs/a.md": "---\n__proto__: 1\nconstructor: 2\n---\n\n:::constructor\nA\n:::\n",
      },
    ],
  ];
  for (const [name, files] of cases)
    test(`with ${name} is converted in a short time`, async () => {
      const wanted = Object.keys(files).filter((path) => path.endsWith(".md")).length;
      const site = docusaurus(files);
      const { pageCount } = await withinCpu(8000, () => convert(site));
      expect(pageCount).toBe(wanted);
    });

  test("with deep nesting in the settings of MkDocs and GitBook is converted, too", async () => {
    const mkdocs = writeSite(temporaryFolder(), {
      "mkdocs.yml": `nav: ${"[".repeat(deep)}`,
      "docs/a.md": `${"!!! note\n    ".repeat(10)}${"    ".repeat(deep)}!!! note\n`,
      "docs.json": "",
    });
    expect((await convert(mkdocs)).pageCount).toBe(1);
    const items = Array.from({ length: deep }, (_, i) => `${" ".repeat(Math.min(i, 4000))}* [a](a.md)`).join("\n");
    const gitbook = writeSite(temporaryFolder(), {
      "SUMMARY.md": items,
      "a.md": `${"{% hint %}".repeat(deep)}\n`,
      "docs.json": "",
    });
    expect((await convert(gitbook)).pageCount).toBe(1);
  });
});

describe("a folder that is a part of its repository", () => {
  const repository = (files: Readonly<Record<string, string>>): string =>
    writeSite(temporaryFolder(), {
      "docs.json": "{}",
      ".gitignore": "",
      "docs/start.md": "# Start\n\n![x](./x.svg)\n",
      "docs/x.svg": "<svg/>",
      ...files,
    });

  test("is converted with pages that its settings name outside of it", async () => {
    const folder = repository({
      "site/docusaurus.config.ts":
        'import { name } from "../package.json";\nexport default { title: name, presets: [["classic", { docs: { path: "../docs", sidebarPath: "./sidebars.js" } }]] };',
      "site/sidebars.js": 'module.exports = { docs: [{ type: "doc", id: "start", label: "Begin" }] };',
      "package.json": '{ "name": "Outer" }',
    });
    const { name, files, notes } = await convert(join(folder, "site"));
    expect([name, notes]).toEqual(["Outer", []]);
    expect(String(files.get("docs/start.mdx"))).toMatch(/sidebarTitle: "Begin"\ntitle: "Start"/);
    expect([...files.keys()]).toContain("docs/x.svg");
  });

  test("never falls through to another tool: settings without pages are reported as a missing page", async () => {
    const folder = repository({
      "site/mkdocs.yml": "site_name: S\ndocs_dir: ../nowhere\n",
      "site/README.md": "# Read me\n",
    });
    const { tool, pageCount, notes } = await convert(join(folder, "site"));
    expect([tool, pageCount]).toEqual(["MkDocs", 0]);
    expect(notes).toEqual([
      expect.objectContaining({ kind: "page", what: expect.stringContaining("no pages were found") }),
    ]);
  });

  test("reads nothing above the repository", async () => {
    const folder = repository({
      "site/docusaurus.config.js": 'export default { presets: [["classic", { docs: { path: "../../../docs" } }]] };',
    });
    const { pageCount } = await convert(join(folder, "site"));
    expect(pageCount).toBeLessThanOrEqual(1);
  });
});

test("versions, translations and the blog of Docusaurus become parts of the navigation", async () => {
  const folder = writeSite(temporaryFolder(), {
    "docs.json": "{}",
    "docusaurus.config.js":
      'export default { title: "T", i18n: { defaultLocale: "en", locales: ["en", "fr"] }, presets: [["classic", { docs: {} }]] };',
    "docs/a.md": "# A\n",
    "versions.json": '["1.0"]',
    "versioned_docs/version-1.0/a.md": "# A of 1.0\n",
    "i18n/fr/docusaurus-plugin-content-docs/current/a.md": "# A en français\n",
    "blog/2026-01-02-new.md": "---\ntitle: New\n---\n",
    "blog/2026-01-01-old.md": "---\ntitle: Old\n---\n",
  });
  const { files } = await convert(folder);
  const { navigation } = JSON.parse(String(files.get("docs.json"))) as {
    navigation: { languages: { language: string }[] };
  };
  expect(navigation.languages.map(({ language }) => language)).toEqual(["en", "fr"]);
  const written = JSON.stringify(navigation);
  for (const part of [
    '"version":"1.0"',
    '"version":"Next"',
    '"docs/a"',
    '"docs/next/a"',
    '"blog/2026/01/02/new","blog/2026/01/01/old"',
    "fr/docs/",
  ])
    expect(written).toContain(part);
});

test("languages of Hugo have a settings file each, or their code in the names of pages", async () => {
  const inFolders = writeSite(temporaryFolder(), {
    "config/_default/hugo.toml": 'title = "T"\ndefaultContentLanguage = "en"\n',
    "config/_default/languages.en.toml": 'contentDir = "content/en"\nlabel = "English"\n',
    "config/_default/languages.fr.toml": 'contentDir = "content/fr"\nlabel = "Français"\n',
    "config/_default/menus.en.toml": '[[main]]\nname = "Forum"\nurl = "https://forum.example.com"\n',
    "content/en/docs/a.md": "---\ntitle: A\n---\n[B](/docs/b/)\n",
    "content/en/docs/b.md": "---\ntitle: B\n---\n",
    "content/fr/docs/a.md": "---\ntitle: A en français\n---\n",
  });
  const first = await convert(inFolders);
  expect([...first.files.keys()].filter((path) => path.endsWith(".mdx")).toSorted()).toEqual([
    "docs/a.mdx",
    "docs/b.mdx",
    "fr/docs/a.mdx",
  ]);
  expect(first.notes.filter(({ kind }) => kind === "link")).toEqual([]);
  expect(String(first.files.get("docs.json"))).toContain("https://forum.example.com");

  const byName = writeSite(temporaryFolder(), {
    "hugo.toml": '[languages.en]\nlabel = "English"\n[languages.de]\nlabel = "Deutsch"\n',
    "content/soil/_index.md": "---\ntitle: Soil\n---\n",
    "content/soil/_index.de.md": "---\ntitle: Boden\n---\n",
    "content/soil/clay.md": "---\ntitle: Clay\n---\n",
    "content/soil/clay.de.md": "---\ntitle: Lehm\n---\n",
  });
  const second = await convert(byName);
  const { navigation } = JSON.parse(String(second.files.get("docs.json"))) as { navigation: unknown };
  expect(navigation).toEqual({
    languages: [
      { language: "en", default: true, groups: [{ group: "Soil", root: "soil/index", pages: ["soil/clay"] }] },
      { language: "de", groups: [{ group: "Boden", root: "de/soil/index", pages: ["de/soil/clay"] }] },
    ],
  });
});

test("a navigation that a package makes is an error that names the expression", async () => {
  const folder = writeSite(temporaryFolder(), {
    "docs.json": "{}",
    ".vitepress/config.ts":
      'import { made, names } from "a-package";\nconst some = [...names].filter((name) => !name.hidden);\nexport default { themeConfig: { sidebar: [...made("x"), { text: "Mine", link: "/a" }, { text: names.first, link: "/b" }, { text: "More", items: some }] } };',
    "a.md": "# A\n",
  });
  const { files, notes } = await convert(folder);
  expect(String(files.get("a.mdx"))).toContain('sidebarTitle: "Mine"');
  expect(notes).toEqual([
    expect.objectContaining({ kind: "navigation", what: expect.stringMatching(/a-package\.made\(\).*config\.ts:1/) }),
    expect.objectContaining({ kind: "navigation", what: expect.stringMatching(/names\.first/) }),
    expect.objectContaining({ kind: "navigation", what: expect.stringMatching(/"More" has no entries/) }),
  ]);
});

test("redirects of the old site's host are converted, and those with conditions are reported", async () => {
  const folder = writeSite(temporaryFolder(), {
    "docs.json": "{}",
    "docusaurus.config.js":
      'export default { title: "T", baseUrl: "/base/", presets: [["classic", { docs: { routeBasePath: "/" } }]] };',
    "docs/new.md": "# New\n",
    "static/_redirects":
      "# Old places\n/old /new 301\n/base/guide/* /base/guides/:splat 302!\n/api-* /reference-:splat\n/fr/* /fr/404 404\n/* /de/:splat 302 Language=de\nhttps://www.example.com/* https://example.com/:splat 301!\n",
    "netlify.toml":
      '[[redirects]]\nfrom = "/chat"\nto = "https://chat.example.com"\nstatus = 302\n\n[[redirects]]\nfrom = "/app/*"\nto = "/app.html"\nstatus = 200\n',
    "vercel.json":
      '{ "redirects": [{ "source": "/v1/:path*", "destination": "/:path*", "permanent": true }, { "source": "/(a|b)", "destination": "/new" }] }',
  });
  const { files, notes } = await convert(folder);
  const { redirects } = JSON.parse(String(files.get("docs.json"))) as { redirects: Record<string, string>[] };
  expect(redirects.map(({ source, destination }) => `${source} ${destination}`)).toEqual([
    "/chat https://chat.example.com",
    "/v1/:path* /:path*",
    "/old /new",
    "/guide/:splat* /guides/:splat*",
    "/api-* /reference-*",
  ]);
  expect(notes.map(({ sourcePath, line }) => [sourcePath, line])).toEqual([
    ["static/_redirects", 6],
    ["vercel.json", 1],
  ]);
});

test("code that Twoslash compiles shows the same lines as the old site", async () => {
  const folder = writeSite(temporaryFolder(), {
    "docs.json": "{}",
    ".vitepress/config.ts": "export default {};",
    "a.md":
      '# A\n\n```ts twoslash {2}\nimport { dig } from "soil";\n// ---cut---\n// @errors: 2345\n// @ts-ignore\ndig(1);\n//   ^?\n// ---cut-start---\nwater();\n// ---cut-end---\nplant();\n```\n\n```ts\n// ---cut---\n```\n',
  });
  expect(String((await convert(folder)).files.get("a.mdx"))).toContain(
    "```ts {2}\n// @ts-ignore\ndig(1);\nplant();\n```\n\n```ts\n// ---cut---\n```",
  );
});

test("a fence in a comment opens no code", async () => {
  const folder = writeSite(temporaryFolder(), {
    "docs.json": "{}",
    "mkdocs.yml": "site_name: S\n",
    "docs/a.md":
      "# A\n\n<!-- Not yet:\n\n````sh\ndig\n```\n-->\n\n!!! note\n    Text.\n\n<!-- no end\n\n```sh\ndig <now>\n```\n",
  });
  const page = String((await convert(folder)).files.get("a.mdx"));
  expect(page).toMatch(/<Note>\s+Text\.\s+<\/Note>/);
  expect(page).toContain("```sh\ndig <now>\n```");
});

test("front matter in TOML may follow an empty line", async () => {
  const folder = writeSite(temporaryFolder(), {
    "docs.json": "{}",
    "hugo.toml": 'title = "T"\n',
    "content/docs/a.md": '\n+++\ntitle = "Scaled objects"\n+++\n\nText.\n',
  });
  expect(String((await convert(folder)).files.get("docs/a.mdx"))).toBe('---\ntitle: "Scaled objects"\n---\n\nText.\n');
});

test("text between a tag without an end and the end of the block around it stays", async () => {
  const folder = writeSite(temporaryFolder(), {
    "docs.json": "{}",
    "SUMMARY.md": "* [A](a.md)\n",
    "a.md": '# A\n\n{% hint style="info" %}\n{% embed url="https://example.com" %}\n\nThese words.\n{% endhint %}\n',
  });
  expect(String((await convert(folder)).files.get("a.mdx"))).toContain("These words.");
});
