/** A section as one document: its content, and its pages on paper in Chromium. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newFolder, writeSite } from "../security/site-folder.js";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { sharedBrowser } from "../support/shared-browser.js";

const chromium = findChromium();
const place = newFolder("print");
afterAll(() => rmSync(place, { recursive: true, force: true }));

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
const page = (title: string, text: string) => `---\ntitle: ${title}\ndescription: About ${title}.\n---\n\n${text}\n`;
const source = writeSite(join(place, "site"), {
  "index.mdx": page("Home", "## Setup\n\nSee [the first step](/guides/install#setup) and [the API](/api)."),
  "guides/install.mdx": page(
    "Install",
    "## Setup\n\n[Back](../index#setup), [down](#setup), [on](deep/tune), [out](https://example.com/).\n\n" +
      "![A drawing](/images/a.svg)\n\n<Accordion title='More'>Hidden **text**.</Accordion>\n\n```js\nconst a = 1;\n```",
  ),
  "guides/deep/tune.mdx": page("Tune", "### Skipped level\n\n$$\nx^2\n$$"),
  "api.mdx": page("API", "Text."),
  "hidden.mdx": page("Hidden", "Text."),
  "images/a.svg": picture,
  "docs.json": {
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0a6c5b" },
    navigation: {
      tabs: [
        {
          tab: "Guides",
          groups: [
            { group: "Start", pages: ["index", "guides/install", { group: "Deeper", pages: ["guides/deep/tune"] }] },
          ],
        },
        { tab: "Reference", pages: ["api"] },
      ],
    },
  },
});

type Element = DefaultTreeAdapterTypes.Element;
function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("tagName" in node) found.push(node);
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return found;
}
const attributeOf = ({ attrs }: Element, name: string) => attrs.find((each) => each.name === name)?.value;
const textOf = (node: DefaultTreeAdapterTypes.Node): string =>
  "value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textOf).join("") : "";

describe("a site exported with print", () => {
  let files: ReadonlyMap<string, Uint8Array>;
  const text = (path: string): string => Buffer.from(files.get(path)!).toString("utf8");
  beforeAll(async () => {
    const result = await exportInProcess({ source, output: "memory", print: true, baseUrl: "https://docs.acme.com" });
    if (!result.ok) throw new Error("not exported");
    expect(result.diagnostics.filter(({ severity }) => severity !== "hint")).toEqual([]);
    files = result.files;
  });
  const printed = () => [...files.keys()].filter((path) => path.startsWith("_print/")).sort();

  test("has one document for each tab, and links to it in the menus of its pages", () => {
    expect(printed()).toEqual(["_print/guides.html", "_print/reference.html"]);
    expect(text("guides/deep/tune.html")).toContain('href="../../_print/guides.html"');
    expect(text("api.html")).toContain('href="_print/reference.html"');
    expect(text("hidden.html")).not.toContain("_print/");
  });

  test("gives each document unique ids, links that lead somewhere, and headings that nest", () => {
    const elements = elementsOf(text("_print/guides.html"));
    const ids = elements.flatMap((element) => attributeOf(element, "id") ?? []);
    expect(ids.length).toBe(new Set(ids).size);
    const hrefs = elements.flatMap((each) => (each.tagName === "a" ? (attributeOf(each, "href") ?? []) : []));
    for (const href of hrefs)
      if (href.startsWith("#")) expect(ids).toContain(decodeURIComponent(href.slice(1)));
      else if (!/^https?:/.test(href)) expect([...files.keys()]).toContain(href.slice("../".length).split("#")[0]);
    expect(hrefs).toEqual(expect.arrayContaining(["#p1-setup", "#p0-setup", "#p2", "../api.html"]));
    const headings = elements.flatMap(({ tagName }, at) =>
      /^h\d$/.test(tagName) ? `${tagName} ${textOf(elements[at]!).trim()}` : [],
    );
    expect(headings).toEqual([
      "h1 Guides",
      "h2 Start",
      "h3 Home",
      "h4 Setup",
      "h3 Install",
      "h4 Setup",
      "h3 Deeper",
      "h4 Tune",
      "h6 Skipped level",
    ]);
    const missing = elements.flatMap((each) => {
      const path = /^(?:link|img|script)$/.test(each.tagName)
        ? attributeOf(each, each.tagName === "link" ? "href" : "src")
        : undefined;
      return path === undefined || files.has(path.slice("../".length)) ? [] : path;
    });
    expect(missing).toEqual([]);
    expect(elements.find(({ tagName, attrs }) => tagName === "meta" && attrs[0]?.value === "robots")).toBeTruthy();
  });

  test("keeps them out of what search engines and agents read", () => {
    for (const path of files.keys())
      if (/sitemap|llms|search|\.md$/.test(path)) expect(text(path)).not.toContain("_print/");
  });

  test("has no such document without the setting", async () => {
    const without = await exportInProcess({ source, output: "memory" });
    expect(without.ok && [...without.files.keys()].filter((path) => /_print\/|\/print/.test(path))).toEqual([]);
  });

  describe.skipIf(chromium === undefined)("on paper", () => {
    const browser = sharedBrowser(chromium);
    test("starts each page on a sheet, works as a document, and has an outline", async () => {
      const output = join(place, "out");
      writeSite(output, Object.fromEntries(files));
      const shown = await browser().newPage();
      await shown.goto(pathToFileURL(join(output, "_print/guides.html")).href);
      expect(await shown.isVisible("#print")).toBe(true);
      const pdf = (await shown.pdf({ outline: true, tagged: true, preferCSSPageSize: true })).toString("latin1");
      await shown.close();
      // Cover, contents, three pages.
      expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(5);
      const outline = [...pdf.matchAll(/\/Title \(([^)]*)\)/g)].map(([, title]) => title);
      expect(outline).toEqual(expect.arrayContaining(["Guides", "Start", "Install", "Deeper", "Tune"]));
      expect(pdf).toContain("/Dest /p1-setup");
    });
  });
});
