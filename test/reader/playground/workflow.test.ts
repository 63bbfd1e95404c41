/** Workflows run in Chromium, from disk, against an API on loopback. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { violationsOf } from "../../quality/axe.js";
import { findChromium } from "../../support/browser.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { serveFolder } from "../../support/serve-folder.js";
import { actsAsReader, downloadedBytes, sharedBrowser } from "../../support/shared-browser.js";

const chromium = findChromium();
const fixture = join(import.meta.dirname, "../../../fixtures/sites/arazzo");

/** Goes round in a circle as long as the API answers, and shows a text that looks like markup. */
const spin = `
  - workflowId: spin
    steps:
      - stepId: round
        operationId: getBooking
        parameters:
          - { name: id, in: path, value: "<img src=x onerror=hacked=1>" }
        onSuccess:
          - { name: again, type: goto, stepId: round, criteria: [{ condition: $statusCode == 200 }] }
        outputs:
          echo: $request.path.id
`;

/** Sends XML, with a value in place of an element and one of an attribute. */
const letter = `
  - workflowId: letter
    inputs: { type: object, properties: { name: { type: string } } }
    steps:
      - stepId: write
        operationId: createBooking
        requestBody:
          contentType: application/xml
          payload: '<?xml version="1.0"?><booking no="0"><name/><berth>B7</berth></booking>'
          replacements:
            - { target: /booking/name, value: $inputs.name }
            - { target: /booking/@no, value: 5 }
            - { target: "///", value: 5 }
`;

interface Arrival {
  readonly line: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

describe.skipIf(chromium === undefined)("a workflow", actsAsReader, () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-workflow-"));
  const browser = sharedBrowser(chromium);
  let server: Server;
  let page: Page;
  let arrivals: Arrival[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    server = harbour(
      (arrival) => arrivals.push(arrival),
      () => arrivals,
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const read = (name: string): string => readFileSync(join(fixture, name), "utf8");
    const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    for (const name of ["docs.json", "index.mdx", "events.yaml"]) write(name, read(name));
    write("openapi.yaml", read("openapi.yaml").replace("https://api.harbour.example/v1", address));
    write("berths.arazzo.yaml", read("berths.arazzo.yaml").replace("\ncomponents:", `${spin}${letter}components:`));
    const { ok, diagnostics } = await exportInProcess({ source: folder, output: join(folder, "out") });
    assert.deepEqual([ok, diagnostics], [true, []]);
    page = await (
      await browser().newContext({ viewport: { width: 1300, height: 900 }, reducedMotion: "reduce" })
    ).newPage();
    page.on("pageerror", (error) => problems.push(error.message));
  });
  afterAll(async () => {
    await new Promise((resolve) => {
      server?.closeAllConnections();
      server?.close(resolve);
    });
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    arrivals = [];
  });

  const open = async (name: string, base = `${pathToFileURL(folder).href}/out/`): Promise<void> => {
    await page.goto(`${base}workflows/${name}.html`);
    await page.click(".tryit-button");
    await page.waitForSelector("#playground-dialog[open]");
  };
  const fill = async (values: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(values))
      await page.locator("#playground-dialog").getByLabel(name, { exact: true }).first().fill(value);
  };
  const press = (name: string) => page.locator(".playground-bar").getByRole("button", { name }).click();
  const finished = (text: string) => page.locator(".workflow-status", { hasText: text }).waitFor();
  const attempts = async (): Promise<string[]> =>
    page.locator(".workflow-step").evaluateAll((all) =>
      all.map((each) => {
        const of = (selector: string) => each.querySelector(selector)?.textContent ?? "";
        return `${of(".workflow-name")} ${of(".playground-status").slice(0, 3)} ${each.getAttribute("data-passed")}`;
      }),
    );
  const account = { user: "ada", password: "s3cret" };

  test("runs all steps, passes outputs on, and repeats a step until it succeeds", async () => {
    await open("book-berth");
    await fill({ ...account, length: "9" });
    await press("Run all steps");
    await finished("The workflow is complete.");
    expect(await attempts()).toEqual([
      "1. session 200 true",
      "2. login  true",
      "3. search 503 false",
      "4. search 200 true",
      "5. book 201 true",
      "6. confirmed 200 false",
      "7. confirmed 200 false",
      "8. confirmed 200 true",
    ]);
    expect(arrivals).toEqual([
      { line: "POST /session", token: undefined, body: account },
      { line: "GET /berths?length=9&nights=1", token: "Bearer t-ada", body: undefined },
      { line: "GET /berths?length=9&nights=1", token: "Bearer t-ada", body: undefined },
      { line: "POST /bookings", token: "Bearer t-ada", body: { berth: "B7", nights: 1 } },
      ...Array.from({ length: 3 }, () => ({
        line: "GET /bookings/9007199254740993",
        token: "Bearer t-ada",
        body: undefined,
      })),
    ]);
    expect(await page.locator(".workflow-outputs").textContent()).toContain('"booking": 9007199254740993');
    expect(await violationsOf(page)).toEqual([]);
  });

