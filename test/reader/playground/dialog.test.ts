/** The dialog of the playground: from disk and below a path of a server, by mouse and by keyboard alone. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { violationsOf } from "../../quality/axe.js";
import { sampleOf, sweeping } from "../../quality/bundle.js";
import { findChromium } from "../../support/browser.js";
import { actsAsReader, downloadedBytes } from "../../support/shared-browser.js";
import type { TestApi } from "./api.js";
import { playgroundStage } from "./in-browser.js";

const chromium = findChromium();
const person = '{"name":"Ada","email":"a@b.c","role":"admin"}';

describe.skipIf(chromium === undefined)("the playground", actsAsReader, () => {
  const stage = playgroundStage(chromium);
  const { open, visit, field, unfold, send } = stage;
  const page = () => stage.page();
  const dialog = () => page().locator("#playground-dialog");
  const form = async () => (await page().locator(".playground-fields").textContent()) ?? "";
  const answer = async () => (await page().locator(".playground-response").textContent()) ?? "";
  const press = (name: string) => dialog().getByRole("button", { name, exact: true }).first().click();
  const code = () => page().locator("textarea.playground-code");
  const settled = () => page().waitForSelector(".playground-facts .playground-status, .playground-failure");

  for (const from of ["disk", "server"] as const)
    test(`is loaded from ${from} when it is opened, and calls the API`, async () => {
      await page().emulateMedia({ reducedMotion: "no-preference" });
      await visit("api-reference/words", from);
      assert.deepEqual(
        stage.requests().filter((url) => /_offprint\/playground/.test(url)),
        [],
      );
      await page().click(".tryit-button");
      await page().waitForSelector("#playground-dialog[open]");
      const loaded = stage.requests().filter((url) => /_offprint\/playground/.test(url));
      assert.equal(loaded.length, 4);
      assert.match(page().url(), /\?playground=open$/);
      assert.equal((await send()).url, "/v1/words");
      assert.match(await answer(), /Ça marche <b>bold<\/b>/);
      await page().keyboard.press("Escape");
      assert.equal(await dialog().isVisible(), false);
      await page().waitForFunction(() => location.search === "");
      assert.ok(await page().evaluate(() => document.activeElement?.matches(".tryit-button")));
      await page().emulateMedia({ reducedMotion: "reduce" });
    });

  test("is opened by the URL", async () => {
    await visit("api-reference/words?playground=open");
    await page().waitForSelector("#playground-dialog[open]");
  });

  test("exists only if the site, the page and the specification allow it", async () => {
    const has = async (path: string): Promise<[boolean, boolean]> => {
      const html = readFileSync(join(stage.output, `${path}.html`), "utf8");
      return [html.includes("tryit-button"), html.includes("api-copy")];
    };
    assert.deepEqual(await has("api-reference/words"), [true, true]);
    assert.deepEqual(await has("api-reference/simple-display"), [false, true]);
    assert.deepEqual(await has("api-reference/no-display"), [false, false]);
    assert.deepEqual(await has("api-reference/auth-display"), [false, false]);
    assert.deepEqual(await has("alone/no-server"), [true, true]);
    assert.deepEqual(await has("index"), [false, false]);
  });

  test("stays within its size limits", () => {
    const size = (name: string) => gzipSync(readFileSync(`dist/client/${name}`), { level: 9 }).length;
    assert.ok(size("playground.js") <= 35_000, `${size("playground.js")}`);
    assert.ok(size("on-demand/playground.css") <= 5_000, `${size("on-demand/playground.css")}`);
  });

  test("shows the response: status, headers, folded JSON, images", async () => {
    await open("api-reference/a-refusal");
    await send();
    const facts = await page().locator(".playground-facts").textContent();
    assert.match(facts ?? "", /^418 I'm a Teapot\d+ ms\d+ B$/i);
    assert.equal(await page().locator(".playground-json [data-kind=null]").textContent(), "null");
    assert.equal(await page().getByText('"still"').count(), 0);
    await page().locator(".playground-json summary").filter({ hasText: '"er"' }).click();
    await page().getByText('"still"').waitFor();
    await press("Headers (2)");
    assert.match(await answer(), /x-request-idabc-123/);
    await open("api-reference/a-picture");
    await send();
    assert.equal(
      await page()
        .locator(".playground-media")
        .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
      1,
    );
  });

  const seconds = (kind: "audio" | "video") =>
    page()
      .locator(`${kind}.playground-media`)
      .evaluate((media: HTMLMediaElement) => {
        const known = Number.isFinite(media.duration);
        const loaded =
          known || new Promise((resolve) => media.addEventListener("durationchange", resolve, { once: true }));
        return Promise.resolve(loaded).then(() => media.duration);
      });

  test("plays audio and video", async () => {
    await open("api-reference/a-sound", "disk");
    await send();
    assert.equal(await seconds("audio"), 0.1);
    assert.match((await page().locator(".playground-facts").textContent()) ?? "", /^200 OK.*844 B$/);
    assert.equal(await dialog().locator("audio[controls]").count(), 1);
    await open("api-reference/a-film", "disk");
    await send();
    assert.equal(await seconds("video"), 0.1);
    assert.equal(
      await page()
        .locator("video")
        .evaluate((video: HTMLVideoElement) => video.videoWidth),
      16,
    );
    const [saved] = await Promise.all([page().waitForEvent("download"), press("Download")]);
    assert.equal(saved.suggestedFilename(), "response.webm");
    assert.equal((await downloadedBytes(saved)).length, 144);
  });

  test("explains that audio cannot be played because the data is invalid or the site's policy forbids it", async () => {
    const notShown = () => page().waitForSelector(".playground-response .playground-empty");
    await open("api-reference/a-sound-that-is-none", "disk");
    await send();
    await notShown();
    await open("api-reference/a-sound");
    await send();
    await notShown();
    assert.match(await answer(), /This kind of content cannot be shown here/);
    const [saved] = await Promise.all([page().waitForEvent("download"), press("Download")]);
    assert.equal((await downloadedBytes(saved)).length, 844);
  });

  const limit = (value: string) =>
    page().evaluate((text) => document.documentElement.setAttribute("data-answer-timeout-ms", text), value);

  test("waits for a response as long as the page allows, by default a minute", async () => {
    await open("api-reference/a-slow-answer");
    await limit("400");
    await page().click(".playground-bar .playground-send");
    await settled();
    assert.match(await answer(), /^No responseThere was no response within 0\.4 seconds\.Copy as cURL$/);
    await page().waitForFunction(() => document.querySelector(".playground-send")?.textContent === "Send");
    for (const none of ["0", "soon", "1e12"]) {
      await limit(none);
      await page().click(".playground-bar .playground-send");
      await page().waitForTimeout(600);
      assert.equal(await page().locator(".playground-waiting").count(), 1, none);
      await page().click(".playground-bar .playground-send");
      await page().waitForSelector(".playground-response .playground-empty");
    }
  });

  test("waits for the body of a response that began in time", async () => {
    await open("api-reference/a-late-body");
    await limit("300");
    await send();
    assert.match(await answer(), /"late"/);
  });

  test("explains an API that does not allow the page, and offers to copy the request", async () => {
    await open("api-reference/a-closed-api");
    await page().click(".playground-bar .playground-send");
    await settled();
    assert.match(await answer(), /No response.*127\.0\.0\.1:\d+.*\(CORS\)/);
    await stage.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await press("Copy as cURL");
    const copied = await page().evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, `curl --request GET \\\n  --url '${stage.closed().url}/closed'`);
  });

  const past = () => page().locator(".playground-past-entry");
  test("stores the requests of the session without credentials, and fills them in again", async () => {
    await page().evaluate(() => sessionStorage.clear());
    await open("api-reference/people/create-a-person");
    await field("Bearer").or(field("Authorization")).first().fill("s3cret");
    await dialog().getByRole("button", { name: "JSON", exact: true }).click();
    await code().fill('{"name":"Ada","email":"a@b.c","role":"admin","password":"hunter2","age":12345678901234567890}');
    await send();
    await code().fill('{"name":"Bob","email":"b@b.c","role":"admin"}');
    await send();
    assert.match((await past().allTextContents()).join(), /^POST\/v1\/people200 · .*POST\/v1\/people200 · /);
    assert.doesNotMatch(await page().evaluate(() => JSON.stringify(sessionStorage)), /s3cret|hunter2/);
    await past().nth(1).click();
    assert.match(await code().inputValue(), /"Ada"[\s\S]*12345678901234567890/);

    await open("api-reference/secured");
    await field("scheme").fill("mine");
    await page().click(".playground-bar .playground-send");
    await settled();
    assert.equal(await past().count(), 3);
    await past().nth(1).click();
    await page().waitForURL(/create-a-person/);
    await page().waitForSelector("#playground-dialog[open]");
    assert.match(JSON.stringify(await field("name").inputValue()), /Bob/);
    await press("Clear");
    assert.equal(await past().count(), 0);
    assert.equal(await page().locator(".playground-history").isVisible(), false);
  });

  test("stores at most 20 requests, and tolerates any other stored value", async () => {
    await page().evaluate(() => sessionStorage.setItem("offprint-playground-history", "[{"));
    await open("api-reference/words");
    await send();
    assert.equal(await past().count(), 1);
    await page().evaluate((name) => {
      const [entry] = JSON.parse(sessionStorage.getItem(name)!) as unknown[];
      sessionStorage.setItem(name, JSON.stringify(Array(20).fill(entry)));
    }, "offprint-playground-history");
    await open("api-reference/words");
    assert.equal(await past().count(), 20);
    await send();
    assert.equal(await past().count(), 20);
  });

  test("exports a request as HAR, with credentials only if the reader asks for them", async () => {
    await stage.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await open("api-reference/people/create-a-person");
    await press("Use example");
    await field("Bearer").or(field("Authorization")).first().fill("s3cret");
    await page().locator(".playground-panel-head select").selectOption({ label: "HAR" });
    const copied = async () => {
      await page().click(".playground-panel-head > .playground-icon");
      return JSON.parse(await page().evaluate(() => navigator.clipboard.readText())).log;
    };
    const log = await copied();
    assert.equal(log.version, "1.2");
    const { request } = log.entries[0];
    assert.deepEqual([request.method, request.url], ["POST", `${stage.api().url}/v1/people`]);
    assert.equal(request.postData.mimeType, "application/json");
    assert.doesNotMatch(JSON.stringify(log), /s3cret/);
    await page().getByLabel("Include credentials").check();
    assert.match(JSON.stringify(await copied()), /Bearer s3cret/);
    const [download] = await Promise.all([page().waitForEvent("download"), press("Download: Request")]);
    assert.equal(download.suggestedFilename(), "request.har");
    await page().locator(".playground-panel-head select").selectOption({ label: "cURL" });
  });

  test("explains that the site's policy forbids the request", async () => {
    await open("api-reference/server-variables");
    await field("port").fill("9");
    await page().click(".playground-bar .playground-send");
    await settled();
    assert.match(await answer(), /Content-Security-Policy.*http:\/\/127\.0\.0\.1:9.*connect-src/);
  });

  test("cancels a request", async () => {
    await open("api-reference/a-slow-answer");
    const before = stage.api().arrivals.length;
    await page().click(".playground-bar .playground-send");
    await page().waitForSelector(".playground-waiting");
    while (stage.api().arrivals.length === before) await page().waitForTimeout(20);
    await page().click(".playground-bar .playground-send");
    await page().waitForSelector(".playground-response .playground-empty");
    assert.equal(await answer(), "The request was cancelled.");
  });

  test("shows a response while it arrives, and keeps the received part when the reader cancels", async () => {
    await open("api-reference/events");
    await page().click(".playground-bar .playground-send");
    await page().waitForSelector(".playground-waiting ~ div .playground-text");
    assert.equal(await answer(), "data: one\n\n");
    await page().click(".playground-bar .playground-send");
    await settled();
    assert.match(await answer(), /data: one.*Only the first 11 B are shown/s);
  });

  test("asks for the host of a relative URL if the page has no host", async () => {
    await open("api-reference/a-relative-server", "disk");
    await field("Base URL").fill(`${stage.api().url}/`);
    assert.equal((await send()).url, "/api/relative");
    await open("api-reference/a-relative-server");
    assert.equal(await field("Base URL").count(), 0);
    assert.equal(await page().locator(".playground-address").textContent(), "/api/relative");
  });

  for (const from of ["disk", "server"] as const)
    test(`asks for the address of an API whose specification names no server, from ${from}`, async () => {
      await open("alone/no-server", from);
      assert.match(await form(), /The specification names no server/);
      assert.doesNotMatch(await form(), /Used only for/);
      await page().click(".playground-bar .playground-send");
      assert.equal(await field("Base URL").getAttribute("aria-invalid"), "true");
      // Without an address the request would go to the host of the documentation.
      assert.equal(await dialog().getByText("Send anyway").count(), 0);
      await field("Base URL").fill("api.example.com");
      assert.match(await form(), /Must have the format: https:\/\/api\.example\.com/);
      await field("Base URL").fill(`${stage.api().url}/v2/`);
      assert.equal(await field("Base URL").getAttribute("aria-invalid"), null);
      assert.equal(await page().locator(".playground-faults").isVisible(), false);
      await field("X-Api-Key").fill("k3y");
      assert.match(await form(), new RegExp(`Used only for ${stage.api().url}/v2\\.`));
      const { url, headers } = await send();
      assert.deepEqual([url, headers["x-api-key"]], ["/v2/nowhere", "k3y"]);
    });

  test("dates have a calendar next to a text field that accepts any other form of date", async () => {
    await open("api-reference/dates");
    const pick = async (name: string, value: string, shown: string) => {
      const row = dialog().locator(".playground-field", { has: page().getByLabel(name, { exact: true }) });
      await row.getByRole("button", { name: "Choose a date" }).click();
      const calendar = row.locator(".playground-date > input");
      assert.equal(await calendar.inputValue(), shown);
      await page().keyboard.press("Escape");
      await calendar.evaluate((input: HTMLInputElement, to) => {
        input.value = to;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }, value);
    };
    await field("day").fill("2026-02-30");
    await pick("day", "2026-03-01", "");
    await pick("at", "2026-03-01T10:20", "");
    await pick("at", "2026-03-01T10:20:30", "2026-03-01T10:20");
    await pick("stamp", "2026-03-01T10:20", "");
    await pick("stamp", "2026-03-01T10:21", "2026-03-01T10:20");
    const local = (text: string) => page().evaluate((value) => new Date(value).getTime(), text);
    const sent = new URL((await send()).url, "http://x").searchParams;
    assert.equal(sent.get("day"), "2026-03-01");
    assert.match(sent.get("at") ?? "", /^2026-\d\d-\d\dT\d\d:\d\d:30Z$/);
    assert.equal(Date.parse(sent.get("at")!), await local("2026-03-01T10:20:30"));
    assert.equal(Number(sent.get("stamp")) * 1000, await local("2026-03-01T10:21"));
    assert.deepEqual(await violationsOf(page(), { within: "#playground-dialog", bestPractice: false }), []);
    await field("day").fill("yesterday");
    await page().click(".playground-bar .playground-send");
    await press("Send anyway");
    await settled();
    assert.match(stage.api().arrivals.at(-1)!.url, /day=yesterday/);
  });

  test("errors disappear with their cause, and the summary with the last of them", async () => {
    const faults = () => page().locator(".playground-fault:not([hidden])").count();
    const summary = page().locator(".playground-faults");
    await open("api-reference/people/create-a-person");
    await page().click(".playground-bar .playground-send");
    assert.equal(await summary.textContent(), "Fields to check: 3Send anyway");
    await field("name").fill("Ada");
    assert.equal(await summary.textContent(), "Fields to check: 2Send anyway");
    await field("email").fill("a@b.c");
    await unfold("tags");
    for (const text of ["x", "x"]) {
      await press("Add item");
      await page().locator(".playground-item textarea").last().fill(text);
    }
    await page().click(".playground-bar .playground-send");
    assert.match(await form(), /All items must differ/);
    await page().locator(".playground-item textarea").last().fill("y");
    assert.doesNotMatch(await form(), /All items must differ/);
    assert.equal(await summary.textContent(), "Fields to check: 1Send anyway");
    await field("role").selectOption({ label: "admin" });
    assert.deepEqual([await faults(), await summary.isVisible()], [0, false]);
  });

  test("shows the request in the language that the reader chose, here or on pages", async () => {
    await open("api-reference/words");
    await page().locator(".playground-panel select").selectOption({ label: "Python" });
    assert.match(await stage.sample(), /import requests/);
    await open("api-reference/a-picture");
    assert.match(await stage.sample(), /import requests/);
    const shown = await page()
      .locator("#request-example [role=tabpanel][data-active], #request-example .tab-panel[data-active]")
      .first()
      .textContent();
    assert.match(shown ?? "", /import requests/);
  });

  test("copies without the clipboard API, and confirms it in the dialog", async () => {
    await open("api-reference/words");
    await page().evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await press("Copy");
    await page().waitForSelector(".playground-icon[data-copied]");
    assert.equal(await page().locator(".dialog-status").textContent(), "Copied");
  });

  test("inserts names and texts of specifications as text, and stays small with recursive schemas", async () => {
    await open("api-reference/hostile");
    await page().waitForTimeout(100);
    assert.equal(await page().evaluate(() => (window as { hacked?: number }).hacked), undefined);
    assert.equal(await dialog().locator("img, a[href^=javascript]").count(), 0);
    assert.match(await form(), /<img src=x/);
    assert.ok((await dialog().locator("*").count()) < 20_000);
  });

  test("checks the input while it is typed, in bounded time", async () => {
    await open("api-reference/people/create-a-person");
    const fault = async (name: string, text: string): Promise<string> => {
      await field(name).fill(text);
      const id = await field(name).getAttribute("id");
      return (await page().locator(`#${id}-fault`).textContent()) ?? "";
    };
    assert.equal(await fault("name", "A"), "Required length: 2 - 40");
    assert.equal(await field("name").getAttribute("aria-invalid"), "true");
    assert.equal(await fault("name", "Ada"), "");
    assert.equal(await fault("email", "ada"), "Must have the format: email");
    assert.equal(await fault("age", "1.5"), "Must be of type: integer");
    assert.equal(await fault("age", "abc"), "Must be of type: integer");
    assert.equal(await fault("age", "200"), "Required range: 0 <= x <= 150");
    assert.equal(await fault("code", "ab-1"), "Must match: ^[A-Z]{3}-\\d+$");
    assert.equal(await fault("code", "ABC-1"), "");
    // An engine that follows every way would not end.
    assert.equal(await fault("slow", `${"a".repeat(5_000)}!`), "");
    await unfold("tags");
    for (const text of ["x", "x"]) {
      await press("Add item");
      await page().locator(".playground-item textarea").last().fill(text);
    }
    await page().click(".playground-bar .playground-send");
    assert.match((await page().locator(".playground-faults").textContent()) ?? "", /Fields to check: 4/);
    assert.match(await form(), /All items must differ/);
    assert.equal(await page().evaluate(() => document.activeElement?.getAttribute("aria-invalid")), "true");
    const before = stage.api().arrivals.length;
    await press("Send anyway");
    await settled();
    assert.equal(stage.api().arrivals.length, before + 1);
  });

  test("switches from the form to JSON and back without loss", async () => {
    await open("api-reference/people/create-a-person");
    await press("JSON");
    const written = {
      name: "Ada",
      email: "a@b.c",
      role: "owner",
      nickname: null,
      age: "old",
      tags: [],
      address: {},
      contact: { kind: "post", street: "s" },
      labels: { a: 1 },
      manager: { name: "Eve", manager: { name: "Bob" } },
      amount: 3,
      unknown: { x: [1, null] },
    };
    await code().fill("{");
    await press("Form");
    assert.match(await form(), /This is not valid JSON/);
    await code().fill(JSON.stringify(written));
    await press("Form");
    assert.equal(await field("name").inputValue(), "Ada");
    await field("name").fill("Grace");
    await press("JSON");
    assert.deepEqual(JSON.parse(await code().inputValue()), { ...written, name: "Grace" });
  });

  test("fills the form with pasted JSON", async () => {
    await open("api-reference/people/create-a-person");
    await stage.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page().evaluate((text) => navigator.clipboard.writeText(text), person);
    await field("name").focus();
    await page().keyboard.press("Control+v");
    assert.deepEqual(
      [
        await field("name").inputValue(),
        await field("email").inputValue(),
        (await send()).body.toString().replace(/\s/g, ""),
      ],
      ["Ada", "a@b.c", person],
    );
  });

  test("fills in the example", async () => {
    await open("api-reference/people/create-a-person");
    await press("Use example");
    const { body } = await send();
    assert.equal((JSON.parse(body.toString()) as { email: string }).email, "ada@example.com");
  });

  test("a page shows the request and the response of the chosen example, in the language that was chosen", async () => {
    await visit("api-reference/numbers-of-many-digits");
    const shown = (id: string) => page().locator(`#${id} pre`).filter({ visible: true }).allTextContents();
    const languages = page().locator("#request-example .code-group-tabs select").filter({ visible: true });
    assert.match((await shown("request-example")).join(), /^curl[\s\S]*"id": 1,/);
    await languages.selectOption({ label: "Python" });
    await page().locator("#request-example").getByLabel("Options").selectOption({ label: "next" });
    assert.match((await shown("request-example")).join(), /^import requests[\s\S]*"id": 2,[\s\S]*12345678901234567890/);
    assert.deepEqual(await shown("response-example"), ['"of next"']);
  });

  const storedTexts = () => page().evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  const choice = () => dialog().getByLabel("Remember in this browser");

  test("credentials stay in the memory of the page, unless the reader ticks the box that stores them", async () => {
    await open("api-reference/people/create-a-person");
    assert.equal(await choice().isChecked(), false);
    await press("Use example");
    await field("Authorization").fill("t0k3n");
    assert.equal((await send()).headers["authorization"], "Bearer t0k3n");
    assert.doesNotMatch(await storedTexts(), /t0k3n/);
    await open("api-reference/secured");
    assert.equal(await field("Authorization").inputValue(), "");
    assert.equal(await choice().isChecked(), false);
  });

  test("if the box is ticked, credentials are stored for the pages of one API until the reader deletes them or unticks it", async () => {
    const key = () => dialog().getByLabel("X-Api-Key", { exact: true });
    await open("api-reference/people/create-a-person");
    await field("Authorization").fill("t0k3n");
    await choice().check();
    assert.match(await storedTexts(), /t0k3n/);
    await open("api-reference/secured");
    assert.equal(await choice().isChecked(), true);
    assert.equal(await field("Authorization").inputValue(), "t0k3n");
    await field("Authorization").fill("an0ther");
    await open("api-reference/websockets/a-room");
    assert.equal(await key().inputValue(), "");
    await open("api-reference/people/create-a-person");
    assert.equal(await field("Authorization").inputValue(), "an0ther");
    await press("Forget");
    assert.equal(await field("Authorization").inputValue(), "");
    assert.equal(await choice().isChecked(), false);
    assert.doesNotMatch(await storedTexts(), /t0k3n|an0ther|playground-kept|playground-issued/);
    await field("Authorization").fill("l4ter");
    assert.doesNotMatch(await storedTexts(), /l4ter/);

    await choice().check();
    await choice().uncheck();
    assert.equal(await field("Authorization").inputValue(), "l4ter");
    assert.doesNotMatch(await storedTexts(), /l4ter|playground-kept/);
    await open("api-reference/people/create-a-person");
    assert.equal(await field("Authorization").inputValue(), "");
  });

  test("another tab that deletes the credentials also ends the choice to keep them here", async () => {
    await open("api-reference/people/create-a-person");
    await choice().check();
    const tab = await stage.context().newPage();
    await tab.goto(page().url());
    await tab.waitForSelector("#playground-dialog[open]");
    await tab.getByRole("button", { name: "Forget", exact: true }).click();
    await page().waitForFunction(
      () => !document.querySelector<HTMLInputElement>(".playground-memory input[type=checkbox]")!.checked,
    );
    await field("Authorization").fill("t0k3n");
    assert.doesNotMatch(await storedTexts(), /t0k3n/);
    await tab.close();
  });

  test("a page from disk stores no credentials and no requests, which other local files could read", async () => {
    await open("api-reference/people/create-a-person", "disk");
    assert.equal(await choice().count(), 0);
    assert.match(await form(), /Kept only until this page is closed or left/);
    await press("Use example");
    await field("Authorization").fill("t0k3n");
    assert.equal((await send()).headers["authorization"], "Bearer t0k3n");
    assert.equal(await past().count(), 1);
    const folder = mkdtempSync(join(tmpdir(), "offprint-other-file-"));
    writeFileSync(join(folder, "other.html"), "<!doctype html><title>Another file</title>");
    await page().goto(pathToFileURL(join(folder, "other.html")).href);
    assert.doesNotMatch(await storedTexts(), /t0k3n|playground/);
    rmSync(folder, { recursive: true });
  });

  test("a credential is sent only to the server that it was typed for, however the specification writes its address", async () => {
    const key = () => field("X-Api-Key");
    const portOf = ({ url }: TestApi) => new URL(url).port;
    await open("api-reference/a-server-of-variables");
    await key().fill("k1");
    assert.equal((await send()).headers["x-api-key"], "k1");
    const before = stage.closed().arrivals.length;
    await field("port").fill(portOf(stage.closed()));
    assert.equal(await key().inputValue(), "");
    assert.match(await form(), new RegExp(`Used only for ${stage.closed().url}/api`));
    await press("Send");
    await settled();
    assert.equal(stage.closed().arrivals[before]?.headers["x-api-key"], undefined);
    assert.equal(stage.closed().arrivals.length, before + 1);
    await field("hostname").fill("");
    assert.equal(await key().inputValue(), "");
    await field("hostname").fill("127.0.0.1");
    await field("port").fill(portOf(stage.api()));
    assert.equal(await key().inputValue(), "k1");
    await choice().check();
    await open("api-reference/the-same-server");
    assert.equal(await key().inputValue(), "k1");
  });

  test("sends and receives over a WebSocket", async () => {
    await open("api-reference/websockets/a-room");
    await field("X-Api-Key").fill("k3y");
    assert.equal(await field("room").inputValue(), "lobby");
    await field("room").fill("a b");
    await field("since").fill("5");
    await page().click(".playground-bar .playground-send");
    await page().waitForSelector(".playground-status[data-status='2']");
    const shake = stage.api().handshakes.at(-1)!;
    assert.deepEqual([shake.url, shake.headers["sec-websocket-protocol"]], ["/rooms/a%20b?since=5", "k3y"]);
    await field("text").fill("hello");
    await page().locator(".playground-section-body > .playground-send").click();
    await page().waitForSelector(".playground-log [data-kind=received]");
    assert.deepEqual(JSON.parse(stage.api().messages.at(-1)!), { text: "hello" });
    assert.match((await page().locator(".playground-log").textContent()) ?? "", /Sent.*hello.*Received.*HELLO/s);
    await page().click(".playground-bar .playground-send");
    await page().waitForFunction(() => document.querySelector(".playground-log")?.textContent?.includes("was closed"));
  });

  test("can be used without a mouse", async () => {
    await visit("api-reference/people/create-a-person");
    await page().focus(".tryit-button");
    await page().keyboard.press("Enter");
    await page().waitForSelector("#playground-dialog[open]");
    const on = () =>
      page().evaluate(
        () =>
          document.activeElement?.getAttribute("aria-label") ??
          document.querySelector(`label[for="${document.activeElement?.id}"]`)?.textContent,
      );
    const tabTo = async (name: string): Promise<void> => {
      for (let i = 0; i < 60 && (await on()) !== name; i++) await page().keyboard.press("Tab");
      assert.equal(await on(), name);
    };
    assert.equal(await on(), "Authorization");
    await page().keyboard.type("t");
    await tabTo("name");
    await page().keyboard.type("Ada");
    await tabTo("email");
    await page().keyboard.type("a@b.c");
    await tabTo("role");
    await page().keyboard.press("e");
    const before = stage.api().arrivals.length;
    await page().keyboard.press("Control+Enter");
    await settled();
    assert.deepEqual(JSON.parse(stage.api().arrivals[before]!.body.toString()), {
      name: "Ada",
      email: "a@b.c",
      role: "editor",
    });
    assert.equal(await page().locator(".playground-answer [role=status]").textContent(), "Response: 200 OK");
    for (let i = 0; i < 80; i++) {
      await page().keyboard.press("Tab");
      const isInside = await page().evaluate(
        () =>
          document.activeElement === document.body || document.activeElement?.closest("#playground-dialog") !== null,
      );
      assert.ok(isInside);
    }
  });

  const scenes = [
    ["a filled form", "api-reference/people/create-a-person", true],
    ["faults and ways to authorize", "api-reference/secured", false],
    ["a right-to-left page", "ar/query-styles", false],
    ["a channel", "api-reference/websockets/a-room", false],
  ] as const;
  for (const [scene, path, hasExample] of scenes)
    test(`has no accessibility fault in light and dark mode: ${scene}`, async () => {
      await open(path);
      if (hasExample) await press("Use example");
      await page().click(".playground-bar .playground-send");
      // A page from right to left has the colours of the others.
      const withoutColors = !sweeping && path.startsWith("ar/");
      const light = await violationsOf(page(), { within: "#playground-dialog", withoutColors });
      if (withoutColors) return assert.deepEqual(light, []);
      await page().evaluate(() => document.documentElement.classList.add("dark"));
      const dark = await violationsOf(page(), { within: "#playground-dialog", onlyColors: true });
      assert.deepEqual([...light, ...dark], []);
    });

  for (const width of sampleOf([360, 800, 1400], 2))
    test(`fits a window ${width} pixels wide`, async () => {
      await page().setViewportSize({ width, height: 800 });
      await open("api-reference/people/create-a-person");
      await press("Use example");
      await send();
      const over = await page().evaluate(() => {
        const box = document.querySelector("#playground-dialog")!;
        return [...box.querySelectorAll<HTMLElement>("*")]
          .filter(
            (each) =>
              each.getBoundingClientRect().right > box.getBoundingClientRect().right + 1 &&
              !each.closest("pre, .playground-address, .visually-hidden, option"),
          )
          .map((each) => each.className || each.tagName);
      });
      await page().setViewportSize({ width: 1300, height: 900 });
      assert.deepEqual(over, []);
    });

  test("on a phone, its button is below the path, which breaks between words", async () => {
    await page().setViewportSize({ width: 390, height: 800 });
    await open("api-reference/a-long-path");
    const { broken, lines, isBelow } = await page().evaluate(() => {
      const path = document.querySelector(".api-path")!;
      const texts = document.createTreeWalker(path, NodeFilter.SHOW_TEXT);
      const tops = new Set<number>();
      const broken: string[] = [];
      while (texts.nextNode()) {
        const node = texts.currentNode as Text;
        for (const { 0: word, index } of node.data.matchAll(/[A-Z]?[a-z]+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const own = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          for (const top of own) tops.add(top);
          if (own.size > 1) broken.push(word);
        }
      }
      const button = document.querySelector(".tryit-button")!.getBoundingClientRect();
      return { broken, lines: tops.size, isBelow: button.top >= path.getBoundingClientRect().bottom };
    });
    await page().setViewportSize({ width: 1300, height: 900 });
    assert.deepEqual({ broken, isBelow }, { broken: [], isBelow: true });
    assert.ok(lines > 3);
  });
});

describe.skipIf(chromium === undefined)("the playground of a site with prefilled examples", actsAsReader, () => {
  const stage = playgroundStage(chromium, { api: { examples: { prefill: true } } });
  test("starts with the examples", async () => {
    await stage.open("api-reference/people/create-a-person");
    assert.equal(await stage.field("email").inputValue(), "ada@example.com");
    await stage.open("api-reference/secured");
    assert.equal(await stage.field("scheme").inputValue(), "any");
  });
});
