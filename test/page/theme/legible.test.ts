/** Habits of real sites that would make a page hard to read, in Chromium: one small site with each of them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, describe, test } from "vitest";
import { newFolder, writeSite } from "../../security/site-folder.js";
import { findChromium } from "../../support/browser.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { sharedBrowser } from "../../support/shared-browser.js";

const chromium = findChromium();

const guides = ["index", "tables", "outline", "painted", ...Array.from({ length: 40 }, (_, at) => `guide-${at + 1}`)];

const messages = `| Message | Reason |
| --- | --- |
| \`the folder of the output has files that come from no export, so nothing in it is replaced\` | A program wrote there. |
| \`npm run build\` | It is short. |
`;
const identifier = "deployment.kubernetes.podDisruptionBudget/maxUnavailable";
const wideTable = [
  "| Setting | Type | Default | Meaning |",
  "| --- | --- | --- | --- |",
  ...["first", "second"].map(
    (name) =>
      `| \`${identifier}.${name}\` | \`optionalPositiveInteger\` | \`${"ab12".repeat(12)}\` | ${"It says how. ".repeat(9)} |`,
  ),
].join("\n");
const manyColumns = ["", "---", "`aVeryLongNameOfSomething`", "cell"]
  .map((cell) => `| ${Array.from({ length: 12 }, (_, at) => cell || `Column${at}`).join(" | ")} |`)
  .join("\n");
const tables = `${wideTable}\n\n${manyColumns}\n\n| A | B |\n| --- | --- |\n| \`short\` | Words |\n`;

/** What sites paint, with no word about the text on it. */
const style = `
:root { --ink: #101014; --paint: var(--ink); }
html.dark { --paint: #fde68a; }
#banner { background: var(--missing, #0f0f0f) !important; }
#banner::before { content: ""; position: absolute; inset: 0; z-index: -1; background: #0f0f0f; }
#navbar { background-color: var(--paint); }
#topbar-cta-button a { background: oklch(0.97 0.02 90); }
#topbar-cta-button > a > span.absolute { background: #fff3c4; }
.dark #topbar-cta-button .bg-primary-dark { background-color: #101014; }
.card { background: #fff; }
.dark .card { background: rgb(17 17 17 / 0.95); }
@media (width >= 10px) { .callout { background: linear-gradient(90deg, #1e3a8a, #4c1d95 60%, #134e4a); } }
.tabs { background: linear-gradient(90deg, #000, #fff); }
`;

const site = {
  "style.css": style,
  "docs.json": {
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0f766e" },
    contextual: { options: ["copy", "view"], display: "header" },
    banner: { content: "A [new](/outline) version", color: { light: "#fde68a", dark: "#fde68a" } },
    navbar: {
      links: [
        { label: "", title: "Community", icon: "slack", href: "https://chat.acme.example" },
        { label: "", icon: "discord", href: "https://discord.example/invite" },
        { label: " ", title: "Journal", href: "https://journal.acme.example" },
      ],
      primary: { type: "button", label: "", title: "Sign up", icon: "star", href: "https://app.acme.example" },
    },
    footer: { links: [{ items: [{ label: "", title: "Source", icon: "github", href: "https://git.example" }] }] },
    navigation: {
      global: { anchors: [{ anchor: "", title: "Forum", icon: "users", href: "https://forum.acme.example" }] },
      tabs: ["Guides", "Reference", "Recipes", "Releases"].map((tab) => ({
        tab,
        versions: ["2", "1"].map((version) => ({
          version,
          groups: [{ group: "Start", pages: tab === "Guides" && version === "2" ? guides : [`${tab}-${version}`] }],
        })),
      })),
    },
  },
  "index.mdx": "---\ntitle: How to keep a long title beside the menu of its page, whatever its length\n---\n\nText.\n",
  ...Object.fromEntries(
    guides
      .slice(1)
      .map((name) => [`${name}.mdx`, `---\ntitle: ${name}\n---\n\n\`\`\`sh\n${"word ".repeat(40)}\nend\n\`\`\`\n`]),
  ),
  "painted.mdx":
    '---\ntitle: Painted\n---\n\n<Card title="A card" href="/outline">Its text.</Card>\n\n<Note>A note.</Note>\n\n' +
    '<Tabs><Tab title="One">The first.</Tab><Tab title="Two">The second.</Tab></Tabs>\n\n' +
    '<div className="box bg-white">\n## Light\n\n**Some** [words](/outline).\n\n<Info>Inside.</Info>\n' +
    '<div className="bg-[#111827]">Dark *in* it.</div>\n</div>\n\n' +
    '<div className="box bg-slate-900 dark:bg-amber-100">The other **way** round.</div>\n',
  "tables.mdx": `---\ntitle: Tables\n---\n\n${tables}\n## Messages\n\n${messages}`,
  "outline.mdx": `---\ntitle: Outline\n---\n\n## One\n\n${tables}\n## Two\n\nText.\n`,
  ...Object.fromEntries(
    ["Guides-1", "Reference-2", "Reference-1", "Recipes-2", "Recipes-1", "Releases-2", "Releases-1"].map((name) => [
      `${name}.mdx`,
      `---\ntitle: ${name}\n---\n\nText.\n`,
    ]),
  ),
};

