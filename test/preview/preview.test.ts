import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { page } from "../support/cli.js";
import { waitUntil } from "../support/wait-until.js";
import { previewSite } from "./preview-site.js";

const sample = {
  "index.mdx": page("Start", "Welcome. See [install](/install#steps)."),
  "install.mdx": page("Install", "## Steps\n\nFirst **this**."),
};
const docsJson = (pages: readonly string[], more: object = {}): string =>
  JSON.stringify({ theme: "mint", name: "Acme", colors: { primary: "#0a6c5b" }, navigation: { pages }, ...more });

/** As a browser sends it, with any header. */
const statusOf = (port: number, path: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers }, (response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    asked.on("error", reject).end();
  });

describe("a preview", () => {
  test("makes a page on request, with the script as the only addition, under the strict policy", async () => {
    const { get, of } = await previewSite(sample);
    expect(of("ready")).toMatchObject([{ pages: 2 }]);
    expect(of("page")).toEqual([]);
    const response = await get("/install");
    const html = await response.text();
    expect(of("page")).toMatchObject([{ path: "/install", source: "install.mdx" }]);
    expect(html).toContain("First <strong>this</strong>");
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self'; style-src 'self'");
    const [tag] = /<script src="\/_offprint\/preview\.[0-9a-f]{8}\.js"[^>]*><\/script>/.exec(html) ?? [];
    expect(tag).toMatch(/data-events="\/_offprint\/preview\/[\w-]{32}\/events"/);
    expect(html.replace(tag!, "")).not.toContain("preview");
  });

  test("answers as a host of the bundle does: redirects, Markdown, search, sitemap, unknown pages", async () => {
    const { get } = await previewSite({
      ...sample,
      "docs.json": docsJson(["index", "install"], { redirects: [{ source: "/old", destination: "/install" }] }),
      "picture.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>x()</script></svg>",
    });
    const old = await get("/old");
    expect([old.status, old.headers.get("location")]).toEqual([301, "/install"]);
    expect(await (await get("/install", { accept: "text/markdown" })).text()).toContain("First **this**");
    expect(await (await get("/llms.txt")).text()).toContain("install.md");
    expect(await (await get("/llms-full.txt")).text()).toContain("First **this**");
    expect((await get("/offprint-search.js")).headers.get("content-type")).toMatch(/javascript/);
    expect(await (await get("/picture.svg")).text()).not.toContain("script");
    const missing = await get("/nothing");
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain("/_offprint/preview.");
    expect((await get("/%2e%2e/docs.json")).status).toBe(404);
  });

  test("shows a page with groups only to their readers, even if it gets groups later", async () => {
    const restricted = page("Install", "Heron.").replace("---\n\n", "groups: [staff]\n---\n\n");
    const ofAll = await previewSite(sample);
    expect((await ofAll.get("/install")).status).toBe(200);
    ofAll.write("install.mdx", restricted);
    await ofAll.changes(1);
    for (const path of ["/install", "/install.md"]) expect((await ofAll.get(path)).status).toBe(404);
    for (const path of ["/index.md", "/offprint-search.js", "/llms.txt", "/llms-full.txt", "/sitemap.xml", "/nothing"])
      expect(await (await ofAll.get(path)).text(), path).not.toMatch(/heron|>Install/i);
    expect(await (await ofAll.get("/llms.txt")).text()).not.toContain("install.md");
    ofAll.write("install.mdx", sample["install.mdx"]);
    await ofAll.changes(2);
    expect((await ofAll.get("/install")).status).toBe(200);
    const ofStaff = await previewSite({ ...sample, "install.mdx": restricted }, { audience: ["staff"] });
    expect(await (await ofStaff.get("/install")).text()).toContain("Heron.");
  });

  test("the search has the current pages", async () => {
    const { get, write, changes } = await previewSite(sample);
    const first = await (await get("/offprint-search.js")).text();
    write("install.mdx", page("Install", "## Steps\n\nA xylophone."));
    await changes(1);
    expect(await (await get("/offprint-search.js")).text()).not.toBe(first);
  });

  test("refuses other names of this machine, other origins and loads by other sites", async () => {
    const { preview, get } = await previewSite(sample);
    const { port } = preview;
    const [, events = ""] = /data-events="([^"]+)"/.exec(await (await get("/")).text())!;
    const own = `localhost:${port}`;
    const cases: readonly (readonly [status: number, headers: Record<string, string>])[] = [
      [200, { host: own }],
      [200, { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` }],
      [200, { host: "localhost:9999" }],
      [403, { host: "evil.example" }],
      [403, { host: `localhost.evil.example:${port}` }],
      [403, { host: `192.168.1.2:${port}` }],
      [403, { host: own, origin: "http://evil.example" }],
      [403, { host: own, origin: "null" }],
      [403, { host: own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
      [403, { host: own, "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }],
      [200, { host: own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
    ];
    for (const path of ["/", events])
      for (const [status, headers] of cases)
        expect([path, headers, await statusOf(port, path, headers)]).toEqual([path, headers, status]);
    expect(await statusOf(port, "/_offprint/preview/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/events", { host: own })).toBe(404);
  });

  test("an edit makes the page again, whichever way the editor saves, and leaves the plan", async () => {
    const { folder, get, write, changes, of } = await previewSite(sample);
    await get("/install");
    write("install.mdx", page("Install", "## Steps\n\nSecond."));
    await changes(1);
    expect(await (await get("/install")).text()).toContain("Second.");
    writeFileSync(join(folder, "install.mdx.tmp"), page("Install", "## Steps\n\nThird."));
    renameSync(join(folder, "install.mdx.tmp"), join(folder, "install.mdx"));
    await waitUntil("the third text", async () => (await (await get("/install")).text()).includes("Third."));
    renameSync(join(folder, "install.mdx"), join(folder, "install.mdx~"));
    write("install.mdx", page("Install", "## Steps\n\nFourth."));
    await waitUntil("the fourth text", async () => (await (await get("/install")).text()).includes("Fourth."));
    expect(of("changed").map(({ isPlan }) => isPlan)).not.toContain(true);
  });

  test("every part of a page changes it: titles, new and removed pages, snippets, settings", async () => {
    const { get, write, remove } = await previewSite({
      ...sample,
      "snippets/note.mdx": "Old note.",
      "noted.mdx": page("Noted", 'import Note from "/snippets/note.mdx";\n\n<Note />'),
      "docs.json": docsJson(["index", "install", "noted", "later"]),
    });
    const shows = (path: string, text: string) =>
      waitUntil(`${path} shows ${text}`, async () => (await (await get(path)).text()).includes(text));
    await shows("/noted", "Old note.");
    write("snippets/note.mdx", "New note.");
    await shows("/noted", "New note.");
    write("install.mdx", page("Set up", "## Steps"));
    await shows("/", "Set up");
    write("later.mdx", page("Later on", "Now."));
    await shows("/", "Later on");
    remove("later.mdx");
    await waitUntil("the page is gone", async () => (await get("/later")).status === 404);
    write("docs.json", docsJson(["index", "install", "noted"], { name: "Renamed" }));
    await shows("/install", "Renamed");
    write("index.mdx", page("Start", '<div className="p-[3px]">x</div>'));
    await shows("/", "utilities.");
  });

  test("a page whose file is renamed is at its new address, and at the old one if the name comes back", async () => {
    const { folder, get, changes, of } = await previewSite(sample);
    expect((await get("/install")).status).toBe(200);
    renameSync(join(folder, "install.mdx"), join(folder, "set-up.mdx"));
    await waitUntil("the new address", async () => (await get("/set-up")).status === 200);
    const old = await get("/install");
    expect([old.status, old.headers.get("location"), old.headers.get("cache-control")]).toEqual([
      302,
      "/set-up",
      "no-store",
    ]);
    await changes(1);
    const count = of("changed").length;
    renameSync(join(folder, "set-up.mdx"), join(folder, "install.mdx"));
    await changes(count + 1);
    await waitUntil("the old address", async () => (await get("/install")).status === 200);
    expect((await get("/set-up")).headers.get("location")).toBe("/install");
  });

  test("the 404 page of a folder has its styles and scripts", async () => {
    const { get } = await previewSite(sample);
    const html = await (await get("/guides/nothing/here")).text();
    const addresses = [...html.matchAll(/<(?:link rel="stylesheet" href|script src)="([^"]+)"/g)].map(
      ([, url]) => url!,
    );
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      expect(address).toMatch(/^\/_offprint\//);
      expect((await get(address)).status).toBe(200);
    }
  });

  test("a thousand files that change at once are one change of the plan", async () => {
    const { folder, changes, of, get } = await previewSite(sample);
    mkdirSync(join(folder, "many"));
    for (let i = 0; i < 1000; i++) writeFileSync(join(folder, `many/page-${i}.mdx`), page(`Page ${i}`, "Text."));
    await changes(1);
    expect((await get("/many/page-999")).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(of("changed").length).toBe(1);
  });

  test("keeps the last plan while docs.json has a syntax error, and says where it is", async () => {
    const { get, write, of, changes } = await previewSite(sample);
    await get("/install");
    write("docs.json", '{\n  "name": "Acme",,\n}');
    await waitUntil("the error", () => of("diagnostics").some(({ path }) => path === undefined));
    expect(of("diagnostics").at(-1)?.diagnostics[0]).toMatchObject({
      severity: "error",
      location: { sourcePath: "docs.json", line: 2 },
    });
    expect((await get("/install")).status).toBe(200);
    const before = of("changed").length;
    write("install.mdx", page("Install", "## Steps\n\nStill made."));
    await changes(before + 1);
    expect(await (await get("/install")).text()).toContain("Still made.");
    write("docs.json", docsJson(["index", "install"], { name: "Mended" }));
    await waitUntil("the new name", async () => (await (await get("/install")).text()).includes("Mended"));
  });

  test("waits for a docs.json that is missing, and for a folder that vanishes and comes back", async () => {
    const { folder, get, write, remove } = await previewSite(sample);
    // Of a page that was never asked for, nothing is left once its folder is away.
    expect((await get("/install")).status).toBe(200);
    renameSync(join(folder, "docs.json"), join(folder, "docs.json.off"));
    await waitUntil("the page", async () => (await get("/")).status === 200);
    renameSync(folder, `${folder}-away`);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect((await get("/install")).status).toBe(200);
    renameSync(`${folder}-away`, folder);
    write("docs.json", docsJson(["index", "install"], { name: "Back" }));
    await waitUntil("the new name", async () => (await (await get("/")).text()).includes("Back"));
    remove("install.mdx");
    await waitUntil("the page is gone", async () => (await get("/install")).status === 404);
  });

  test("begins without a site, and shows it once there is one", async () => {
    const { get, write } = await previewSite({ "docs.json": "{" });
    const waiting = await get("/");
    expect(waiting.status).toBe(503);
    expect(await waiting.text()).toContain("data-events=");
    write("index.mdx", page("Start", "Here."));
    write("docs.json", docsJson(["index"]));
    await waitUntil("the page", async () => (await get("/")).status === 200);
  });

  test("compares the files if they cannot be watched, and says so", async () => {
    const watch = () => {
      throw Object.assign(new Error("no more watches"), { code: "ENOSPC" });
    };
    const { get, write, of } = await previewSite(sample, { watch: watch as never });
    expect(of("error")).toMatchObject([{ message: expect.stringContaining("cannot be watched (ENOSPC)") }]);
    write("install.mdx", page("Install", "## Steps\n\nSeen."));
    await waitUntil("the new text", async () => (await (await get("/install")).text()).includes("Seen."));
  });

  test("reports faults of a page, including links to anchors of other pages, until they are fixed", async () => {
    const { get, write, of, changes } = await previewSite({
      ...sample,
      "index.mdx": page("Start", "[x](/install#nope)"),
    });
    await get("/");
    const found = await waitUntil("the finding", () => of("diagnostics").find(({ path }) => path === "/"));
    expect(found.diagnostics).toMatchObject([
      { code: "ANCHOR_NOT_FOUND", location: { sourcePath: "index.mdx", line: 5 } },
    ]);
    write("index.mdx", page("Start", "[x](/install#steps)"));
    await changes(1);
    await get("/");
    await waitUntil("no finding", () => of("diagnostics").at(-1)?.diagnostics.length === 0);
  });
});
