/** The gate over whole sites: it accepts sound bundles, and sees each kind of damage. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkInBrowser, notes } from "../../scripts/sweep/sites/check-in-browser.js";
import { checkPages } from "../../scripts/sweep/sites/check-pages.js";
import { checkBundle } from "../../scripts/sweep/sites/check-site.js";
import { findSites, readSite } from "../../scripts/sweep/sites/source-site.js";
import { createCounts } from "../../scripts/sweep/specs/tally.js";
import { lazy } from "../../src/lib/memo.js";
import { sampleOf } from "../quality/bundle.js";
import { findChromium } from "../support/browser.js";
import { writeSite } from "../support/cli.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { sharedExport } from "../support/shared-export.js";

const settings = {
  name: "Habits",
  theme: "mint",
  colors: { primary: "#0f766e" },
  banner: { content: "Read the news", dismissible: true },
  navbar: { links: [{ label: "Support", href: "https://example.com" }] },
  variables: { product: "Kettle" },
  navigation: { groups: [{ group: "Start", pages: ["index", "guides/boil"] }] },
};
/** A page for each habit that makes a reader of MDX stumble. */
const habits = {
  "docs.json": JSON.stringify(settings),
  "index.mdx": `---
title: Tea & water
description: What a [cup](/guides/boil) needs
---
import Hint from "/snippets/hint.mdx";

export const cups = [1, 2];

The {{product}} holds {cups.length} cups, and *each* of th**em** is [full [to the brim]](/guides/boil) &mdash; so they say.

<Hint />

<CardGroup cols={2}>
  <Card title="Boil" href="/guides/boil">Ten minutes are enough</Card>
  <Card title="Pour">Slowly, please</Card>
</CardGroup>

<Tabs>
  <Tab title="Shell">
    \`\`\`bash
    kettle --on
      && wait
    \`\`\`
  </Tab>
</Tabs>

| Leaf | Minutes |
| --- | --- |
| Green | \`2\` to 3 |

<table><tbody><tr><td style={{ border: "1px solid", width: 90, height: 40 }}></td><td>No sugar</td></tr></tbody></table>

A remark[^1] below the table.

[^1]: It stands at the end of the page.
`,
  "snippets/versions.jsx": `export const Versions = () => {
  const [wide] = useState("PeppermintChamomileAndVerveine");
  return <table><tbody><tr><td>{wide}</td><td>{wide}</td></tr></tbody></table>;
};
`,
  "guides/boil.mdx": `---
title: Boil
---
import { Versions } from "/snippets/versions.jsx";

<Versions />

Take {/* much */} water, then <Tooltip tip="A stove or a fire">heat</Tooltip> it for a while.

<Visibility for="agents">Only machines read this.</Visibility>

<div style={{ padding: "1rem", background: "#fff" }}>A box of the author, white in **both modes**.</div>
<div style={{ padding: "1rem", backgroundColor: "rgb(17, 24, 39)" }}>A box, dark in **both modes**.</div>
`,
  "guides/alone.mdx": "---\ntitle: Alone\n---\n\nNo entry leads here.\n",
  "snippets/hint.mdx": "A hint from a snippet.\n",
  "README.md": "# Not a page\n",
};

const chromium = findChromium();
const browser = sharedBrowser(chromium);
let folder: string;
let source: string;
let bundle: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
  source = join(folder, "site");
  bundle = join(folder, "bundle");
  writeSite(source, habits);
  await exportInProcess({ source, output: bundle });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Options {
  readonly site?: string;
  readonly inBrowser?: boolean;
}
/** All misses of a bundle, one line each. */
async function missesOf(path: string, { site = source, inBrowser = false }: Options = {}): Promise<string[]> {
  const counts = createCounts(20);
  const options = { browser: inBrowser ? browser() : undefined, samples: 2, seed: 1 };
  await checkBundle("site", site, path, options, counts);
  return [...counts.kinds].flatMap(([kind, { examples }]) =>
    notes.has(kind) ? [] : examples.map(({ place, what }) => `${kind}: ${place}: ${what}`),
  );
}

test("the pages of a site are those of its navigation and its files, without snippets and notes for authors", () => {
  expect(readSite(source).pages).toEqual([
    { file: "index.mdx", isInNavigation: true },
    { file: "guides/boil.mdx", isInNavigation: true },
    { file: "guides/alone.mdx", isInNavigation: false },
  ]);
});

