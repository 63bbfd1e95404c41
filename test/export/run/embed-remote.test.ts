/** Files of other hosts become files of the bundle: over the real fetcher, from a server of the test. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../../src/cli/commands/export.js";
import type { Environment } from "../../../src/cli/environment.js";
import type { ExportOptions, ExportProgress, ExportResult } from "../../../src/export/index.js";
import { runExport } from "../../../src/export/run-export.js";
import { Connections, guardedBytes, type Network } from "../../../src/lib/fetch/index.js";
import { newFolder, writeSite } from "../../security/site-folder.js";
import { findChromium } from "../../support/browser.js";
import { serveFolder, strictPolicy } from "../../support/serve-folder.js";
import { sharedBrowser } from "../../support/shared-browser.js";

const folder = newFolder("embed");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fetchTests = new URL("../../lib/fetch/", import.meta.url);
const keyFile = (name: string): string => readFileSync(new URL(name, fetchTests), "utf8");

const inter = readFileSync(
  new URL("../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", import.meta.url),
);
/** 3 x 2 pixels, red. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==",
  "base64",
);
const webm = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(100)]);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>alert(1)</script><rect width="8" height="8"/></svg>';

const cdn = "https://cdn.specs.example";
const files: Record<string, string | Uint8Array> = {
  "/logo.svg": svg,
  "/icon-light.png": png,
  "/icon-dark.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  "/picture": png,
  "/group.png": png,
  "/film": webm,
  "/poster.png": png,
  "/fonts.css": "@font-face{font-family:Far;src:url(far.woff2)}",
  "/far.woff2": inter,
  "/site.woff2": inter,
  "/cursor.png": png,
  "/page.html": "<!doctype html><title>No picture</title>",
};

const docs = {
  theme: "mint",
  name: "Acme",
  colors: { primary: "#0a6c5b" },
  logo: `${cdn}/logo.svg`,
  favicon: { light: `${cdn}/icon-light.png`, dark: `${cdn}/icon-dark.svg` },
  contextual: { options: ["copy"] },
  fonts: { family: "House", source: `${cdn}/site.woff2`, format: "woff2" },
  navigation: { groups: [{ group: "Start", icon: `${cdn}/group.png`, pages: ["index", "guide/plain"] }] },
};
const plainDocs = { ...docs, logo: undefined, favicon: undefined, fonts: undefined, navigation: { pages: ["index"] } };
const index = `---
title: Start
icon: ${cdn}/group.png
description: "With ![text](${cdn}/picture)"
---

![A picture](${cdn}/picture)

<img src="${cdn}/picture#part" srcSet="${cdn}/picture 2x" alt="" />

<video src="${cdn}/film" poster="${cdn}/poster.png"></video>

<link rel="stylesheet" href="${cdn}/fonts.css" />

![Not an image](${cdn}/page.html)

<Card title="Card" icon="${cdn}/gone.png">An icon without its picture is not missed.</Card>

![Gone](${cdn}/gone.png) and [a link](${cdn}/picture)

<iframe src="${cdn}/frame"></iframe>
`;
const newSite = (name: string): string =>
  writeSite(join(folder, name), {
    "docs.json": docs,
    "index.mdx": index,
    "guide/plain.mdx": `---\ntitle: Plain\n---\n\n<Card img="${cdn}/picture" />\n\n![A picture][far]\n\n[far]: ${cdn}/picture\n`,
    "extra.css": `body{cursor:url(${cdn}/cursor.png),auto}`,
    "extra.js": 'document.documentElement.dataset.picture = "/local.png";',
    "local.png": png,
  });

describe("an export that embeds", () => {
  let server: Server;
  let port = 0;
  const asked: string[] = [];
  beforeAll(async () => {
    const options = { key: keyFile("test-only-key.pem"), cert: keyFile("test-only-certificate.pem") };
    server = createServer(options, ({ url = "" }, response) => {
      asked.push(url);
      // The header is wrong on purpose.
      response.writeHead(files[url] === undefined ? 404 : 200, { "content-type": "image/png" }).end(files[url]);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
    const onProgress = (each: ExportProgress) => void progress.push(each);
    result = await online({ source, output, cacheFolder, embedRemote: true, onProgress });
  });
  afterAll(() => {
    connections.destroy();
    server.closeAllConnections();
    server.close();
  });

  let opened = 0;
  const network = (): Network => ({
    resolve: async (host) => {
      if (host === "specs.example") return ["10.0.0.1"];
      return ["93.184.215.14"];
    },
    connect: () => {
      opened++;
      return connect(port, "127.0.0.1");
    },
    ca: keyFile("test-only-certificate.pem"),
  });
  const online = (options: ExportOptions): Promise<ExportResult> =>
    runExport(options, {
      fetchBytes: (url, limits, signal) => guardedBytes(url, { ...limits, network: network(), connections }, signal),
    });
  const connections = new Connections();
  const offline = (options: ExportOptions): Promise<ExportResult> =>
    runExport(options, {
      async fetchBytes() {
        asked.push("offline");
        return { ok: false, reason: "it could not be reached (ENOTFOUND)", unreachable: true };
      },
    });

  const source = newSite("site");
  const cacheFolder = join(folder, "cache");
  const output = join(folder, "out");
  let result: ExportResult;
  const progress: ExportProgress[] = [];
  const read = (path: string): string => readFileSync(join(output, path), "utf8");

  test("writes a copy of each file once and pages use it", () => {
    const copies = result.manifest!.files.filter(({ path }) => path.startsWith("_offprint/remote/"));
    expect(copies.map(({ path }) => path.slice(path.lastIndexOf(".") + 1)).toSorted()).toEqual([
      "css",
      "png",
      "svg",
      "svg",
      "webm",
      "woff2",
    ]);
    expect(asked.toSorted()).toEqual([...Object.keys(files), "/gone.png"].toSorted());
    expect(opened).toBeLessThan(asked.length);
    const html = read("index.html");
    for (const { path } of copies.filter(({ path }) => !path.endsWith(".woff2"))) expect(html).toContain(`"${path}`);
    expect(read("guide/plain.html")).toMatch(/src="\.\.\/_offprint\/remote\/[0-9a-f]{16}\.png"/);
    expect(html).toMatch(/<img [^>]*src="_offprint\/remote\/\w+\.png" width="3" height="2" alt="A picture"/);
    expect(html).toMatch(/srcset="_offprint\/remote\/\w+\.png 2x"/i);
    expect(html).toMatch(/src="_offprint\/remote\/\w+\.png#part"/);
    expect(html).toContain(`href="${cdn}/picture"`);
    expect(html.match(/<link rel="icon" href="_offprint\/remote\/\w+\.(?:png|svg)" media="[^"]+">/g)).toHaveLength(2);
    const sheets = result.manifest!.files.filter(({ path }) => path.endsWith(".css")).map(({ path }) => read(path));
    expect(sheets.join("\n")).not.toContain(cdn);
    expect(sheets.some((css) => css.includes('url("remote/'))).toBe(true);
    expect(sheets.some((css) => css.includes("url(../remote/"))).toBe(true);
    expect(read(copies.find(({ path }) => path.endsWith(".svg"))!.path)).not.toContain("script");
  });

  test("writes the copies into the Markdown versions, as paths like those of the site's own files", () => {
    const copy = /src="(_offprint\/remote\/\w+\.png)" width="3"/.exec(read("index.html"))![1]!;
    const film = result.manifest!.files.find(({ path }) => path.endsWith(".webm"))!.path;
    const markdown = read("index.md");
    expect(markdown).toContain(`![A picture](${copy})`);
    expect(markdown).toContain(`![](${copy}#part)`);
    expect(markdown).toContain(`[Video](${film})`);
    expect(markdown).toContain(`![Gone](${cdn}/gone.png) and [a link](${cdn}/picture)`);
    expect(read("guide/plain.md")).toContain(`![](../${copy})\n\n![A picture][far]\n\n[far]: ../${copy}`);
    expect(read("llms-full.txt")).toContain(`![](${copy})\n\n![A picture][far]\n\n[far]: ${copy}`);
    const scripts = readdirSync(join(output, "_offprint/markdown")).filter((name) => name.startsWith("index."));
    expect(scripts.map((name) => read(`_offprint/markdown/${name}`).includes(`![A picture](${copy})`))).toEqual([true]);
  });

  test("reports what it could not copy where it is written, and the page keeps the URL", () => {
    const found = result.diagnostics.map(
      ({ code, location, what }) =>
        `${code} ${location?.sourcePath}:${location?.line}:${location?.column} ${/because (.*);/.exec(what)?.[1]}`,
    );
    expect(found).toEqual([
      expect.stringMatching(/^SVG_CLEANED docs.json:/),
      "REMOTE_NOT_EMBEDDED index.mdx:15:17 its content is not an image or a font that browsers show",
      "REMOTE_NOT_EMBEDDED index.mdx:17:26 it answered 404",
      "REMOTE_NOT_EMBEDDED index.mdx:19:9 it answered 404",
    ]);
    expect(read("index.html")).toContain(`src="${cdn}/gone.png"`);
    expect(result.external.map(({ kind, url }) => `${kind} ${url}`)).toEqual([
      `embed ${cdn}/frame`,
      `image ${cdn}/gone.png`,
      `image ${cdn}/gone.png`,
      `image ${cdn}/page.html`,
      "script extra.js",
    ]);
  });

  test("reports its progress", () => {
    expect(progress.some(({ phase, done, total }) => phase === "assets" && done > 1 && total > 1)).toBe(true);
    expect(progress.some(({ phase, done, total }) => phase === "embed" && done === total && total > 1)).toBe(true);
    const shares = progress.map((each) => each.progress);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  test("leaves the lock to its caller, and with it the next one has the same bytes without a network", async () => {
    expect(existsSync(join(source, "offprint.lock.json"))).toBe(false);
    const lock = JSON.parse(result.remoteLock!);
    expect(Object.keys(lock.files)).toEqual(
      Object.keys(files)
        .filter((path) => path !== "/page.html")
        .map((path) => cdn + path)
        .toSorted(),
    );
    writeFileSync(join(source, "offprint.lock.json"), result.remoteLock!);
    asked.length = 0;
    const again = join(folder, "again");
    const second = await offline({ source, output: again, cacheFolder, embedRemote: true, concurrency: 2 });
    expect(second.manifest?.files).toEqual(result.manifest?.files);
    expect(second.remoteLock).toBe(result.remoteLock);
    expect(existsSync(join(again, "offprint.lock.json"))).toBe(false);
    // Only the files that the first export could not copy, all from one host.
    expect(asked).toEqual(["offline"]);
  });

  test("refuses a file that differs from the lock, and an invalid lock", async () => {
    const changed = newSite("changed");
    const lock = JSON.parse(result.remoteLock!);
    lock.files[`${cdn}/picture`].sha256 = "0".repeat(64);
    writeFileSync(join(changed, "offprint.lock.json"), JSON.stringify(lock));
    const second = await online({ source: changed, cacheFolder, embedRemote: true });
    const faults = second.diagnostics.filter(({ code }) => code === "REMOTE_FILE_CHANGED");
    expect(faults.map(({ location }) => `${location?.sourcePath}:${location?.line}`)).toEqual([
      ...["guide/plain.mdx:5", "guide/plain.mdx:7"],
      ...["index.mdx:4", "index.mdx:7", "index.mdx:9", "index.mdx:9"],
    ]);
    expect(faults[0]!.fix).toMatch(/^remove "https:\/\/cdn\.specs\.example\/picture" from offprint\.lock\.json/);
    expect(second.remoteLock).toContain("0".repeat(64));

    writeFileSync(join(changed, "offprint.lock.json"), "{");
    const third = await online({ source: changed, cacheFolder, embedRemote: true });
    expect(third.diagnostics).toContainEqual(expect.objectContaining({ code: "LOCK_INVALID", severity: "error" }));
    expect(third.remoteLock).toBeUndefined();
  });

  test("is the default for an air-gapped bundle, whose errors say why a file is missing", async () => {
    const { diagnostics } = await online({ source: newSite("closed"), deployment: "air-gapped" });
    const outside = diagnostics.filter(({ code }) => code === "OUTSIDE_REQUEST");
    expect(outside.map(({ location, what }) => `${location?.line} ${/because it answered 404\./.test(what)}`)).toEqual([
      "15 false",
      "17 true",
      "19 true",
      "21 false",
    ]);
    expect(diagnostics.some(({ code }) => code === "REMOTE_NOT_EMBEDDED")).toBe(false);
    asked.length = 0;
    const cloud = await online({ source: newSite("open"), output: "memory" });
    expect([asked, cloud.remoteLock]).toEqual([[], undefined]);
  });

  test("requests nothing from private addresses", async () => {
    const hidden = writeSite(join(folder, "hidden"), {
      "docs.json": { ...plainDocs, favicon: "https://specs.example/f.png" },
      "index.mdx":
        "---\ntitle: X\n---\n\n![x](https://specs.example/a.png)\n\n![y](http://cdn.specs.example/picture)\n",
    });
    asked.length = 0;
    const { diagnostics } = await online({ source: hidden, embedRemote: true });
    expect(asked).toEqual([]);
    expect(diagnostics.map(({ what }) => /because (.*)\.$/.exec(what)?.[1] ?? what)).toEqual([
      'favicon is "https://specs.example/f.png", but the bundle has no copy of it, so it is left out.',
      '"specs.example" is not on the public internet; it is left out',
      '"specs.example" is not on the public internet; readers load it from its host',
      "only https:// is fetched, and this is http://; readers load it from its host",
    ]);
  });

  test("by the command line writes the lock into the site, and a check does not", async () => {
    const site = writeSite(join(folder, "cli"), {
      "docs.json": plainDocs,
      "index.mdx": "---\ntitle: X\n---\n\nText.\n",
      "offprint.lock.json": result.remoteLock!,
    });
    const lock = (): string => readFileSync(join(site, "offprint.lock.json"), "utf8");
    const out = { write: () => true };
    const environment = { stdout: out, stderr: out, env: {}, platform: "linux", on: () => {}, off: () => {} };
    const args = {
      site,
      print: false,
      strict: false,
      cache: false,
      display: "quiet",
      format: "text",
      all: false,
      verbose: false,
      embedRemote: true,
    } as const;
    const called = (command: "export" | "check", more = {}) =>
      commands[command].run({ ...args, command, ...more }, environment as unknown as Environment);
    expect(await called("check")).toBe(0);
    expect(lock()).toBe(result.remoteLock);
    expect(await called("export", { output: join(folder, "cli-out") })).toBe(0);
    expect(lock()).toBe('{\n  "version": 1,\n  "files": {}\n}\n');
  });

  const chromium = findChromium();
  describe.skipIf(chromium === undefined)("shows in a browser, from disk,", () => {
    const browser = sharedBrowser(chromium);
    test("the copies, a box for what does not load, and files that a script names", async () => {
      const context = await browser().newContext();
      const requested: string[] = [];
      await context.route(/^https?:/, (route) => {
        requested.push(route.request().url());
        return route.abort();
      });
      const page = await context.newPage();
      await page.goto(pathToFileURL(join(output, "index.html")).href, { waitUntil: "load" });
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.waitForFunction(() => document.querySelectorAll(".missing-image").length === 2);
      expect(await page.locator(".missing-image").allInnerTexts()).toEqual(["Not an image", "Gone"]);
      expect(await page.locator(".missing-image").first().getAttribute("role")).toBe("img");
      const widths = await page.$$eval("img", (images) =>
        images.map((image) => (image.complete ? image.naturalWidth : 1)),
      );
      expect(widths.length).toBeGreaterThan(4);
      expect(widths).not.toContain(0);
      expect(await page.evaluate(async () => (await document.fonts.load("16px Far")).length)).toBe(1);
      expect([...new Set(requested)].toSorted()).toEqual([`${cdn}/gone.png`, `${cdn}/page.html`]);
      const picture = await page.getAttribute("html", "data-picture");
      expect(picture).toBe(pathToFileURL(join(output, "local.png")).href);
      // A strict host blocks everything that the pages still load from other hosts.
      const served = await serveFolder(output, { base: "/docs/", policy: strictPolicy });
      const host = await browser().newContext();
      const strict = await host.newPage();
      await strict.goto(`${served.url}index.html`, { waitUntil: "load" });
      await strict.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await strict.waitForFunction(() => document.querySelectorAll(".missing-image").length === 2);
      expect(await strict.getAttribute("html", "data-picture")).toBe(`${served.url}local.png`);
      await host.close();
      await served.close();
      await context.close();
    });
  });
});
