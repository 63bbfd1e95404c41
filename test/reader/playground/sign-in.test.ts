/** Tokens for the playground from a real server of OAuth: over http and, as far as browsers let it, from disk. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { sha256 } from "../../../src/reader/playground/sign-in/protocol.js";
import { violationsOf } from "../../quality/axe.js";
import { findChromium } from "../../support/browser.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../../support/serve-folder.js";
import { actsAsReader, sharedBrowser } from "../../support/shared-browser.js";
import { startApi, type TestApi } from "./api.js";
import { type OAuthServer, startOAuthServer } from "./oauth-server.js";

const chromium = findChromium();

test("the digest of the PKCE challenge is SHA-256", () => {
  for (const length of [0, 1, 43, 55, 56, 63, 64, 119, 120, 1000]) {
    const text = "aZ9~".repeat(250).slice(0, length);
    assert.equal(Buffer.from(sha256(text)).toString("hex"), createHash("sha256").update(text).digest("hex"));
  }
});

describe.skipIf(chromium === undefined)("signing in to the playground", actsAsReader, () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-sign-in-"));
  const output = join(folder, "out");
  const browser = sharedBrowser(chromium);
  let served: ServedFolder;
  let api: TestApi;
  let other: TestApi;
  let oauth: OAuthServer;

  beforeAll(async () => {
    [api, other, oauth] = await Promise.all([startApi(true), startApi(true), startOAuthServer()]);
    writeSite(join(folder, "site"));
    const { ok, diagnostics } = await exportInProcess({ source: join(folder, "site"), output });
    assert.deepEqual([ok, diagnostics.filter(({ severity }) => severity === "error")], [true, []]);
    const policy = strictPolicy.replace("connect-src 'self'", `connect-src ${api.url} ${other.url} ${oauth.url}`);
    served = await serveFolder(output, { base: "/a/b/", policy });
    oauth.allow(`${served.url}offprint-sign-in.html`);
  });
  afterAll(async () => {
    await Promise.all([served?.close(), api?.close(), other?.close(), oauth?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  function writeSite(to: string): void {
    const { url } = oauth;
    const operation = (summary: string, security: object[]) => ({
      get: { summary, security, responses: { 200: { description: "x" } } },
    });
    const audience = { audience: "orchard", resource: "https://orchard.example" };
    const addresses = { authorizationUrl: `${url}/auth`, tokenUrl: `${url}/token`, scopes: { read: "Reads" } };
    const spec = {
      openapi: "3.2.0",
      info: { title: "t", version: "1" },
      servers: [{ url: api.url }, { url: other.url }],
      paths: {
        "/code": operation("Code", [{ code: ["read"] }]),
        "/either": operation("Either", [{ key: [] }, { code: ["read"] }]),
        "/again": operation("Again", [{ code: ["read"] }]),
        "/machine": operation("Machine", [{ machine: ["write"] }]),
        "/device": operation("Device", [{ device: ["openid", "read"] }]),
        "/discovered": operation("Discovered", [{ openId: ["read"] }]),
        "/key": operation("Key", [{ key: [] }]),
      },
      components: {
        securitySchemes: {
          code: {
            type: "oauth2",
            "x-defaultClientId": "reader",
            flows: {
              authorizationCode: {
                ...addresses,
                "x-scalar-security-query": audience,
                "x-scalar-security-body": { ...audience, grant_type: "password" },
              },
            },
          },
          machine: { type: "oauth2", flows: { clientCredentials: { tokenUrl: `${url}/token`, scopes: {} } } },
          device: {
            type: "oauth2",
            flows: {
              authorizationCode: addresses,
              deviceAuthorization: {
                deviceAuthorizationUrl: `${url}/device/auth`,
                tokenUrl: `${url}/token`,
                scopes: {},
              },
            },
          },
          openId: { type: "openIdConnect", openIdConnectUrl: `${url}/.well-known/openid-configuration` },
          key: { type: "apiKey", in: "header", name: "X-Key" },
        },
      },
    };
    const settings = {
      theme: "mint",
      name: "Sign in",
      colors: { primary: "#2563eb" },
      navigation: {
        groups: [
          { group: "Home", pages: ["index"] },
          { group: "API", openapi: "openapi.json" },
        ],
      },
    };
    mkdirSync(to, { recursive: true });
    writeFileSync(join(to, "docs.json"), JSON.stringify(settings));
    writeFileSync(join(to, "index.mdx"), "---\ntitle: Home\n---\n\nHello.\n");
    writeFileSync(join(to, "openapi.json"), JSON.stringify(spec));
  }

  /** Opens a page in a browser without memory, and its playground. */
  async function start(name: string, from: "disk" | "server" = "server"): Promise<Page> {
    const context = await browser().newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    await open(page, name, from);
    return page;
  }
  async function open(page: Page, name: string, from: "disk" | "server" = "server"): Promise<void> {
    const base = from === "disk" ? `${pathToFileURL(output).href}/` : served.url;
    await page.goto(`${base}api-reference/${name}.html?playground=open`);
    await page.waitForSelector("#playground-dialog[open]");
    if (name === "either") await page.locator("select[aria-label=Authorizations]").selectOption({ label: "code" });
    await page.locator("summary", { hasText: "Get a token" }).click();
  }
  const token = (page: Page) => page.getByLabel("Authorization", { exact: true }).inputValue();
  const choice = (page: Page) => page.getByLabel("Remember in this browser");
  const storedTexts = (page: Page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  const status = (page: Page) => page.locator(".playground-group-body [role=status]");
  const get = (page: Page) => page.getByRole("button", { name: "Get a token", exact: true }).click();
  const isReceived = (page: Page) => page.getByText("Token received.").waitFor();
  /** Sends the request, and returns the `Authorization` header that the API received. */
  async function sent(page: Page, to: TestApi): Promise<string | undefined> {
    const before = to.arrivals.length;
    await page.click(".playground-bar .playground-send");
    await page.waitForSelector(".playground-facts .playground-status");
    await page.evaluate(() => document.querySelector(".playground-facts .playground-status")?.remove());
    return to.arrivals[before]!.headers["authorization"] as string | undefined;
  }
  /** The pages of the server: a name, a password, a consent. */
  async function logIn(at: Page): Promise<void> {
    await at.fill("[name=login]", "ada");
    await at.fill("[name=password]", "any");
    await at.click("[type=submit]");
    await at.waitForSelector("[name=login]", { state: "detached" });
    await at.click("[type=submit]");
  }

  test("authorization code with PKCE, in a window: the token goes to the chosen server, and is stored only if the reader asks for it", async () => {
    const page = await start("code");
    await page.getByLabel("Client ID").fill("reader");
    assert.equal(await page.getByLabel("Scopes").inputValue(), "read");
    const [popup] = await Promise.all([page.waitForEvent("popup"), get(page)]);
    await popup.waitForSelector("[name=login]");
    assert.equal(await popup.evaluate(() => window.opener), null);
    // No page uses an answer to another request.
    await page.evaluate(() => {
      const channel = new BroadcastChannel("offprint-sign-in");
      channel.postMessage("?code=forged&state=forged");
      channel.close();
    });
    await Promise.all([popup.waitForEvent("close"), logIn(popup)]);
    await isReceived(page);
    assert.deepEqual(await oauth.find(await token(page)), { clientId: "reader", scope: "read" });
    assert.equal(await sent(page, api), `Bearer ${await token(page)}`);
    assert.ok(!(await storedTexts(page)).includes(await token(page)));

    await page.locator("select[aria-label=Server]").selectOption({ label: other.url });
    assert.equal(await token(page), "");
    assert.equal(await sent(page, other), undefined);

    // Ticked, the tab keeps it for other pages.
    await page.locator("select[aria-label=Server]").selectOption({ label: api.url });
    await choice(page).check();
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    assert.ok(!stored.includes(await token(page)), stored);
    await open(page, "again");
    assert.deepEqual(await oauth.find(await token(page)), { clientId: "reader", scope: "read" });
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    await open(page, "code");
    assert.equal(await token(page), "");
  });

  test("an expired token is renewed before a request, and one that the API refuses after it", async () => {
    const page = await start("code");
    await choice(page).check();
    const asked: URLSearchParams[] = [];
    page.context().on("request", (request) => {
      const [address = "", query] = request.url().split("?");
      if (address === `${oauth.url}/auth`) asked.push(new URLSearchParams(query));
      if (address === `${oauth.url}/token`) asked.push(new URLSearchParams(request.postData() ?? ""));
    });
    assert.equal(await page.getByLabel("Client ID").inputValue(), "reader");
    const [popup] = await Promise.all([page.waitForEvent("popup"), get(page)]);
    await popup.waitForSelector("[name=login]");
    await Promise.all([popup.waitForEvent("close"), logIn(popup)]);
    await isReceived(page);
    const first = await token(page);
    api.refused.add(`Bearer ${first}`);
    assert.equal(await sent(page, api), `Bearer ${first}`);
    const second = await token(page);
    assert.equal(api.arrivals.at(-1)!.headers["authorization"], `Bearer ${second}`);
    assert.equal((await oauth.find(second))?.clientId, "reader");
    assert.match((await status(page).textContent()) ?? "", /had expired and was renewed/);

    // The refresh token is kept as long as the token, for other pages too.
    await page.clock.setFixedTime(Date.now() + 700_000);
    await open(page, "again");
    assert.equal(await token(page), second);
    const third = await sent(page, api);
    assert.equal(third, `Bearer ${await token(page)}`);
    assert.equal(new Set([first, second, await token(page)]).size, 3);
    assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }))).includes("refresh"));
    assert.deepEqual(
      asked.map((fields) => fields.get("grant_type") ?? fields.get("response_type")),
      ["code", "authorization_code", "refresh_token", "refresh_token"],
    );
    for (const fields of asked)
      assert.deepEqual([fields.get("audience"), fields.get("resource")], ["orchard", "https://orchard.example"]);

    await page.getByRole("button", { name: "Forget", exact: true }).click();
    assert.ok(!(await storedTexts(page)).includes("refresh"));
  });

  test("a client with a secret gets new tokens while the page is open; afterwards the reader is asked to sign in", async () => {
    const page = await start("machine");
    await choice(page).check();
    await page.getByLabel("Client ID").fill("machine");
    await page.getByLabel("Client secret").fill("a secret: 100%");
    await get(page);
    await isReceived(page);
    const first = await token(page);
    await page.clock.setFixedTime(Date.now() + 700_000);
    assert.equal(await sent(page, api), `Bearer ${await token(page)}`);
    assert.notEqual(await token(page), first);
    assert.ok(!(await storedTexts(page)).includes("100%"));
    await page.clock.setFixedTime(Date.now() + 1_400_000);
    await open(page, "machine");
    await sent(page, api);
    assert.match((await status(page).textContent()) ?? "", /This token has expired\. Get a new one\./);
    await page.getByLabel("Client secret").fill("a secret: 100%");
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    assert.equal(await page.getByLabel("Client secret").inputValue(), "");
  });

  test("authorization code in the same tab, if the browser blocks the window", async () => {
    const page = await start("either");
    await page.evaluate(() => {
      window.open = () => null;
    });
    await page.getByLabel("Client ID").fill("reader");
    await page.getByLabel("Client ID").press("Enter");
    await page.getByRole("button", { name: "Sign in in this tab" }).click();
    await page.waitForSelector("[name=login]");
    await logIn(page);
    await isReceived(page);
    assert.match(page.url(), /\/api-reference\/either\.html\?playground=open$/);
    assert.deepEqual(await oauth.find(await token(page)), { clientId: "reader", scope: "read" });
    assert.equal(await page.evaluate(() => sessionStorage.getItem("offprint-sign-in")), null);
  });

  test("discovery of OpenID Connect; an ID token for another request is refused", async () => {
    const page = await start("discovered");
    await page.getByLabel("Client ID").fill("reader");
    assert.equal(await page.getByLabel("Scopes").inputValue(), "openid read");
    const flows = page.locator("select[aria-label='Get a token'] option");
    assert.deepEqual(await flows.allTextContents(), [
      "Authorization code flow",
      "Client credentials flow",
      "Device flow",
    ]);
    const [popup] = await Promise.all([page.waitForEvent("popup"), get(page)]);
    await popup.waitForSelector("[name=login]");
    await logIn(popup);
    await isReceived(page);
    const first = await token(page);
    assert.equal((await oauth.find(first))?.scope, "openid read");

    await page.route(`${oauth.url}/token`, async (route) => {
      const claims = Buffer.from(JSON.stringify({ nonce: "another", aud: "reader", iss: oauth.url }));
      const json = { access_token: "forged", token_type: "Bearer", id_token: `e30.${claims.toString("base64url")}.x` };
      await route.fulfill({ json, headers: { "Access-Control-Allow-Origin": "*" } });
    });
    const [again] = await Promise.all([page.waitForEvent("popup"), get(page)]);
    // The server knows the reader, but asks for the consent.
    await again.click("[type=submit]");
    await page.getByText("The sign-in failed: id_token: nonce").waitFor();
    assert.equal(await token(page), first);

    await page.unroute(`${oauth.url}/token`);
    await page.locator("select[aria-label='Get a token']").selectOption({ label: "Client credentials flow" });
    await page.getByLabel("Client ID").fill("machine");
    await page.getByLabel("Client secret").fill("a secret: 100%");
    await get(page);
    await isReceived(page);
    assert.deepEqual(await oauth.find(await token(page)), { clientId: "machine", scope: "read" });
  });

  test("explains that the site's policy does not allow requests to the sign-in server", async () => {
    const strict = await serveFolder(output, { policy: strictPolicy });
    const page = await start("machine");
    await page.goto(`${strict.url}api-reference/discovered.html?playground=open`);
    await page.locator("summary", { hasText: "Get a token" }).click();
    await page.locator("select[aria-label='Get a token']").selectOption({ label: "Client credentials flow" });
    await page.getByLabel("Client ID").fill("machine");
    await get(page);
    await page.getByText(`does not allow requests to ${oauth.url}`).waitFor();
    await strict.close();
  });

  test("client credentials work from disk; a refusal is shown", async () => {
    const page = await start("machine", "disk");
    await get(page);
    assert.equal(await page.getByLabel("Client ID").getAttribute("aria-invalid"), "true");
    await page.getByLabel("Client ID").fill("machine");
    await page.getByLabel("Client secret").fill("wrong");
    await get(page);
    await page.getByText(/The sign-in failed: .*client authentication/).waitFor();
    await page.getByLabel("Client secret").fill("a secret: 100%");
    await get(page);
    await isReceived(page);
    assert.deepEqual(await oauth.find(await token(page)), { clientId: "machine", scope: "write" });
    assert.equal(await sent(page, api), `Bearer ${await token(page)}`);
  });

  test("the device flow works from disk, where an authorization code cannot return", async () => {
    const page = await start("device", "disk");
    await page.clock.install();
    assert.match(
      (await page.locator(".playground-fields").textContent()) ?? "",
      /cannot return to a page opened from disk/,
    );
    assert.ok(await page.getByRole("button", { name: "Get a token", exact: true }).isDisabled());
    await page.locator("select[aria-label='Get a token']").selectOption({ label: "Device flow" });
    await page.getByLabel("Client ID").fill("reader");
    await get(page);
    const link = page.locator(".playground-group-body a");
    const confirm = await page.context().newPage();
    await confirm.goto((await link.getAttribute("href"))!);
    assert.match((await status(page).textContent()) ?? "", /confirm the code \w{4}-\w{4}/);
    await page.clock.runFor(6_000);
    await confirm.click("[type=submit]");
    await confirm.waitForSelector("[name=login]");
    await logIn(confirm);
    await confirm.getByText(/Sign-in Success/i).waitFor();
    await page.clock.runFor(12_000);
    await isReceived(page);
    assert.deepEqual(await oauth.find(await token(page)), { clientId: "reader", scope: "openid read" });
  });

  test("is accessible in light and dark mode, and works without a mouse", async () => {
    const page = await start("discovered");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violationsOf(page, { within: "#playground-dialog", bestPractice: false }), []);
    }
    await page.goto(`${served.url}offprint-sign-in.html`);
    assert.deepEqual(await violationsOf(page), []);
  });

  test("pages without an OAuth scheme do not load the sign-in script", () => {
    const scripts = (name: string) =>
      /data-playground="([^"]*)"/
        .exec(readFileSync(join(output, `api-reference/${name}.html`), "utf8"))![1]!
        .split(" ");
    assert.equal(scripts("key").length, 4);
    assert.ok(!scripts("key").some((path) => path.includes("sign-in")));
    assert.match(scripts("code")[4]!, /^_offprint\/sign-in\.\w+\.js$/);
    const page = readFileSync(join(output, "offprint-sign-in.html"), "utf8");
    const [, script] = /<script src="([^"]+)"/.exec(page)!;
    assert.ok(readdirSync(join(output, "_offprint")).includes(script!.replace("_offprint/", "")));
    assert.ok(!/<style|\son\w+=|<script>/.test(page));
  });
});
