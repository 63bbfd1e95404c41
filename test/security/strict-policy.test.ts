/** Every page of the handbook runs under the strictest policy that hosts demand: nothing of ours is written inline. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exportSite } from "offprint";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findChromium } from "../support/browser.js";
import { opened } from "./exported-site.js";
import { filesIn, newFolder } from "./site-folder.js";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

const chromium = findChromium();

describe.skipIf(chromium === undefined)("the handbook under a strict policy", () => {
  const output = newFolder("policy");
  const browser = opened(chromium);
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    await exportSite({ source: fileURLToPath(new URL("../../fixtures/handbook", import.meta.url)), output });
    server = createServer((request, response) => {
      const path = join(output, decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname));
      const found = existsSync(path) && statSync(path).isFile();
      response.writeHead(found ? 200 : 404, {
        "Content-Type": types[extname(path)] ?? "application/octet-stream",
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
      });
      response.end(found ? readFileSync(path) : undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    rmSync(output, { recursive: true, force: true });
  });

  for (const colorScheme of ["light", "dark"] as const)
    test(`shows every page without a violation in ${colorScheme} mode`, async () => {
      const context = await browser().newContext({ colorScheme });
      const page = await context.newPage();
      const problems: string[] = [];
      let current = "";
      await page.exposeFunction("violated", (what: string) => problems.push(`${current}: ${what}`));
      await page.addInitScript(() =>
        addEventListener("securitypolicyviolation", (event) => {
          const { effectiveDirective, blockedURI, sample } = event;
          void (window as unknown as { violated(what: string): void }).violated(
            `${effectiveDirective} ${blockedURI} ${sample}`,
          );
        }),
      );
      page.on("pageerror", (error) => problems.push(`${current}: ${error.message}`));
      page.on("console", (message) => message.type() === "error" && problems.push(`${current}: ${message.text()}`));
      const pages = filesIn(output).filter((path) => path.endsWith(".html"));
      assert.ok(pages.length > 10);
      for (const path of pages.filter((each) => !isRedirect(each))) {
        current = path;
        await page.goto(`${origin}/${path}`, { waitUntil: "load" });
        const dark = await page.evaluate(() => document.documentElement.classList.contains("dark"));
        assert.equal(dark, colorScheme === "dark", path);
      }
      for (const path of pages.filter(isRedirect)) {
        current = path;
        await page.goto(`${origin}/${path}`, { waitUntil: "commit" });
        await page.waitForURL((url) => url.pathname !== `/${path}`, { waitUntil: "load" });
      }
      await context.close();
      assert.deepEqual(problems, []);
    });

  const isRedirect = (path: string): boolean => /http-equiv="?refresh/i.test(readFileSync(join(output, path), "utf8"));
});
