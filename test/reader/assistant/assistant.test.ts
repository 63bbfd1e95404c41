/** The assistant as a reader meets it, in the real browser, against a service that answers as each test says. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { policyOf } from "../../../src/serve/served-bundle.js";
import { violationsOf } from "../../quality/axe.js";
import { findChromium } from "../../support/browser.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { type ServedFolder, serveFolder } from "../../support/serve-folder.js";
import { actsAsReader, forget, sharedBrowser } from "../../support/shared-browser.js";
import { waitUntil } from "../../support/wait-until.js";
import { answerWith, openScriptedService, type Script, thread } from "./scripted-service.js";
import { baseUrl, found, writeAssistantSite } from "./site.js";

const chromium = findChromium();
const wide = { width: 1360, height: 860 };
const phone = { width: 390, height: 844 };
const key = "svc_dsc_0123456789";

const text = `Boats are lifted out **in November** [1](${found[0]!.url}).

1. Announce the \`boat\`.
2. Pay the fee [2](${found[1]!.url}).`;

describe.skipIf(chromium === undefined)("the assistant", actsAsReader, () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-assistant-"));
  const output = join(folder, "out");
  const plain = join(folder, "plain");
  const browser = sharedBrowser(chromium);
  let service: Awaited<ReturnType<typeof openScriptedService>>;
  let served: ServedFolder;
  let context: BrowserContext;
  let page: Page;
  let requests: string[];
  let problems: string[];
  let policy: string;

  beforeAll(async () => {
    service = await openScriptedService();
    const source = join(folder, "site");
    writeAssistantSite(source);
    assert.ok((await exportInProcess({ source, output: plain, baseUrl })).ok);
    const assistant = { url: `${service.url}/`, key, domain: "harbour" };
    const exported = await exportInProcess({ source, output, baseUrl, assistant });
    assert.ok(exported.ok);
    assert.deepEqual(exported.diagnostics, []);
    policy = policyOf(readFileSync(join(output, "index.html"), "utf8"), exported.manifest?.assistant)!;
    served = await serveFolder(output, { base: "/a/b/", policy });
    context = await browser().newContext({ viewport: wide, colorScheme: "light", reducedMotion: "reduce" });
    page = await context.newPage();
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of|ERR_|by CORS policy/.test(message.text()))
        problems.push(message.text());
    });
  });
  afterAll(async () => {
    await served?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    requests = [];
    problems = [];
    service.received.length = 0;
    Object.assign(service.state, {
      script: answerWith({ text, found, cited: [1, 2] }),
      refuse: undefined,
      allowsOrigin: true,
    });
    await page.setViewportSize(wide);
    await visit("index.html");
  });
  afterEach(async () => {
    await forget(page);
    assert.deepEqual(problems, []);
  });

  const visit = async (path: string): Promise<void> => void (await page.goto(served.url + path));
  const openPanel = async (): Promise<void> => {
    await page.click(".assistant-button:visible");
    await page.waitForSelector(".assistant-panel[open]");
  };
  const type = async (question: string): Promise<void> => {
    await page.fill("#chat-assistant-textarea", question);
    await page.keyboard.press("Enter");
  };
  /** Resolves when the last answer is complete. */
  const settled = () =>
    page.waitForSelector(".assistant-turn:last-child .assistant-reply:not([data-open]) .assistant-actions button");
  const ask = async (question: string): Promise<void> => {
    await type(question);
    await settled();
  };
  const shown = (selector: string) => page.locator(selector).allInnerTexts();
  const asked = () => service.received.filter(({ path }) => path.endsWith("/message")).map(({ body }) => body);
  const focused = () => page.evaluate(() => document.activeElement?.id);
  const isOpen = () => page.locator(".assistant-panel").evaluate((panel) => (panel as HTMLDialogElement).open);

  test("adds nothing to a bundle without an assistant, and little to a page before it is opened", () => {
    const filesOf = (place: string) =>
      readdirSync(place, { recursive: true, encoding: "utf8" }).filter((path) => /\.(?:html|js|css|json)$/.test(path));
    for (const path of filesOf(plain)) {
      assert.doesNotMatch(path, /assistant/);
      // The scripts of every bundle know neither the panel nor its entry.
      if (!/_offprint\/search/.test(path))
        assert.doesNotMatch(readFileSync(join(plain, path), "utf8"), /assistant/, path);
    }
    const sizeOf = (name: RegExp): number => {
      const path = filesOf(output).find((each) => name.test(each))!;
      return gzipSync(readFileSync(join(output, path)), { level: 9 }).length;
    };
    assert.ok(sizeOf(/_offprint\/assistant-entry\.\w+\.js$/) < 2400);
    assert.ok(sizeOf(/_offprint\/assistant\.\w+\.js$/) + sizeOf(/_offprint\/assistant\/en\.\w+\.js$/) < 12 * 1024);
    assert.ok(sizeOf(/_offprint\/assistant\.\w+\.css$/) < 4 * 1024);
  });

  test("is in the same row as the logo, even in themes with the tabs below it", async () => {
    const site = join(folder, "row");
    const tabs = ["One", "Two"].map((tab, at) => ({ tab, pages: [at === 0 ? "index" : "guides/moorings"] }));
    writeAssistantSite(site, { theme: "luma", navigation: { tabs } });
    const row = join(folder, "row-out");
    assert.ok(
      (await exportInProcess({ source: site, output: row, assistant: { url: service.url, key, domain: "a" } })).ok,
    );
    await page.goto(pathToFileURL(join(row, "index.html")).href);
    for (const width of [320, 390, 900, 1100, 1360]) {
      await page.setViewportSize({ width, height: 800 });
      const [logo, button] = await Promise.all(
        [".nav-home", ".assistant-button:visible"].map((selector) => page.locator(selector).boundingBox()),
      );
      const middle = ({ y, height }: { y: number; height: number }) => y + height / 2;
      assert.ok(Math.abs(middle(logo!) - middle(button!)) < 8, `at ${width} px`);
      assert.ok(button!.x + button!.width <= width, `cut off at ${width} px`);
    }
    await page.locator("#assistant-entry").click();
    const [search, panel] = await Promise.all(
      [".search-entry", ".assistant-panel"].map((selector) => page.locator(selector).boundingBox()),
    );
    assert.ok(search!.x + search!.width <= panel!.x, "the panel covers the search");
  });

  test("may connect only to its origin", () => {
    assert.match(policy, new RegExp(`connect-src 'self' ${service.url};`));
    assert.doesNotMatch(policy, /unsafe|https:|\*/);
  });

  test("sends no request before a question is asked", async () => {
    assert.ok(!requests.some((url) => /assistant[./](?!.*entry)/.test(url)), "loaded before the first press");
    await openPanel();
    assert.deepEqual(await shown(".starter-question-text"), [
      "What is “Welcome” about?",
      "Tell me about “Announce a ship”",
      "Tell me about “Pay the fee”",
    ]);
    assert.deepEqual(
      requests.filter((url) => !url.startsWith(served.url)),
      [],
    );
    assert.equal(service.received.length, 0);
  });

  test("streams an answer with marks that link to sections of this bundle", async () => {
    let goOn: (() => void) | undefined;
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const whole = answerWith({ text, found, cited: [1, 2] });
    service.state.script = async (request, answering) => {
      let count = 0;
      const waiting: object[] = [];
      await whole(request, {
        ...answering,
        part: (part) => (++count > 9 ? waiting.push(part) : answering.part(part)),
        end: () => {},
      });
      await paused;
      for (const part of waiting) answering.part(part);
      answering.end();
    };
    await openPanel();
    assert.equal(await focused(), "chat-assistant-textarea");
    await type("When are boats lifted out?");
    await page.waitForFunction(() => /Boats are/.test(document.querySelector(".assistant-answer")?.textContent ?? ""));
    assert.equal(await page.locator(".assistant-mark").count(), 0);
    goOn!();
    await settled();
    assert.equal(
      await page
        .locator(".assistant-answer")
        .evaluate((answer) => answer.innerHTML.replace(/ (?:title|aria-label)="[^"]*"/g, "")),
      '<p>Boats are lifted out <strong>in November</strong> <a href="guides/moorings.html#winter-storage" class="assistant-mark">1</a>.</p>' +
        '<ol><li>Announce the <code>boat</code>.</li><li>Pay the fee <a href="../b/index.html" class="assistant-mark">2</a>.</li></ol>'.replaceAll(
          "../b/",
          "",
        ),
    );
    assert.deepEqual(await shown(".assistant-card-title"), ["Moorings › Winter storage", "Welcome"]);
    const [body] = asked();
    assert.deepEqual(
      { ...body, fp: /^[0-9a-f]{32}$/.test(String(body!["fp"])), messages: body!.messages!.map(({ parts }) => parts) },
      {
        fp: true,
        messages: [[{ type: "text", text: "When are boats lifted out?" }]],
        currentPath: "/",
        filter: { language: "en" },
      },
    );
    const { path, headers } = service.received[0]!;
    assert.equal(path, "/discovery/v2/assistant/harbour/message");
    assert.equal(headers.authorization, `Bearer ${key}`);
    assert.equal(headers.referer, undefined);
  });

  test("continues the thread, also on the next page, and starts a new one", async () => {
    await openPanel();
    await ask("First?");
    await ask("Second?");
    await page.click(".assistant-card >> nth=0");
    await page.waitForURL(/moorings\.html#winter-storage$/);
    await page.waitForSelector(".assistant-panel[open]");
    assert.equal(await page.locator(".assistant-turn").count(), 2);
    await ask("Third?");
    assert.deepEqual(
      asked().map((body) => body["threadId"]),
      [undefined, thread, thread],
    );
    assert.equal(new Set(asked().map(({ fp }) => fp)).size, 1);
    await page.click('[aria-label="New conversation"]');
    assert.equal(await page.locator(".assistant-turn").count(), 0);
    await ask("Fourth?");
    assert.equal(asked()[3]!["threadId"], undefined);
    assert.notEqual(asked()[3]!["fp"], asked()[0]!["fp"]);
  });

  test("stops an answer, and the service notices", async () => {
    let left = false;
    service.state.script = async (_request, { part, closed }) => {
      part({ type: "text-delta", id: "t1", delta: "The beginning" });
      await closed;
      left = true;
    };
    await openPanel();
    await type("Go on?");
    await page.waitForFunction(() => document.querySelector(".assistant-answer")?.textContent === "The beginning");
    await page.click('.assistant-send[aria-label="Stop"]');
    await settled();
    assert.deepEqual(await shown(".assistant-answer"), ["The beginning"]);
    assert.deepEqual(await shown(".assistant-progress"), ["Stopped."]);
    await page.waitForFunction(() => document.querySelector<HTMLButtonElement>(".assistant-send")!.disabled);
    await waitUntil("the service notices", () => left);
  });

  const failures: readonly (readonly [name: string, script: Script])[] = [
    [
      "an error in the stream",
      (_request, { part, end }) => {
        part({ type: "error", errorText: "No." });
        end();
      },
    ],
    [
      "a cut connection",
      (_request, { part, cut }) => {
        part({ type: "text-delta", delta: "The" });
        setTimeout(cut, 20);
      },
    ],
  ];
  for (const [name, script] of failures)
    test(`reports an incomplete answer after ${name}, and sends the question again`, async () => {
      service.state.script = script;
      await openPanel();
      await ask("What?");
      assert.equal(await page.locator(".assistant-retry").count(), 1);
      service.state.script = answerWith({ text: "This.", found, cited: [] });
      await page.click(".assistant-retry");
      await page.waitForFunction(() => document.querySelector(".assistant-answer")?.textContent === "This.");
      assert.equal(await page.locator(".assistant-turn").count(), 1);
    });

  test("sends the question again even while the bundle's search is running", async () => {
    const answer = answerWith({ text: "This.", found, cited: [] });
    service.state.script = (request, answering) =>
      service.received.length > 1 ? answer(request, answering) : failures[0]![1](request, answering);
    await openPanel();
    await page.evaluate(() =>
      new MutationObserver((_changes, observer) => {
        const retry = document.querySelector<HTMLButtonElement>(".assistant-retry");
        if (!retry) return;
        observer.disconnect();
        retry.click();
      }).observe(document.body, { childList: true, subtree: true }),
    );
    await type("What?");
    await page.waitForFunction(() => document.querySelector(".assistant-answer")?.textContent === "This.");
    assert.equal(await page.locator(".assistant-turn").count(), 1);
  });

  const refusals = [
    ["the service has no export yet", { refuse: 503 }, /^The assistant is not ready yet\./],
    ["there were too many questions", { refuse: 429 }, /^There were too many questions\./],
    ["the service does not know this site", { allowsOrigin: false }, /cannot be reached/],
  ] as const;
  for (const [name, change, message] of refusals)
    test(`shows search results of the bundle if ${name}`, async () => {
      Object.assign(service.state, change);
      await openPanel();
      await type("winter storage");
      await page.waitForSelector(".assistant-card");
      assert.match((await shown(".assistant-progress"))[0]!, message);
      assert.equal((await shown(".assistant-card-title"))[0], "Winter storage");
      await page.click(".assistant-card >> nth=0");
      await page.waitForURL(/guides\/moorings\.html#winter-storage$/);
      // The search itself still works.
      await page.keyboard.press("Control+k");
      await page.fill("#search-input", "mooring");
      await page.waitForSelector(".search-hit");
    });

  test("asks about selected text, a code block and the page", async () => {
    const sent = async (): Promise<unknown> => {
      await page.waitForSelector(".assistant-chip:visible");
      await ask("Explain this");
      assert.equal(await page.locator(".assistant-chip:visible").count(), 0);
      return asked().at(-1)!["context"];
    };
    await page.locator("#announce-a-ship + p").selectText();
    await page.mouse.move(700, 500);
    await page.locator("#announce-a-ship + p").dispatchEvent("pointerup");
    await page.click("#text-selection-tooltip");
    const selected = { type: "textSelection", value: "Send the name and the length of the ship.", path: "/" };
    assert.deepEqual(await sent(), [selected]);
    await page.hover(".code-block");
    await page.click(".code-block-ask-button");
    const code = { type: "code", value: "harbour announce --name Albatross --length 40", path: "/" };
    assert.deepEqual(await sent(), [code]);
    await page.click("#page-context-menu-button");
    await page.click(".menu-panel [data-ask-page]");
    const whole = { type: "textSelection", value: "Welcome: How the harbour works.", path: "/" };
    assert.deepEqual(await sent(), [whole]);
    await page.click(".code-block-ask-button", { force: true });
    await page.click('[aria-label="Remove Code"]');
    await ask("Without it");
    assert.equal(asked().at(-1)!["context"], undefined);
  });

  test("opens and closes by its key, is animated, and returns the focus", async () => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.keyboard.press("Control+i");
    await page.waitForSelector(".assistant-panel[open]");
    assert.equal(await focused(), "chat-assistant-textarea");
    await page.keyboard.press("Escape");
    assert.equal(await isOpen(), false);
    assert.equal(await focused(), "assistant-entry");
    await page.keyboard.press("Control+i");
    await page.keyboard.press("Control+i");
    assert.equal(await isOpen(), false);
    await page.emulateMedia({ reducedMotion: "reduce" });
  });

  test("asks the question in the URL", async () => {
    await visit("index.html?assistant=When%20is%20winter%3F");
    await settled();
    assert.deepEqual(await shown(".assistant-question"), ["Your question:\nWhen is winter?"]);
    await visit("index.html?assistant");
    await page.waitForSelector(".assistant-panel[open]");
    assert.equal(asked().length, 1);
  });

  test("sends feedback", async () => {
    await openPanel();
    await ask("What?");
    await page.click('[aria-label="Not helpful"]');
    assert.equal(await page.getAttribute('[aria-label="Not helpful"]', "aria-pressed"), "true");
    const { path, body } = await waitUntil("the feedback", () => service.received[1]);
    assert.equal(path, "/discovery/v2/assistant/harbour/feedback");
    assert.deepEqual(body, { threadId: thread, messageId: "msg_1", helpful: false });
  });

  test("says below the field how reliable answers are", async () => {
    await openPanel();
    assert.deepEqual(await shown(".assistant-note"), ["Answers may be wrong. Check the sources."]);
    service.state.script = answerWith({ text, found, cited: [1], model: "none" });
    await ask("What?");
    assert.deepEqual(await shown(".assistant-note"), ["Passages from the documentation; no language model."]);
  });

  test("sends the question again without a filter that the service does not support", async () => {
    const { script } = service.state;
    service.state.refuse = 400;
    await openPanel();
    await type("What?");
    await waitUntil("the second request", () => asked().length >= 2);
    assert.deepEqual(
      asked().map((body) => "filter" in body),
      [true, false],
    );
    // A page that is left with a draft keeps it, and so would open the panel of the next test.
    await visit("index.html");
    service.state.script = script;
  });

  const markdown: readonly (readonly [text: string, html: string])[] = [
    ["# Title\nText", '<p class="assistant-heading">Title</p><p>Text</p>'],
    ["a *b* **c *d*** ~~e~~ f_g_h", "<p>a <em>b</em> <strong>c <em>d</em></strong> <del>e</del> f_g_h</p>"],
    ["``a ` b`` \\*c\\*", "<p><code>a ` b</code> *c*</p>"],
    ["- a\n- b\n  - c\n\n    d\n- e", "<ul><li>a</li><li>b<ul><li>c<p>d</p></li></ul></li><li>e</li></ul>"],
    ["3. a\n4. b\n\nc", '<ol start="3"><li>a</li><li>b</li></ol><p>c</p>'],
    ["> a\n> b\n\n---", "<blockquote><p>a b</p></blockquote><hr>"],
    ["a  \nb", "<p>a<br>b</p>"],
    [
      "[x](https://other.example/y)",
      '<p><a href="https://other.example/y" target="_blank" rel="noopener noreferrer">x</a></p>',
    ],
    ["[x](javascript:alert(1)) [y](data:text/html,z)", "<p><span>x</span>) <span>y</span></p>"],
    ["![picture](https://evil.example/p.png)", "<p>picture</p>"],
    [
      '<img src="https://evil.example/p.png" onerror="alert(1)">',
      '<p>&lt;img src="https://evil.example/p.png" onerror="alert(1)"&gt;</p>',
    ],
    ["https://evil.example", "<p>https://evil.example</p>"],
    ["[a", "<p>[a</p>"],
    [`${"*a ".repeat(400)}`, `<p>${"*a ".repeat(400).trim()}</p>`],
    [`${"> ".repeat(50)}a`, `${"<blockquote>".repeat(5)}<p>${"&gt; ".repeat(45)}a</p>${"</blockquote>".repeat(5)}`],
  ];
  test("renders Markdown, and shows other syntax as text", async () => {
    await openPanel();
    // One answer with all of them, apart by a heading.
    const all = markdown.map(([written]) => written).join("\n\n# §\n\n");
    service.state.script = answerWith({ text: all, found: [], cited: [] });
    await ask("What?");
    const parts = (await page.locator(".assistant-answer").innerHTML()).split('<p class="assistant-heading">§</p>');
    assert.deepEqual(
      parts,
      markdown.map(([, html]) => html),
    );
    service.state.script = answerWith({
      text: "| a | b |\n|---|:-:|\n| `c` | d\\|e |\n\n```js\nlet a = '<b>';\n```",
      found: [],
      cited: [],
    });
    await ask("What?");
    assert.deepEqual(await shown(".assistant-turn:last-child :is(th, td)"), ["a", "b", "c", "d|e"]);
    assert.deepEqual(await shown(".assistant-code pre"), ["let a = '<b>';"]);
    assert.deepEqual(await shown(".assistant-code-head span"), ["js"]);
  });

  test("shows a source completely on the narrowest phone: its title, its place and the sentence that the answer uses", async () => {
    const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
    const quote = `Small boats of the ${word} are lifted out of the water in November.`;
    const source = { ...found[0]!, title: `Moorings › ${word} that stay over the winter in the harbour`, quote };
    service.state.script = answerWith({ text: `Call \`${word}\` [1](${source.url}).`, found: [source], cited: [1] });
    await page.setViewportSize({ width: 320, height: 568 });
    await openPanel();
    await ask(word);
    await settled();
    assert.deepEqual(await shown(".assistant-card-quote"), [quote]);
    const cut = await page.locator(".assistant-panel *:visible").evaluateAll((elements) =>
      elements.flatMap((element) => {
        const { right } = element.getBoundingClientRect();
        const hides =
          getComputedStyle(element).overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
        return (hides || right > innerWidth + 1) && !element.closest(".visually-hidden") ? [element.className] : [];
      }),
    );
    assert.deepEqual(cut, []);
  });

  test("is a dialog that keeps the focus on a phone", async () => {
    await page.setViewportSize(phone);
    await openPanel();
    await ask("What?");
    assert.ok(await page.locator(".assistant-panel").evaluate((panel) => panel.matches(":modal")));
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("Tab");
      const inside = await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement === document.body || activeElement!.closest(".assistant-panel") !== null;
      });
      assert.ok(inside, "the focus left the panel");
    }
    await page.keyboard.press("Escape");
    assert.equal(await isOpen(), false);
    await openPanel();
    await page.setViewportSize(wide);
    await page.waitForFunction(() => !document.querySelector(".assistant-panel")!.matches(":modal"));
    assert.ok(await isOpen());
  });

  test("has no axe violation", async () => {
    const faults: string[] = [];
    for (const [path, viewport, scheme] of [
      ["index.html", wide, "light"],
      ["index.html", wide, "dark"],
      ["ar.html", wide, "light"],
      ["index.html", phone, "dark"],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize(viewport);
      await visit(path);
      const isFirst = path === "index.html" && viewport === wide && scheme === "light";
      const look = async (state: string): Promise<void> => {
        // The same page in dark mode differs only in colours, and a later state only in the content of the panel.
        const onlyColors = path === "index.html" && viewport === wide && !isFirst;
        const within = isFirst || state === "empty" ? "html" : ".assistant-panel";
        const found = await violationsOf(page, { within, onlyColors });
        faults.push(...found.map((fault) => `${path} ${viewport.width} ${scheme} ${state} | ${fault}`));
      };
      // It is open again where it was open on the page before.
      if (isFirst || viewport === phone) await openPanel();
      else await page.waitForSelector(".assistant-panel[open]");
      await look("empty");
      await ask("What?");
      await look("answer");
      service.state.refuse = 503;
      await type("mooring");
      await page.waitForSelector(".assistant-turn:last-child .assistant-retry");
      await look("unreachable");
      service.state.refuse = undefined;
    }
    await page.emulateMedia({ colorScheme: "light" });
    assert.deepEqual(faults, []);
  });

  test("works from disk where the service allows it", async () => {
    await page.goto(pathToFileURL(join(output, "index.html")).href);
    await openPanel();
    await ask("What?");
    assert.equal(service.received[0]!.headers.origin, "null");
    await page.click(".assistant-card >> nth=0");
    await page.waitForURL(/out\/guides\/moorings\.html#winter-storage$/);
    assert.equal(await page.locator("#winter-storage").count(), 1);
  });
});
