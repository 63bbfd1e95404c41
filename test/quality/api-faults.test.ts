/**
 * Small specifications that references once showed wrongly, as one site: each fact that was wrong, and in a sweep every
 * page in a browser.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExportResult } from "offprint";
import { afterAll, beforeAll, describe, test } from "vitest";
import { parse } from "yaml";
import { isObject, type Json, member } from "../../src/lib/json/index.js";
import { findChromium } from "../support/browser.js";
import { exportCache } from "../support/export-cache.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../support/serve-folder.js";
import { sharedBrowser } from "../support/shared-browser.js";
import { violationsOf } from "./axe.js";
import { collect, pagesOf, sweeping } from "./bundle.js";
import { outsideWindow, unfold } from "./look.js";
import { type Look, screens } from "./scenes.js";
import { openWatched } from "./watched-page.js";

const source = fileURLToPath(new URL("../../fixtures/api-faults", import.meta.url));
const chromium = findChromium();

describe("references of specifications that were once shown wrongly", () => {
  const parent = mkdtempSync(join(tmpdir(), "offprint-test-"));
  const folder = join(parent, "out");
  let result: ExportResult;
  let served: ServedFolder | undefined;
  beforeAll(async () => {
    result = await exportInProcess({ source, output: folder, cacheFolder: exportCache });
  });
  afterAll(async () => {
    await served?.close();
    rmSync(parent, { recursive: true, force: true });
  });

  const htmlOf = (path: string): string => readFileSync(join(folder, `${path}.html`), "utf8");
  /** The text of the page and of its side panel. */
  const textOf = (path: string): string => {
    const html = htmlOf(path);
    return html
      .slice(html.indexOf('id="content-area"'))
      .replace(/<[^>]+>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&")
      .replace(/\s+/g, " ");
  };

  test("have no broken link, and one message for the only fault", () => {
    assert.deepEqual(
      result.diagnostics.map(({ code, location }) => [code, posix.basename(location!.sourcePath)]),
      [["SPEC_LINK_BROKEN", "encodings.yaml"]],
    );
  });

  const facts: readonly (readonly [rule: string, path: string, ...shown: readonly string[]])[] = [
    [
      "schemes of brokers are named, also without a description",
      "message-security/kafka/tides",
      ...["Authorizations", "password", "scramSha256", "certificate", "A certificate of the harbour."],
      ...["Topic (topic): tides-of-today", "Partitions (partitions): 12", "Consumer group", "gauges"],
    ],
    [
      "the address of a server has the defaults of its variables",
      "server-port/list-cranes",
      "https://HOST:443/api/v3/",
    ],
    ["the same with a variable in its host", "server-tenant/list-docks", "https://north.example.com/v1/docks"],
    [
      "OAuth is named, with its flow, address and the meaning of scopes",
      "oauth/declarations/list-declarations",
      ...[
        "OAuth 2.0",
        "declarations.read: Read what ships carry",
        "Client credentials flow",
        "https://login.example.com/token",
      ],
    ],
    ["the description of the whole API has a page", "oauth/overview", "Declares what ships carry."],
    ["the description of a tag has a page", "oauth/declarations", "What a ship says it carries.", "GET /declarations"],
    ["each media type of a response has its example", "media-types/list-the-cargo", "crates,weight", '"crates": 1'],
    [
      "a channel has its protocol, parameters and credentials",
      "websocket/websockets/waves",
      ...[
        "WSS",
        "wss://radio.example.com/waves/waves/{band}",
        "default: marine",
        "since",
        "Repeat from here",
        "license",
      ],
      ...["Call a ship", 'it\'s "calm"', "Answered", "Silence"],
    ],
    ["Markdown in a description is rendered", "websocket/overview", "Talk on one channel with many ships."],
    ["an operation with a custom method", "openapi-32/beams/copy-a-beam", "COPY", "--request COPY"],
    ["an operation with the method QUERY", "openapi-32/beams/ask-for-beams", "QUERY", "brighterThan"],
    [
      "the events of a stream and the summary of a response",
      "openapi-32/beams/watch-beams",
      ...["text/event-stream", "flash", "One event a flash", "Until the connection ends"],
    ],
    [
      "a whole query string, cookies, and both kinds of example",
      "openapi-32/beams/search-lights",
      ...["search?coast=north%20west&lit=true", "visit", '"kind": "tower"', '"kind": "lightship"'],
    ],
    [
      "every media type and named example of a body",
      "openapi-32/beams/build-a-light",
      "A low one",
      "A high one",
      "plan",
    ],
    ["required parameters in samples", "openapi-32/beams/get-a-light", "lights/123?coast=string"],
    [
      "summaries, names of servers and nested tags",
      "openapi-32/overview",
      "Lights of a coast",
      "The coast",
      "The lights › Their beams",
    ],
    [
      "delimiters are bare and data is encoded",
      "encodings/styles-of-a-query",
      ...[
        "each=a%20b&each=c%26d",
        "joined=a%2Cb,c%20d",
        "deep%5Brole%5D=pi%20lot",
        "raw=a/b?c%3Dd%26e:f",
        "off=false&none=",
      ],
    ],
    ["styles of a path", "encodings/styles-of-a-path", "/path/a%2Fb,c%20d/.l1,l2/;matrix=m1;matrix=m2"],
    [
      "lists in headers and cookies",
      "encodings/headers-and-cookies",
      "X-Ships: a,b c",
      "voyage=a%3Db%3B%20c; stops=1,2",
    ],
    ["long numbers keep their digits", "encodings/a-body-as-json", '"weight": 12345678901234567890', "</script><b>"],
    ["XML by its keywords", "encodings/a-body-as-xml", '<ship id="5">', "<name>a&lt;b</name>", "<flag>red</flag>"],
    ["lines of JSON", "encodings/a-body-of-lines", "--data-raw '{\"crates\":1}'"],
    ["parts with a type of their own", "encodings/a-body-in-parts", "application/json", "photos"],
    ["options of a union", "encodings/a-body-of-several-kinds", "Barge", "Tug", "holds", "power"],
    [
      "rules of JSON Schema",
      "encodings/a-body-with-rules",
      ...[
        "Must match: ^x-",
        "default: null",
        "Allowed value:",
        "Otherwise:",
        "zip",
        "postal",
        "Not allowed: string",
        "is present: required: b",
      ],
    ],
    ["several keys at once and several ways", "encodings/one-of-several-keys", "X-Key", "OAuth 2.0", "Read things"],
    [
      "headers, named examples, links and callbacks",
      "encodings/links-and-callbacks",
      "X-Left",
      "First one",
      "goneAway",
      "onArrival",
    ],
    ["webhooks", "encodings/a-new-ship", "holds"],
  ];
  for (const [rule, path, ...shown] of facts)
    test(rule, () => {
      const text = textOf(path);
      assert.deepEqual(
        shown.filter((each) => !text.includes(each)),
        [],
      );
    });

  test("samples of HEAD, and of 204, do not parse a body", () => {
    for (const path of ["only-headers", "a-part"])
      assert.doesNotMatch(textOf(`encodings/${path}`), /response\.json\(\)/);
  });

  test("Markdown in a summary is plain text in the title, and the address is short", () => {
    const path = result.ok
      ? pagesOf(folder)
          .find((each) => each.startsWith("markdown-title/sends"))!
          .replace(/\.html$/, "")
      : "";
    assert.ok(path.length < 100 && !/[^a-z0-9/-]/.test(path), path);
    assert.match(
      htmlOf(path),
      /<title>Create a signal [\s\S]*<div class="page-description">Sends a signal or flag to a ship\. It may be far away\./,
    );
  });

  test("a structure that four bodies share is complete: every field is on the page or one link away", () => {
    const path = "repeated-structure/register-a-ship";
    const html = htmlOf(path);
    const linked = [...html.matchAll(/href="([^"#]*models\/[^"#]+)\.html/g)].map(([, href]) =>
      textOf(posix.join(posix.dirname(path), href!)),
    );
    const text = [textOf(path), ...linked].join(" ");
    const spec = parse(readFileSync(join(source, "repeated-structure.yaml"), "utf8")) as Json;
    const missing: string[] = [];
    const look = (schema: Json | undefined): void => {
      const properties = member(schema, "properties");
      if (!isObject(properties)) return;
      for (const [name, inner] of Object.entries(properties)) {
        if (!text.includes(name)) missing.push(name);
        look(inner);
      }
    };
    look(member(member(member(spec, "components"), "schemas"), "Ship"));
    assert.deepEqual(missing, []);
    assert.ok(html.length < 400_000);
  });

  describe.skipIf(chromium === undefined || !sweeping)("in a browser", () => {
    const browser = sharedBrowser(chromium);
    const openLane = async (look: Look) => {
      served ??= await serveFolder(folder, { base: "/a/b/", policy: strictPolicy });
      return openWatched(
        await browser().newContext({
          viewport: screens[look],
          colorScheme: look === "dark" ? "dark" : "light",
          reducedMotion: "reduce",
        }),
        served.url,
      );
    };

    /** Without the page that sign-ins return to. */
    const pages = () => pagesOf(folder).filter((path) => !path.startsWith("offprint-"));
    for (const look of ["light", "dark", "phone"] as const)
      test(`every page is accessible and fits its window: ${look}`, async () => {
        const lane = () => openLane(look);
        const found = await collect(pages(), lane, async ({ page, problems }, path) => {
          await page.goto(served!.url + path);
          await page.evaluate(() => document.fonts.ready);
          await unfold(page);
          const faults = [
            ...problems.splice(0),
            ...(await violationsOf(page)),
            ...(await outsideWindow(page, screens[look].width)),
          ];
          return faults.map((fault) => `${path} | ${fault}`);
        });
        assert.deepEqual(found, []);
      });

    for (const [server, first, second] of [
      ["server-plain", "list-berths", "list-ships"],
      ["server-port", "list-cranes", "list-loads"],
      ["server-tenant", "list-docks", "list-tugs"],
    ] as const)
      test(`a key typed on one page is there on the next: ${server}`, async () => {
        const { page, problems } = await openLane("light");
        const keyOn = async (path: string) => {
          await page.goto(`${served!.url}${server}/${path}.html`);
          await page.click(".tryit-button");
          return page.locator("#playground-dialog[open]").getByLabel("X-Pass", { exact: true }).first();
        };
        await (await keyOn(first)).fill("k1");
        assert.equal(await (await keyOn(second)).inputValue(), "k1");
        assert.deepEqual(problems, []);
      });

    test("the form of a connection begins with the defaults of its parameters", async () => {
      const { page } = await openLane("light");
      await page.goto(`${served!.url}websocket/websockets/waves.html`);
      await page.click(".tryit-button");
      const field = page.locator("#playground-dialog[open]").getByLabel("band", { exact: true }).first();
      assert.equal(await field.inputValue(), "marine");
    });
  });
});