describe.skipIf(chromium === undefined)("a page stays legible", () => {
  const browser = sharedBrowser(chromium);
  let folder: string;
  let page: Page;
  beforeAll(async () => {
    folder = newFolder("legible");
    const { diagnostics } = await exportInProcess({
      source: writeSite(newFolder("legible-site"), site),
      output: folder,
    });
    assert.deepEqual(diagnostics, []);
    page = await (await browser().newContext({ reducedMotion: "reduce" })).newPage();
  });
  const open = async (path: string, width = 1280): Promise<void> => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(pathToFileURL(join(folder, path)).href);
  };

  const boxesOf = (...selectors: string[]) =>
    Promise.all(selectors.map((selector) => page.locator(selector).first().boundingBox()));

  test("links without a label show an icon with a name, or their title", async () => {
    await open("index.html");
    const links = await page
      .locator(".navbar-links a, .footer-column a, .nav-anchor")
      .evaluateAll((all) =>
        all.map((each) => [
          each.getAttribute("aria-label") ?? "",
          each.textContent,
          each.querySelector("svg") !== null,
        ]),
      );
    assert.deepEqual(links, [
      ["Community", "", true],
      ["Discord", "", true],
      ["", "Journal", false],
      ["Sign up", "", true],
      ["", "Forum", true],
      ["Source", "", true],
    ]);
    await open("index.html", 390);
    await page.click("#mobile-nav-trigger");
    const shown = await page
      .locator(".mobile-nav-link")
      .evaluateAll((all) => all.map((each) => getComputedStyle(each, "::after").content));
    assert.deepEqual(shown, ['"Community"', '"Discord"', "none", '"Sign up"']);
  });

  test("the page menu is beside the title, whatever its length", async () => {
    for (const width of [390, 1000]) {
      await open("index.html", width);
      const [title, menu, row] = await boxesOf(".page-title", ".page-menu", ".page-title-row");
      assert.ok(menu!.y < title!.y + 10 && menu!.x >= title!.x + title!.width, `${width}`);
      assert.ok(Math.abs(row!.height - title!.height) < 2, `${width}: ${row!.height} for ${title!.height}`);
    }
  });

  test("the drawer of a phone keeps tabs and switchers visible above the current page", async () => {
    await open("guide-38.html", 390);
    await page.click("#mobile-nav-trigger");
    const [bar, tab, last, switcher, entry] = await boxesOf(
      ".mobile-nav-bar",
      ".mobile-nav-tabs li:first-child",
      ".mobile-nav-tabs li:last-child",
      "#mobile-nav .menu-version",
      "#mobile-nav [aria-current=page]",
    );
    assert.ok(bar!.y >= 0 && tab!.y >= bar!.height && last!.y + last!.height < switcher!.y);
    assert.ok(switcher!.y + switcher!.height < entry!.y && entry!.y + entry!.height < 800);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#sidebar .mobile-nav-links").count(), 0);
  });

  test("on a phone, a long logo leaves room for the menu of versions, whatever width a site gives it", async () => {
    const output = newFolder("legible-logo");
    const logo =
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="26"><rect width="400" height="26"/></svg>';
    const versions = ["2.0.0 (beta 1)", "1"].map((version, at) => ({ version, pages: [at === 0 ? "index" : "old"] }));
    await exportInProcess({
      source: writeSite(newFolder("legible-logo-site"), {
        "docs.json": {
          theme: "mint",
          name: "Acme",
          colors: { primary: "#0f766e" },
          logo: "/logo.svg",
          navigation: { versions },
        },
        "logo.svg": logo,
        "style.css": "img.nav-logo { max-width: 200px; }",
        "index.mdx": "---\ntitle: New\n---\n\nText.\n",
        "old.mdx": "---\ntitle: Old\n---\n\nText.\n",
      }),
      output,
    });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(pathToFileURL(join(output, "index.html")).href);
      const [image, menu, search] = await boxesOf(".nav-logo", ".navbar-start > .menu", "#search-bar-entry-mobile");
      assert.ok(image!.width > 80 && image!.x + image!.width <= menu!.x, `${width}: ${JSON.stringify([image, menu])}`);
      assert.ok(menu!.width > 30 && menu!.x + menu!.width <= search!.x, `${width}: ${JSON.stringify([menu, search])}`);
    }
  });

  test("on a phone no button covers the first line of code", async () => {
    const phone = await browser().newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    const touched = await phone.newPage();
    await touched.goto(pathToFileURL(join(folder, "guide-1.html")).href);
    await touched.waitForSelector(".code-block-wrap-button");
    const edges = await touched.evaluate(() => {
      const left = [...document.querySelectorAll(".code-block button")].map(
        (each) => each.getBoundingClientRect().left,
      );
      return [document.querySelector(".code-block-scroll")!.getBoundingClientRect().right, Math.min(...left)];
    });
    assert.ok(edges[0]! <= edges[1]!, `${edges}`);
    await phone.close();
  });

  test("a wide table breaks names at their separators and uses the margins, and scrolls only if it must", async () => {
    const measured = () =>
      page.locator(".table-scroll").evaluateAll((boxes) =>
        boxes.map((box) => {
          const last = box.querySelector("tr")!.lastElementChild!.getBoundingClientRect();
          const { left, right } = box.getBoundingClientRect();
          return {
            left,
            right,
            isWide: box.scrollWidth > box.clientWidth + 1,
            last: last.width,
            mark: "wide" in (box as HTMLElement).dataset,
          };
        }),
      );
    for (const path of ["outline.html", "tables.html"])
      for (const width of [1280, 1440]) {
        await open(path, width);
        await page.waitForSelector(".table-scroll[data-wide]");
        const [wide, many, small] = await measured();
        const [content, side] = await boxesOf(
          ".mdx-content",
          path === "outline.html" ? ".side-column" : ".content-container",
        );
        assert.deepEqual(
          [wide!.isWide, wide!.mark, many!.isWide, many!.mark],
          [false, false, true, true],
          `${path} ${width}`,
        );
        assert.ok(wide!.last >= 176, `${path} ${width}: the sentences have ${wide!.last} px`);
        assert.ok(wide!.left < content!.x && wide!.right > content!.x + content!.width, `${path} ${width}`);
        assert.ok(wide!.right <= (path === "outline.html" ? side!.x : width), `${path} ${width}: until ${wide!.right}`);
        if (path === "tables.html") assert.ok(wide!.right > content!.x + content!.width + 200);
        assert.ok(Math.abs(small!.left - content!.x) < 1 && small!.right <= content!.x + content!.width + 1);
      }
    const first = page.locator(".table-scroll").nth(1).locator("td").first();
    const before = (await first.boundingBox())!.x;
    await page
      .locator(".table-scroll")
      .nth(1)
      .evaluate((box) => box.scrollBy({ left: 300, behavior: "instant" }));
    assert.equal((await first.boundingBox())!.x, before);
    assert.equal(await page.locator("td code").first().textContent(), `${identifier}.first`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  });

  test("code in the first column breaks before it covers the second, and a short command does not break", async () => {
    for (const width of [800, 1440]) {
      await open("tables.html", width);
      const rows = await page.locator("#messages ~ * tbody tr").evaluateAll((all) =>
        all.map((row) => {
          const [code, next] = [row.querySelector("code")!, row.lastElementChild!];
          const { right, height } = code.getBoundingClientRect();
          return { isFree: right <= next.getBoundingClientRect().left, height };
        }),
      );
      assert.equal(rows.length, 2);
      assert.deepEqual([rows[0]!.isFree, rows[1]!.isFree], [true, true], `${width}`);
      assert.ok(rows[0]!.height > 1.5 * rows[1]!.height, `${width}: ${JSON.stringify(rows)}`);
    }
  });

  test("text on backgrounds of the site's style sheet is readable in both modes", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await open("painted.html", 1440);
      const parts =
        "#banner .banner-content, #banner a, .nav-tabs-item, .navbar-link a, #topbar-cta-button a, .card *, .callout *, .tab-button, .tab-panel *, .box, .box *";
      const layer = await page.evaluate(() => {
        const { height } = getComputedStyle(document.querySelector("#banner")!, "::before");
        return Number.parseFloat(height) - document.querySelector("#banner")!.clientHeight;
      });
      assert.ok(Math.abs(layer) < 1, `the layer is ${layer} px higher than the banner`);
      const faults = await page.evaluate(unreadableText, parts);
      const button = await page.evaluate(() => {
        const [link, painted, words] = ["", " > .absolute.bg-primary-dark", " > div"].map(
          (part) => document.querySelector(`#topbar-cta-button > a${part}`)!,
        );
        const isCovered = painted!.getBoundingClientRect().width === link!.getBoundingClientRect().width;
        return [isCovered, getComputedStyle(painted!).backgroundColor, getComputedStyle(words!).color];
      });
      if (colorScheme === "dark") assert.deepEqual(button, [true, "rgb(16, 16, 20)", "rgb(255, 255, 255)"]);
      assert.deepEqual(faults, [], colorScheme);
    }
    await page.emulateMedia({ colorScheme: "light" });
  });
});