  test("offers each request as code, without the token unless asked", async () => {
    await open("book-berth");
    await fill({ ...account, length: "9" });
    await press("Run all steps");
    await finished("The workflow is complete.");
    const last = page.locator(".workflow-step").last();
    await last.locator("summary").first().click();
    await last.locator(".workflow-request > summary").click();
    const sample = last.locator(".playground-sample");
    await last.locator(".workflow-request select").selectOption("cURL");
    expect(await sample.textContent()).toContain("'Authorization: ••••••••'");
    await last.getByLabel("Include credentials").check();
    await last.locator(".workflow-request select").selectOption("HAR");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      last.getByRole("button", { name: "Download: Request" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("request.har");
    const { log } = JSON.parse((await downloadedBytes(download)).toString());
    expect(log.entries[0].request).toMatchObject({
      method: "GET",
      url: expect.stringMatching(/\/bookings\/9007199254740993$/),
      headers: expect.arrayContaining([{ name: "Authorization", value: "Bearer t-ada" }]),
    });
    await last.locator(".workflow-request select").selectOption("JavaScript");
    expect(await sample.textContent()).toContain("fetch(");
    expect(await violationsOf(page)).toEqual([]);
  });

  test("stores its requests in the history, from which they open on the pages of their operations", async () => {
    const past = page.locator(".playground-past-entry");
    const served = await serveFolder(join(folder, "out"));
    await open("book-berth", served.url);
    await fill({ ...account, length: "99" });
    await press("Run all steps");
    await finished("The workflow failed.");
    expect(await past.evaluateAll((all) => all.map((each) => each.textContent?.replace(/ · .*/, "")))).toEqual([
      "GET/berths200",
      "POST/session200",
    ]);
    const kept = await page.evaluate(() => sessionStorage.getItem("offprint-playground-history"));
    expect(kept).not.toMatch(/s3cret|t-ada/);
    await past.first().click();
    await page.waitForSelector("#playground-dialog[open]");
    expect(page.url()).toContain("/api-reference/find-free-berths.html");
    expect(await page.getByLabel("length", { exact: true }).inputValue()).toBe("99");
    await served.close();
  });

  test("runs step by step", async () => {
    await open("book-berth");
    await fill({ ...account, length: "9" });
    // A step that calls a workflow ends with the last step of that.
    for (const count of [2, 3, 4]) {
      await press("Next step");
      await page
        .locator(".workflow-step")
        .nth(count - 1)
        .waitFor();
      await page.waitForSelector(".workflow-next:not([disabled])");
      expect(await page.locator(".workflow-step").count()).toBe(count);
    }
    await press("Run all steps");
    await finished("The workflow is complete.");
  });

  test("ends at a criterion that fails, and shows the criterion", async () => {
    await open("book-berth");
    await fill({ ...account, length: "99" });
    await press("Run all steps");
    await finished("The workflow failed.");
    const verdicts = page.locator(".workflow-step").last().locator(".workflow-verdicts > li");
    expect(await verdicts.allTextContents()).toEqual(["✓$statusCode == 200", "✗$response.body$[?@.price < 500]"]);
    expect(arrivals.at(-1)?.line).toBe("GET /berths?length=99&nights=1");
  });

  test("asks for missing inputs", async () => {
    await open("book-berth");
    await press("Run all steps");
    await page.locator(".playground-faults", { hasText: "Fields to check: 3" }).waitFor();
    expect(arrivals).toEqual([]);
  });

  test("stops before a step that a browser cannot run, as the page says", async () => {
    await open("await-confirmation");
    await fill(account);
    await press("Run all steps");
    await finished("A browser cannot run this step, so the run stops here.");
    // The step that waits for it comes after it.
    expect(await attempts()).toEqual(["1. session 200 true", "2. login  true", "3. confirmed  false"]);
    expect(arrivals.map(({ line }) => line)).toEqual(["POST /session"]);
    await page.keyboard.press("Escape");
    const notes = page.getByText("A run in the browser stops here: this step sends or receives a message.");
    expect(await notes.count()).toBe(1);
  });

  test("replaces parts of a body in XML", async () => {
    await open("letter");
    await fill({ name: "a <b>" });
    await press("Run all steps");
    await finished("The workflow is complete.");
    expect(arrivals.map(({ body }) => body)).toEqual([
      '<?xml version="1.0"?><booking no="5"><name>a &lt;b&gt;</name><berth>B7</berth></booking>',
    ]);
  });

  test("stops a workflow that loops, and shows responses as text, not as markup", async () => {
    await open("spin");
    await press("Run all steps");
    await finished("The workflow failed.");
    await page.getByText("Stopped after 100 steps.").waitFor();
    expect(arrivals.length).toBe(100);
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBe(undefined);
    expect(problems).toEqual([]);
  });

  test("has a separate script that stays within its size limit", () => {
    const bytes = gzipSync(readFileSync("dist/client/workflow.js"), { level: 9 }).length;
    expect(bytes).toBeLessThan(30_500);
  });
});

/** An API that is busy at the first search, and confirms a booking when it is asked for the third time. */
function harbour(arrived: (arrival: Arrival) => void, all: () => readonly Arrival[]): Server {
  return createServer(async (request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", "authorization, content-type");
    response.setHeader("Access-Control-Expose-Headers", "Retry-After");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    let text = "";
    for await (const chunk of request) text += chunk;
    const line = `${request.method} ${request.url}`;
    const body = text === "" ? undefined : text.startsWith("<") ? text : JSON.parse(text);
    arrived({ line, token: request.headers.authorization, body });
    const count = all().filter((each) => each.line === line).length;
    const send = (status: number, json: string): void => {
      response.writeHead(status, { "Content-Type": "application/json", "Retry-After": "0" }).end(json);
    };
    if (line === "POST /session") return send(200, JSON.stringify({ token: `t-${body.user}` }));
    if (line === "GET /berths?length=9&nights=1" && count === 1) return send(503, "{}");
    if (line.startsWith("GET /berths"))
      return send(200, `[{"id":"B7","price":${line.includes("length=99") ? 900 : 45.5}}]`);
    // More digits than the numbers of JavaScript hold.
    if (line === "POST /bookings") return send(201, '{"id":9007199254740993}');
    send(200, JSON.stringify({ state: count > 2 ? "confirmed" : "waiting" }));
  });
}