test("a site with the settings of the older format is found, with its pages", () => {
  const sites = fileURLToPath(new URL("../../fixtures/sites", import.meta.url));
  expect(findSites(sites).sites).toContain("old-format");
  expect(readSite(join(sites, "old-format")).pages.map(({ file }) => file)).toContain("quickstart.mdx");
});

test("a site in a folder of its repository is found, and a folder without one is reported", () => {
  const root = mkdtempSync(join(tmpdir(), "offprint-sites-"));
  try {
    for (const path of ["shop/packages/docs", "shop/packages/web", "notes/node_modules/starter"])
      mkdirSync(join(root, path), { recursive: true });
    for (const path of ["shop/packages/docs", "notes/node_modules/starter"])
      writeFileSync(join(root, path, "docs.json"), "{}");
    expect(findSites(root)).toEqual({ sites: ["shop/packages/docs"], without: ["notes"] });
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("the bundle of a site without pages is a miss", async () => {
  const empty = mkdtempSync(join(tmpdir(), "offprint-sites-"));
  try {
    writeFileSync(join(empty, "docs.json"), "{}");
    const { counts } = await checkBundle(
      "empty",
      empty,
      empty,
      { browser: undefined, samples: 1, seed: 1 },
      createCounts(1),
    );
    expect(counts.kinds.get("site with pages")?.missed).toBe(1);
  } finally {
    rmSync(empty, { recursive: true });
  }
});

test("a sound bundle has no misses", async () => expect(await missesOf(bundle)).toEqual([]));

test("the gallery, and in a sweep the handbook, have no misses", async () => {
  for (const name of sampleOf(["gallery", "handbook"] as const, 1)) {
    const site = fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
    expect(await missesOf((await sharedExport(name)).folder, { site })).toEqual([]);
  }
});

type Edit = (html: string) => string;
const replaced =
  (from: string | RegExp, to: string): Edit =>
  (html) => {
    const edited = html.replace(from, to);
    expect(edited).not.toBe(html);
    return edited;
  };
const added = (html: string): Edit => replaced("</main>", `${html}</main>`);

/** The damage to a page, and the miss that must be reported. */
type Damage = readonly [about: string, edit: Edit | "remove", miss: RegExp];

const damages: readonly Damage[] = [
  ["a page that is not there", "remove", /^page of the navigation: index\.mdx/],
  ["a word that is lost", replaced("Slowly", ""), /^words: index\.mdx: Slowly please/],
  ["a lost space", replaced("Ten minutes", "Tenminutes"), /^words: index\.mdx: Ten minutes/],
  ["words of a snippet that are lost", replaced("A hint from a snippet", ""), /^words: index\.mdx: A hint from/],
  ["a cell that is lost", replaced("Green", ""), /^words: index\.mdx: Green/],
  ["a title that is lost", replaced(/Tea &#?\w+; water|Tea & water/g, "Tea"), /^title: index\.mdx: Tea water/],
  ["a sign of code that is lost", replaced("--on", "on"), /^code letter by letter: index\.mdx: kettle --on/],
  ["an error box", added('<div class="error-box">It could not be read</div>'), /^error box: index\.mdx/],
  ["a part that could not be rendered", added('<div class="live-code-note">x</div>'), /^note of failure/],
  ["a label of nothing", added('<a href="x">Link</a>'), /^placeholder word: index\.mdx: Link in a/],
  ["a value of nothing", added("<p>undefined</p>"), /^placeholder word: index\.mdx: undefined/],
  ["an object as a text", added("<p>The [object Object] is</p>"), /^placeholder word/],
];

/** Damages that only a browser sees, and the misses that must be reported. */
const painted = added(`<link rel="stylesheet" href="_offprint/damage.css">
<button>Faint</button><button class="on-picture">On a picture</button><button></button>
<iframe src="https://example.com/film" width="300" height="200" title="Film"></iframe>
<video src="https://example.com/film.mp4" width="300" height="200"></video>
<div class="empty"></div><span class="own-icon"></span><svg width="24" height="24"></svg>
<span class="own-icon masked"></span><img src="gone.png" alt="Gone" width="20" height="20"><img src="favicon.svg">
<div class="scroll"><table><tr><td class="wide">a</td><td>Meaning</td></tr></table></div><div class="long"></div>
<script>setTimeout(() => document.querySelector("main").style.paddingTop = "500px", 60); throw new Error("broken")</script>`);
const paint = `button:not(.on-picture) { color: #ddd; background: #fff }
.on-picture { color: #333; background: linear-gradient(90deg, #222, #444) }
#banner, #banner * { color: #222 !important; background: #111 !important }
.nav-link, #sidebar a { color: #eee !important; background: #fff !important }
.card-title { color: #eee !important }
.card { background: #fff !important }
.empty { width: 80px; height: 40px; border: 1px solid red }
.own-icon { display: inline-block; width: 24px; height: 24px }
.masked { background: red; mask-image: url(https://example.com/bolt.svg) }
.scroll { overflow: auto; width: 500px } .wide { min-width: 2000px }
.long { width: 4000px; height: 9px }`;
const paintedMisses = [
  /^contrast in button: .*"Faint"/,
  /^contrast in button: .* on a picture: .*"On a picture"/,
  /^contrast in banner/,
  /^contrast in navigation/,
  /^contrast in card/,
  /^empty box: .*a frame of https:\/\/example\.com/,
  /^empty box: .*a video/,
  /^empty box: .*80 × 40/,
  /^empty box: .*24 × 24/,
  /^icon without a drawing/,
  /^icon that cannot load: .*bolt\.svg/,
  /^broken picture: .*gone\.png/,
  /^table column out of view: .*1 of 2: "Meaning"/,
  /^page wider than the window/,
  /^control without a name/,
  /^axe: image-alt/,
  /^layout shift/,
  /^error in the console: .*broken/,
];

/** A copy of the bundle, whose first page each test damages and restores. */
const copied = lazy(() => {
  const damaged = join(folder, "damaged");
  cpSync(bundle, damaged, { recursive: true });
  writeFileSync(join(damaged, "_offprint/damage.css"), paint);
  return damaged;
});

async function missesAfter(edit: Edit | "remove", options: Options = {}): Promise<string[]> {
  const path = join(copied(), "index.html");
  const html = readFileSync(path, "utf8");
  if (edit === "remove") rmSync(path);
  else writeFileSync(path, edit(html));
  const misses = await missesOf(copied(), options);
  writeFileSync(path, html);
  return misses;
}

describe.skipIf(chromium === undefined)("in a browser", () => {
  test("a sound bundle has no misses", async () => expect(await missesOf(bundle, { inBrowser: true })).toEqual([]));

  test("everything that a reader would notice is reported", async () => {
    const misses = await missesAfter(painted, { inBrowser: true });
    expect(paintedMisses.filter((pattern) => !misses.some((line) => pattern.test(line)))).toEqual([]);
  });

  test("a page that keeps the browser busy in one view is reported, and the next one is measured", async () => {
    const damaged = join(folder, "busy");
    cpSync(bundle, damaged, { recursive: true });
    const path = join(damaged, "index.html");
    const busy = `<script>if (matchMedia("(prefers-color-scheme: dark) and (min-width: 1000px)").matches) for (;;);</script>`;
    writeFileSync(path, added(busy)(readFileSync(path, "utf8")));
    const counts = createCounts(20);
    const pages = checkPages(readSite(source), bundle, counts).slice(0, 2);
    await checkInBrowser(browser(), damaged, pages, counts, 3_000);
    const { checked, missed, examples } = counts.kinds.get("not measured")!;
    expect([checked, missed >= 1, examples[0]!.what]).toEqual([10, true, "the browser was still busy after 3 s"]);
    expect(counts.kinds.get("layout shift")!.checked).toBe(checked - missed);
    expect(missed).toBeLessThan(checked);
  });
});

describe("the gate reports", () => {
  for (const [about, edit, miss] of damages)
    test(about, async () => expect((await missesAfter(edit)).filter((line) => miss.test(line))).not.toEqual([]));

  test("words in another order", async () => {
    const swap: Edit = (html) =>
      html
        .replace("A hint from a snippet", "HINT")
        .replace(/and <em>each<\/em>[^.]*/, "A hint from a snippet")
        .replace("HINT", "and each of them is full [to the brim] — so they say");
    expect(await missesAfter(swap)).toContainEqual(expect.stringMatching(/^(?:order of the )?words: index\.mdx/));
  });
});