/** Runs in the page: elements whose text has a contrast below 4.5 on a colour or a stop of the nearest painted background. */
function unreadableText(parts: string): string[] {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  const rgba = (color: string): number[] => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (color: readonly number[]): number => {
    const [r, g, b] = color.map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const colors = /(?:rgba?|oklch|oklab|color)\([^()]*\)/g;
  const groundsOf = (element: Element): number[][] => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage, boxShadow } = getComputedStyle(at);
      // An inset shadow as large as this lies over the background.
      const scrim = boxShadow.includes("inset") ? (boxShadow.match(colors) ?? []) : [];
      const stops = backgroundImage.includes("gradient") ? backgroundImage.match(colors)! : [];
      const painted = [...stops, backgroundColor].map(rgba).filter((color) => color[3]! > 200);
      const [veil] = scrim.map(rgba).filter((color) => color[3]! > 0);
      if (painted.length === 0) continue;
      return painted.map((color) =>
        color.slice(0, 3).map((part, i) => (veil ? part + ((veil[i]! - part) * veil[3]!) / 255 : part)),
      );
    }
    return [[255, 255, 255]];
  };
  return [...document.querySelectorAll(parts)].flatMap((element) => {
    const ownText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== "");
    if (!(ownText || element.matches("#topbar-cta-button a")) || !element.checkVisibility()) return [];
    const { color } = getComputedStyle(element);
    return groundsOf(element).flatMap((ground) => {
      const [low, high] = [light(ground), light(rgba(color).slice(0, 3))].sort((a, b) => a - b);
      const ratio = (high! + 0.05) / (low! + 0.05);
      return ratio < 4.5
        ? [
            `${element.className || element.localName} ${element.textContent}: ${color} on ${ground} is ${ratio.toFixed(2)}`,
          ]
        : [];
    });
  });
}
