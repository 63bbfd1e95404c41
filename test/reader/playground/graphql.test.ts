/** The playground of GraphQL: a real server of the package `graphql`, called from disk and below a path of a host. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { violationsOf } from "../../quality/axe.js";
import { sampleOf, sweeping } from "../../quality/bundle.js";
import { findChromium } from "../../support/browser.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../../support/serve-folder.js";
import { actsAsReader, sharedBrowser } from "../../support/shared-browser.js";
import { type GraphApi, startGraphApi } from "./graphql-api.js";

const fixture = fileURLToPath(new URL("../../../fixtures/sites/graphql", import.meta.url));
const chromium = findChromium();

test("the GraphQL editor stays within its size limit", () => {
  const size = gzipSync(readFileSync("dist/client/graph.js"), { level: 9 }).length;
  assert.ok(size <= 14_000, `${size}`);
});

describe.skipIf(chromium === undefined)("the playground of GraphQL", actsAsReader, () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-graphql-"));
  const output = join(folder, "out");
  const browser = sharedBrowser(chromium);
  let api: GraphApi;
  let served: ServedFolder;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const source = join(folder, "site");
    cpSync(fixture, source, { recursive: true, filter: (path) => !path.startsWith(join(fixture, "expected")) });
    api = await startGraphApi(join(source, "herbarium.graphql"));
    const docs = join(source, "docs.json");
    writeFileSync(docs, readFileSync(docs, "utf8").replace("https://api.example.com/graphql", api.url));
    const { ok, diagnostics } = await exportInProcess({ source, output });
    assert.deepEqual([ok, diagnostics], [true, []]);
    const policy = strictPolicy.replace("connect-src 'self'", `connect-src ${new URL(api.url).origin}`);
    served = await serveFolder(output, { base: "/a/b/", policy });
    const context = await browser().newContext({ viewport: { width: 1300, height: 900 }, reducedMotion: "reduce" });
    page = await context.newPage();
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  });
  afterAll(async () => {
    await Promise.all([served?.close(), api?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => assert.deepEqual(problems.splice(0), []));

  const open = async (path: string, from: "disk" | "server" = "server"): Promise<void> => {
    await page.goto(`${from === "disk" ? `${pathToFileURL(output).href}/` : served.url}graph/${path}.html`);
    await page.click(".tryit-button");
    await page.waitForSelector("#playground-dialog[open]");
  };
  const field = (name: string) => page.locator("#playground-dialog").getByLabel(name, { exact: true }).first();
  /** The box of a field, such as `specimen/name`. */
  const box = (path: string) => page.locator(`.playground-tree input[data-key="${path}"]`);
  const text = () => page.getByRole("textbox", { name: "GraphQL", exact: true });
  const answer = async () => (await page.locator(".playground-response").textContent()) ?? "";
  const send = async (): Promise<GraphApi["arrivals"][number]> => {
    const before = api.arrivals.length;
    await page.evaluate(() => document.querySelector(".playground-facts .playground-status")?.remove());
    await page.click(".playground-bar .playground-send");
    await page.waitForSelector(".playground-facts .playground-status");
    return api.arrivals[before]!;
  };

  for (const from of ["disk", "server"] as const)
    test(`sends the operation, its variables and its headers from ${from}, and shows the response`, async () => {
      await open("queries/search", from);
      await field("text").fill("Ada");
      await field("Authorization").fill("secret-1");
      const { body, headers } = await send();
      assert.match(body.query, /^query Search\(\$filter: SpecimenFilter!, \$first: Int\) \{\n {2}search/);
      assert.deepEqual([body.variables, body.operationName], [{ filter: { text: "Ada" } }, "Search"]);
      assert.equal(headers["content-type"], "application/json");
      assert.equal(headers["authorization"], "Bearer secret-1");
      assert.equal(headers["x-herbarium-version"], "2024-04");
      assert.match(await answer(), /"name": "Ada".*"name": "Salix alba"/);
      const sample = await page.locator(".playground-sample").textContent();
      assert.match(sample ?? "", /--header 'Authorization: Bearer ••••••••'.*"query": "query Search/s);
    });

  test("sends credentials only to the server that they were typed for", async () => {
    await open("queries/count");
    const servers = page.locator("select[aria-label=Server]");
    await field("Authorization").fill("secret-1");
    await servers.selectOption({ label: "https://staging.example.com/graphql" });
    assert.equal(await field("Authorization").inputValue(), "");
    await servers.selectOption({ index: 0 });
    assert.equal(await field("Authorization").inputValue(), "secret-1");
    assert.equal((await send()).headers["authorization"], "Bearer secret-1");
  });

  test("has a field for each argument, with lists, enums, inputs and their defaults", async () => {
    await open("mutations/addspecimen");
    const form = (await page.locator(".playground-fields").textContent()) ?? "";
    assert.match(
      form,
      /specimenNewSpecimenrequired.*nameStringrequired.*rankRank.*placePlaceInput.*tagsString\[\].*atDateTime/,
    );
    assert.match(form, /– \(default: "SPECIES"\)/);
    await page.click(".playground-bar .playground-send");
    assert.match((await page.locator(".playground-faults").textContent()) ?? "", /Fields to check: 1/);
    await field("name").fill("Bellis");
    await field("rank").selectOption("VARIETY");
    const { body } = await send();
    assert.deepEqual(body.variables, { specimen: { name: "Bellis", rank: "VARIETY" } });
    assert.match(await answer(), /"name": "Bellis"/);
    await page.getByRole("button", { name: "Use example" }).click();
    assert.deepEqual((await send()).body.variables, {
      specimen: { name: "string" },
    });
  });

  test("shows the errors of a response before its data", async () => {
    await open("queries/specimen");
    await field("id").fill("8");
    await send();
    assert.match(await answer(), /Errors in the answer: 1No specimen 8 \(specimen\)/);
  });

  test("the tree of fields changes the text, and the text changes the tree and the form", async () => {
    await open("queries/specimen");
    const before = await text().inputValue();
    await box("specimen/nearby").check();
    assert.match(await text().inputValue(), /^query Specimen\(\$id: ID!, \$within: Float!\)/);
    assert.match(await text().inputValue(), /\n {4}nearby\(within: \$within\) \{\n {6}id\n {6}name\n/);
    await field("id").fill("7");
    await field("within").fill("2.5");
    assert.deepEqual((await send()).body.variables, { id: "7", within: 2.5 });
    assert.match(await answer(), /"id": "2.5"/);
    await box("specimen/nearby").uncheck();
    assert.equal(await text().inputValue(), before);

    await text().fill("{ count specimen(id: 7) { id } }");
    await page.waitForFunction(() => document.querySelectorAll(".playground-tree :checked").length === 1);
    await box("specimen/tags").check();
    await box("specimen/id").uncheck();
    assert.equal((await text().inputValue()).replace(/\s+/g, " "), "{ count specimen(id: 7) { tags } }");
    await box("specimen/tags").uncheck();
    assert.match(await text().inputValue(), /specimen\(id: 7\) \{\s*__typename\s*\}/);
    const { body } = await send();
    assert.deepEqual([body.variables, body.operationName], [undefined, undefined]);
    assert.match(await answer(), /"count": 2/);

    await text().fill("query A { count } query B($id: ID!) { specimen(id: $id) { id } }");
    await page.locator("select[aria-label=Operation]").selectOption({ label: "B" });
    await field("id").fill("7");
    assert.deepEqual((await send()).body.operationName, "B");
    await text().fill("query {");
    await page.getByText(/This is not a GraphQL document: 1:8: Expected Name/).waitFor();
  });

  test("fills in an earlier request, except for possible secrets", async () => {
    await open("queries/specimen");
    await text().fill('{ specimen(id: "7", token: "abc") { id } }');
    await send();
    await open("queries/count");
    const past = page.locator(".playground-past-entry").first();
    assert.match((await past.textContent()) ?? "", /^QUERYspecimen200/);
    await open("queries/specimen");
    await past.click();
    assert.equal(await text().inputValue(), '{ specimen(id: "7", token: "") { id } }');
  });

  test("explains that it cannot send a subscription", async () => {
    await open("subscriptions/specimenadded");
    assert.match(
      (await page.locator(".playground-side").textContent()) ?? "",
      /^Subscriptions cannot be sent from here/,
    );
    assert.ok(await page.locator(".playground-send").isDisabled());
    assert.match(await text().inputValue(), /^subscription SpecimenAdded\(\$rank: Rank\)/);
  });

  test("is accessible in light and dark mode and on a phone, as are pages of each kind of type", async () => {
    for (const { colorScheme, width, onlyColors } of [
      { colorScheme: "light", width: 1300, onlyColors: false },
      // Outside of a sweep, the pages of types, which are alike in both widths, are checked for their colours alone.
      { colorScheme: "dark", width: 390, onlyColors: !sweeping },
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const type of sampleOf(["specimen", "newspecimen", "placeinput", "rank", "found", "node", "datetime"], 3)) {
        await page.goto(`${served.url}graph/types/${type}.html`);
        assert.deepEqual(await violationsOf(page, { onlyColors }), [], type);
      }
      await open("queries/search");
      assert.deepEqual(await violationsOf(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    }
  });

  test("has one file with the types, whatever the number of pages", () => {
    const files = readdirSync(join(output, "_offprint/playground"));
    const ofTypes = files.filter((name) =>
      readFileSync(join(output, "_offprint/playground", name), "utf8").startsWith("offprintPlayground('types'"),
    );
    assert.equal(ofTypes.length, 1);
  });
});
