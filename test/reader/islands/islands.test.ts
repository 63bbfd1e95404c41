/** Live islands in a real browser, from disk and from a host with the strictest policy. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { sweeping } from "../../quality/bundle.js";
import { newFolder } from "../../security/site-folder.js";
import { findChromium } from "../../support/browser.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../../support/serve-folder.js";
import { sharedBrowser } from "../../support/shared-browser.js";
import { builtScript, writePages } from "./island-pages.js";
import { islandPages } from "./sources.js";

declare global {
  interface Window {
    /** Of the nodes in islands, apart from styles. */
    changes: string[];
    violations: string[];
    collectChanges(): string[];
    // biome-ignore lint/suspicious/noExplicitAny: what components of the pages leave for the tests.
    log: any[];
  }
}

test("the scripts are small", () => {
  const size = (name: string): number => gzipSync(builtScript(name), { level: 9 }).length;
  assert.ok(size("islands.js") <= 10_350, `islands.js has ${size("islands.js")} bytes`);
  assert.ok(size("islands-ui.js") <= 4_096, `islands-ui.js has ${size("islands-ui.js")} bytes`);
});

const chromium = findChromium();
const folder = newFolder("islands");
let served: ServedFolder;

beforeAll(async () => {
  writePages(folder, islandPages);
  mkdirSync(join(folder, "pictures"));
  writeFileSync(join(folder, "pictures/a.svg"), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  served = await serveFolder(folder, { policy: strictPolicy });
});
afterAll(() => served.close());

const origins = { "a strict host": () => served.url, disk: () => `${pathToFileURL(folder).href}/` };

for (const [origin, base] of Object.entries(origins))
  describe.skipIf(chromium === undefined)(`islands from ${origin}`, () => {
    const browser = sharedBrowser(chromium);
    let page: Page;
    const faults: string[] = [];
    let turn = 0;
    /** From disk every second test runs; in a sweep all do. */
    const inTurn = (name: string, run: () => Promise<void>): void => {
      if (sweeping || origin !== "disk" || turn++ % 2 === 0) test(name, run);
    };

    beforeAll(async () => {
      page = await (await browser().newContext()).newPage();
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) faults.push(message.text());
      });
      await page.addInitScript(() => {
        window.log = [];
        window.violations = [];
        addEventListener("securitypolicyviolation", ({ effectiveDirective, sourceFile }) =>
          window.violations.push(`${effectiveDirective} ${sourceFile}`),
        );
        window.changes = [];
        const note = (records: MutationRecord[]): void => {
          for (const { type, target, attributeName } of records)
            if (
              attributeName !== "style" &&
              !(attributeName === "class" && (target as Element).hasAttribute("style")) &&
              (target.parentElement ?? document.body).closest("[data-island]")
            )
              window.changes.push(`${type} ${attributeName ?? ""} ${target.nodeName}`);
        };
        const observer = new MutationObserver(note);
        window.collectChanges = () => {
          note(observer.takeRecords());
          return window.changes.splice(0);
        };
        // Before deferred scripts run.
        document.addEventListener("readystatechange", () => {
          if (document.readyState === "interactive")
            observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        });
      });
    });

    /** Opens a page; hydration must change nothing unless the test allows it, and nothing may fail. */
    const open = async (name: keyof typeof islandPages, { changes = false } = {}): Promise<Page> => {
      faults.length = 0;
      await page.goto(base() + name, { waitUntil: "load" });
      const changed = await page.evaluate(() => window.collectChanges());
      if (!changes) assert.deepEqual(changed, [], `${name} changes while it is hydrated`);
      return page;
    };
    const text = (selector: string): Promise<string | null> => page.textContent(selector);
    const clean = async (): Promise<void> => {
      assert.deepEqual(await page.evaluate(() => window.violations), []);
      assert.deepEqual(faults, []);
    };

    inTurn("state, effects, refs, clean-ups", async () => {
      await open("counter.html");
      assert.equal(await text("#count"), "Count: 0 clicks");
      assert.deepEqual(await page.evaluate(() => window.log), ["layout BUTTON", "effect 0"]);
      await page.click("#add");
      await page.click("#add");
      assert.equal(await text("#count"), "Count: 2 clicks");
      await page.waitForFunction(() => window.log.length === 6);
      assert.deepEqual(await page.evaluate(() => window.log.slice(2)), ["clean 0", "effect 1", "clean 1", "effect 2"]);
      await page.click("#hide");
      await page.waitForFunction(() => window.log.at(-1) === "clean 2");
      assert.equal(await page.locator("#add").count(), 0);
      await clean();
    });

    inTurn("forms: text, boxes, menus, a submit; a handler that refuses a character", async () => {
      await open("form.html");
      await page.fill("#name", "Ada");
      assert.equal(await text("#shown"), "Ada|false|b|");
      await page.fill("#notes", "third");
      assert.equal(await text("#noted"), "third");
      await page.check("#agree");
      await page.selectOption("#kind", "c");
      assert.equal(await text("#shown"), "Ada|true|c|");
      await page.focus("#digits");
      await page.keyboard.type("1a2b");
      assert.equal(await page.inputValue("#digits"), "12");
      await page.click("#fixed");
      assert.equal(await page.isChecked("#fixed"), false, "a box without a handler keeps its value");
      await page.click("#send");
      assert.equal(await text("#shown"), "Ada|true|c|sent");
      assert.deepEqual([await page.inputValue("#first"), await page.inputValue("#second")], ["y", "y"]);
      await clean();
    });

    inTurn("what is entered before the scripts run is kept and reported", async () => {
      await page.addInitScript(() => {
        if (!location.search.includes("early")) return;
        document.addEventListener("readystatechange", () => {
          if (document.readyState !== "interactive") return;
          const name = document.querySelector<HTMLInputElement>("#name")!;
          name.focus();
          name.value = "typed early";
          name.setSelectionRange(2, 5);
          document.querySelector<HTMLInputElement>("#agree")!.checked = true;
          document.querySelector<HTMLTextAreaElement>("#notes")!.value = "early notes";
          document.querySelector<HTMLSelectElement>("#kind")!.value = "a";
        });
      });
      await open("form.html?early" as "form.html", { changes: true });
      assert.equal(await page.inputValue("#name"), "typed early");
      assert.equal(await text("#shown"), "typed early|true|a|");
      assert.equal(await page.inputValue("#notes"), "early notes");
      assert.equal(await text("#noted"), "early notes");
      const caret = await page.evaluate(() => {
        const field = document.activeElement as HTMLInputElement;
        return [field.id, field.selectionStart, field.selectionEnd];
      });
      assert.deepEqual(caret, ["name", 2, 5]);
      await clean();
    });

    inTurn("lists with keys keep their nodes", async () => {
      await open("list.html");
      await page.evaluate(() => {
        for (const item of document.querySelectorAll("li")) Object.assign(item, { was: item.textContent });
      });
      await page.click("#turn");
      const items = await page.evaluate(() =>
        [...document.querySelectorAll("li")].map((item) => [
          item.textContent,
          (item as unknown as { was: string }).was,
        ]),
      );
      assert.deepEqual(items, [
        ["c", "c"],
        ["b", "b"],
        ["a", "a"],
      ]);
      await page.click("#cut");
      assert.equal(await text("ul"), "cb");
      await clean();
    });

    inTurn("context reaches nested components and those of other modules", async () => {
      await open("context.html");
      assert.equal(await text("#outer"), "light/light");
      await page.click("#switch");
      assert.equal(await text("#outer"), "dark/dark");
      await clean();
    });

    inTurn("a slot keeps its nodes when it is hidden, shown again and moved", async () => {
      await open("slots.html");
      const isSame = () =>
        page.evaluate(() => (document.querySelector("#kept") as unknown as { mine?: boolean } | null)?.mine);
      await page.evaluate(() => Object.assign(document.querySelector("#kept")!, { mine: true }));
      await page.click("#toggle");
      assert.equal(await page.locator("#kept").count(), 0);
      await page.click("#toggle");
      assert.equal(await isSame(), true);
      await page.click("#move");
      assert.equal(await isSame(), true);
      assert.equal(await page.locator("aside #kept").count(), 1);
      assert.equal(await text("#rest"), "updated 3 times");
      await clean();
    });

    inTurn("a slot that was not shown comes from its template", async () => {
      await open("slots.html");
      assert.equal(await page.locator("#late").count(), 0);
      await page.click("#more");
      assert.equal(await text("#late"), "shown later");
      await clean();
    });

    inTurn("an island in a slot has the contexts around the slot", async () => {
      await open("slot-context.html");
      await page.click("#feet");
      await page.waitForFunction(() => document.querySelector("output")!.textContent === "ft");
      await clean();
    });

    inTurn("a slot keeps its content if the element around it had to be another one", async () => {
      await open("slot-moved.html", { changes: true });
      assert.equal(
        await page.innerHTML("section"),
        '<p><x-slot data-n="0"><p>One</p><p>Two</p></x-slot></p><button id="more">0</button>',
      );
      await page.click("#more");
      assert.equal(await text("section"), "OneTwo1");
      await clean();
    });

    inTurn("a slot shown twice is copied without ids", async () => {
      await open("slot-twice.html");
      assert.equal(await page.locator("#only").count(), 1);
      assert.equal(await page.locator(".both").count(), 2);
      await page.click("#third");
      assert.equal(await page.locator("#only").count(), 1);
      assert.equal(await page.locator(".both").count(), 3);
      await page.click("#first-away");
      await page.click("#third");
      await page.click("#third");
      assert.equal(await page.locator("#only").count(), 1, "the nodes are shown where the slot is shown next");
      await clean();
    });

    inTurn("an island in a slot of another is alive, also if it is shown later", async () => {
      await open("nested.html");
      await page.click(".inner");
      assert.equal(await text(".inner"), "inner 1");
      await page.click("#outer-more");
      assert.equal(await text("#outer-more"), "outer 1");
      assert.equal(await text(".inner"), "inner 1", "it keeps its state");
      await page.click("x-slot[data-n='1'] .inner");
      assert.equal(await text("x-slot[data-n='1'] .inner"), "inner 1");
      await clean();
    });

    inTurn("styles are applied, with custom properties, and change", async () => {
      await open("styles.html");
      const look = () =>
        page.evaluate(() => {
          const { color, width, lineHeight } = getComputedStyle(document.querySelector("#box")!);
          return [color, width, lineHeight, getComputedStyle(document.querySelector(".themed")!).borderTopWidth].join(
            " ",
          );
        });
      assert.equal(await look(), "rgb(255, 0, 0) 120px 32px 3px");
      await page.click("#box");
      assert.equal(await look(), "rgb(0, 0, 255) 60px 32px 3px");
      const classes = await page.evaluate(() =>
        [...document.querySelectorAll(".themed, #box")].map((each) => each.className),
      );
      assert.deepEqual(classes, ["themed", ""], "the class of the page's style has gone");
      await clean();
    });

    inTurn("a style element becomes a style sheet that changes and goes", async () => {
      await open("sheet.html");
      const color = () => page.evaluate(() => getComputedStyle(document.querySelector(".painted")!).color);
      await page.click("#paint");
      assert.equal(await color(), "rgb(0, 128, 0)");
      await page.click("#paint");
      assert.equal(await color(), "rgb(128, 0, 128)");
      await page.click("#clear");
      assert.equal(await color(), "rgb(0, 0, 0)");
      await clean();
    });

    inTurn("drawings are made of SVG elements with its attributes", async () => {
      await open("drawing.html");
      await page.click("#draw");
      const made = await page.evaluate(() => {
        const line = document.querySelector("#line")!;
        return [
          line.namespaceURI,
          line.getAttribute("stroke-width"),
          line.getAttribute("class"),
          line.parentElement!.getAttribute("viewBox"),
        ];
      });
      assert.deepEqual(made, ["http://www.w3.org/2000/svg", "3", "thick", "0 0 9 9"]);
      await clean();
    });

    inTurn("an error while rendering leaves the HTML of its island; other islands live", async () => {
      await open("error.html", { changes: true });
      assert.equal(
        await page.innerHTML("[data-island]"),
        '<div class="a"><p>Text <b>before</b></p><p id="bad">fine</p></div>',
      );
      assert.deepEqual(
        faults.splice(0).map((fault) => /on purpose/.test(fault)),
        [true],
      );
      await page.click("#alive");
      assert.equal(await text("#alive"), "alive 1");
      await clean();
    });

    inTurn("an error after a click, in an effect or in a clean-up leaves what is shown", async () => {
      await open("late-error.html", { changes: true });
      await page.waitForFunction(() => document.querySelector("#steady")!.textContent === "steady 1");
      for (const name of ["render", "effect", "clean"]) await page.click(`#${name}`);
      await page.click("#steady");
      await page.waitForFunction(() => document.querySelector("#steady")!.textContent === "steady 2");
      assert.deepEqual(
        await page.evaluate(() => [...document.querySelectorAll(".kept")].map((each) => each.textContent)),
        ["render 0", "effect", "clean"],
      );
      const messages = faults.splice(0).map((fault) => /(\w+) fails/.exec(fault)?.[1]);
      assert.deepEqual(messages.sort(), ["clean", "effect", "first", "render"]);
      await clean();
    });

    inTurn("what needs a browser is rendered on load, with its slots", async () => {
      await open("client-only.html", { changes: true });
      assert.equal(await text("[data-island]"), `width ${page.viewportSize()!.width} slot`);
      assert.equal(await page.locator("[data-client-only]").count(), 0);
      await page.click("#client");
      assert.equal(await text("#client"), "clicked");
      await clean();
    });

    inTurn("what fails in the browser, too, says that it failed, and the console says why", async () => {
      await open("client-error.html", { changes: true });
      assert.equal(await text("[data-client-only]"), "It failed.");
      assert.match(faults.splice(0).join(), /never works/);
      await clean();
    });

    inTurn("links of the site are relative to the page", async () => {
      await open("deep/links.html");
      await page.click("#show");
      const hrefs = await page.evaluate(() =>
        [...document.querySelectorAll("#links a, #links img")].map(
          (each) => each.getAttribute("href") ?? each.getAttribute("src"),
        ),
      );
      assert.deepEqual(hrefs, [
        "../guides/start.html",
        "../guides/start.html#a",
        "../guides/start.html?b#c",
        "/unknown",
        "//host/guides/start",
        "https://example.com/",
        "../pictures/a.svg",
      ]);
      const ground = await page.evaluate(() => getComputedStyle(document.querySelector("#ground")!).backgroundImage);
      assert.equal(ground, `url("${base()}pictures/a.svg")`);
      await clean();
    });

    inTurn("ids of useId are those of the HTML and differ between islands", async () => {
      await open("ids.html");
      const ids = await page.evaluate(() => [...document.querySelectorAll("input")].map(({ id }) => id));
      assert.equal(new Set(ids).size, 4);
      await page.click("#more-fields");
      const more = await page.evaluate(() => [...document.querySelectorAll("input")].map(({ id }) => id));
      assert.equal(new Set(more).size, 5);
      assert.deepEqual(
        await page.evaluate(() => [...document.querySelectorAll("label")].map(({ htmlFor }) => htmlFor)),
        more,
      );
      await clean();
    });

    inTurn("repaired tables and texts that the parser joins are hydrated", async () => {
      await open("table.html", { changes: true });
      assert.equal(await text("table"), "a1b2");
      await page.click("#next");
      assert.equal(await text("table"), "a2b3");
      assert.equal(await text("#greeting"), "Hello Ada, you have 2 news.");
      await clean();
    });

    inTurn("markup from text is applied under trusted types", async () => {
      await open("markup.html");
      await page.click("#swap");
      assert.equal(await page.innerHTML("#markup"), "<i>two</i>");
      await clean();
    });

    inTurn("portals, memo, forwarded refs, imperative handles, classes, suspense", async () => {
      await open("react.html");
      assert.equal(await text("#class"), "0");
      await page.click("#class");
      assert.equal(await text("#class"), "1");
      await page.click("#open");
      assert.equal(await text("body > .portal"), "in the body");
      await page.click("#focus");
      assert.equal(await page.evaluate(() => document.activeElement!.id), "target");
      assert.equal(await text("#renders"), "1");
      await page.click("#load");
      assert.equal(await text("#suspense"), "here");
      assert.equal(await text("#store"), "7");
      await page.evaluate(() => dispatchEvent(new Event("store")));
      assert.equal(await text("#store"), "8");
      await clean();
    });

    inTurn("events are those of React", async () => {
      await open("events.html");
      await page.dblclick("#twice");
      await page.focus("#field");
      await page.focus("#twice");
      assert.deepEqual(await page.evaluate(() => window.log), ["double", "focus", "blur", "native true"]);
      await clean();
    });

    inTurn("our components are those of pages", async () => {
      await open("ui.html");
      assert.equal(await page.getAttribute("a.card", "href"), "/guides/start");
      assert.equal(await text("#kept, .columns > b"), "components");
      await page.click("div.card");
      assert.equal(await text("a.card .card-content"), "on");
      assert.equal(await text(".code-group code"), "one true");
      const icon = await page.evaluate(() => {
        const svg = document.querySelector(".expandable svg")!;
        return [svg.namespaceURI, svg.getAttribute("width"), svg.getAttribute("class"), svg.innerHTML];
      });
      assert.deepEqual(icon, [
        "http://www.w3.org/2000/svg",
        "20",
        "icon icon-sized",
        '<g fill="none"><path d="M0 0h9"></path></g>',
      ]);
      await clean();
    });
  });
