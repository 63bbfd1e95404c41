import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BundleServer, serveBundle } from "../../src/serve/serve-bundle.js";
import { ask } from "./ask.js";
import { exportSmallSite, type SmallBundle } from "./small-site.js";

let bundle: SmallBundle;
let atRoot: BundleServer;
let below: BundleServer;

beforeAll(async () => {
  bundle = await exportSmallSite("Welcome.");
  // Other files in the folder of the bundle are not part of it.
  writeFileSync(join(bundle.folder, "secret.txt"), "secret");
  symlinkSync("/etc/passwd", join(bundle.folder, "passwd.html"));
  atRoot = await serveBundle({ source: bundle.folder, port: 0 });
  below = await serveBundle({ source: bundle.archive, port: 0, basePath: "/a/b/" });
});
afterAll(async () => {
  await atRoot.close();
  await below.close();
});

describe("an address", () => {
  const files: readonly (readonly [rule: string, target: string, path: string])[] = [
    ["/ is the start page", "/", "index.html"],
    ["may have a query", "/?a=b", "index.html"],
    ["may be the page's file", "/guides/install.html", "guides/install.html"],
    ["need not have an extension", "/guides/install", "guides/install.html"],
    ["may be a file of any kind", "/files/numbers.csv", "files/numbers.csv"],
    ["may be a page's Markdown", "/guides/install.md", "guides/install.md"],
    ["may be encoded", "/guides/gr%C3%B6%C3%9Fe", "guides/größe.html"],
    ["may be in the other form of Unicode", "/guides/gro%CC%88%C3%9Fe", "guides/größe.html"],
    ["may be encoded where it need not be", "/%67uides/install%2Ehtml", "guides/install.html"],
    ["may name a host, as to a proxy", "http://docs.acme.com/guides/install", "guides/install.html"],
    ["of a folder is its index.html", "/files/demo/", "files/demo/index.html"],
    ["may be of those that begin with a dot", "/.well-known/llms.txt", ".well-known/llms.txt"],
  ];
  for (const [rule, target, path] of files)
    test(rule, async () => {
      const { status, body } = await ask(atRoot.url, target);
      expect(status).toBe(200);
      expect(body.equals(readFileSync(join(bundle.folder, path)))).toBe(true);
    });

  const moved: readonly (readonly [rule: string, target: string, status: number, location: string])[] = [
    ["of a page loses a slash at the end", "/guides/install/", 308, "/guides/install"],
    ["keeps its query then", "/guides/install/?a=b", 308, "/guides/install?a=b"],
    ["stays encoded then", "/guides/gr%C3%B6%C3%9Fe/", 308, "/guides/gr%C3%B6%C3%9Fe"],
    ["of a folder with index.html gets a slash", "/files/demo", 308, "/files/demo/"],
    ["follows a redirect", "/old", 301, "/guides/install?from=old#top"],
    ["follows it with a slash at the end", "/old/", 301, "/guides/install?from=old#top"],
    ["follows it with an extension", "/old.html", 301, "/guides/install?from=old#top"],
    ["follows it with the redirect's own query", "/old?a=b", 301, "/guides/install?from=old#top"],
    ["follows one to another host", "/away?a=b", 301, "https://example.com/there?a=b"],
    ["follows one with a name", "/v1/install?a=b", 301, "/guides/install?a=b"],
    ["follows one with the rest of a path", "/blog/2024/news", 301, "https://blog.example.com/posts/2024/news"],
    ["cannot leave the host by a wildcard", "/blog/..%20x", 301, "https://blog.example.com/posts/..%20x"],
  ];
  for (const [rule, target, status, location] of moved)
    test(rule, async () => {
      const answer = await ask(atRoot.url, target);
      expect([answer.status, answer.headers.location]).toEqual([status, location]);
      expect(answer.headers["cache-control"]).toBe("no-cache");
    });

  const nothing: readonly string[] = [
    "/nothing",
    "/guides",
    "/Guides/install",
    "/guides/install.HTML",
    "/404.html",
    "/404",
    "/_headers",
    "/.htaccess",
    "/_redirects",
    "/offprint.json",
    "/secret.txt",
    "/passwd.html",
    "/passwd",
    "/../secret.txt",
    "/guides/../index.html",
    "/guides/./install",
    "/guides//install",
    "//guides/install",
    "//example.com/",
    "//example.com/..",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/guides/%2e%2e/index.html",
    "/%252e%252e/etc/passwd",
    "/%252e%252e%252fetc%252fpasswd",
    "/guides%2finstall",
    "/guides%5cinstall",
    "/..\\..\\etc\\passwd",
    "/guides\\install",
    "/%c0%ae%c0%ae/etc/passwd",
    "/%c0%afetc/passwd",
    "/%e0%80%afetc/passwd",
    "/index.html%00",
    "/index.html%00.png",
    "/%",
    "/%zz",
    "/%ff",
    "/file:///etc/passwd",
    "/C:/Windows/win.ini",
    "/constructor",
    "/__proto__",
    "/toString",
    `/${"a/".repeat(4000)}`,
    `/v1/${"%61".repeat(2500)}/x`,
  ];
  for (const target of nothing)
    test(`${target.slice(0, 40)} leads nowhere`, async () => {
      const { status, headers, body } = await ask(atRoot.url, target);
      expect([status, headers.location]).toEqual([404, undefined]);
      expect(body.equals(readFileSync(join(bundle.folder, "404.html")))).toBe(true);
    });

  test("may only be read, not written to", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"]) {
      const { status, headers } = await ask(atRoot.url, "/", {}, method);
      expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
    }
  });

  test("gets the same answer to HEAD as to GET, without content", async () => {
    for (const target of ["/", "/guides/install.md", "/files/numbers.csv", "/nothing", "/old", "/readyz"]) {
      const [get, head] = [await ask(atRoot.url, target), await ask(atRoot.url, target, {}, "HEAD")];
      expect(head.body.length).toBe(0);
      expect([head.status, { ...head.headers, date: "" }]).toEqual([get.status, { ...get.headers, date: "" }]);
    }
  });
});

describe("below a path", () => {
  const cases: readonly (readonly [target: string, status: number, location?: string])[] = [
    ["/a/b/", 200],
    ["/a/b/guides/install", 200],
    ["/a/b", 308, "/a/b/"],
    ["/a/b?c=d", 308, "/a/b/?c=d"],
    ["/a/b/guides/install/", 308, "/a/b/guides/install"],
    ["/a/b/old", 301, "/a/b/guides/install?from=old#top"],
    ["/a/b/away", 301, "https://example.com/there"],
    ["/a/b/v1/install", 301, "/a/b/guides/install"],
    ["/", 404],
    ["/a/", 404],
    ["/a/bb/", 404],
    ["/guides/install", 404],
    ["/a/b/../b/", 404],
    ["/healthz", 200],
    ["/readyz", 200],
  ];
  for (const [target, status, location] of cases)
    test(`${target} gives ${location ?? status}`, async () => {
      const answer = await ask(below.url, target);
      expect([answer.status, answer.headers.location]).toEqual([status, location]);
    });
});
