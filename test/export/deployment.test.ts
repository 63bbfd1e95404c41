/** The parts of a bundle by deployment, as in the table, and its requests to other hosts: a scan of its files. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import type { ExportOptions } from "offprint";
import { beforeAll, describe, test } from "vitest";
import { deployments, features, isInside } from "../../src/lib/deployments.js";
import { filesIn, newFolder, writeSite } from "../security/site-folder.js";
import { exportInProcess } from "../support/pool-in-process.js";

const folder = newFolder("deployment");

/** Each kind of request has its own host: an error in air-gapped bundles, or allowed because a page loads nothing. */
const ways = {
  assistant: "error",
  analytics: "error",
  font: "error",
  background: "error",
  image: "error",
  film: "error",
  frame: "error",
  sheet: "error",
  script: "error",
  import: "error",
  logo: "allowed",
  link: "allowed",
  server: "allowed",
  integration: "allowed",
  support: "allowed",
  repository: "allowed",
} as const;
type Way = keyof typeof ways;
const at = (way: Way, path = ""): string => `https://${way}.outside.example/${path}`;
const hostsIn = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/\/\/(\w+)\.outside\.example/g), ([, way]) => way!));

const spec = {
  openapi: "3.1.0",
  info: { title: "Tides", version: "1" },
  servers: [{ url: at("server") }],
  paths: { "/tides": { get: { summary: "List tides", responses: { 200: { description: "All of them." } } } } },
};
const siteWith = (display: string): string =>
  writeSite(join(folder, display), {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0a6c5b" },
      contextual: { options: ["copy", "chatgpt", "claude"] },
      api: { playground: { display } },
      logo: { light: "/logo.svg", dark: "/logo.svg", href: at("logo") },
      fonts: { family: "House", source: at("font", "house.woff2"), format: "woff2" },
      background: { image: at("background", "sea.png") },
      navbar: { links: [{ label: "Support", href: at("support") }] },
      integrations: {
        ga4: { measurementId: "G-123456" },
        plausible: { domain: "acme.com", server: at("integration") },
      },
      feedback: { editUrl: true, repository: at("repository", "acme/docs") },
      navigation: {
        groups: [
          { group: "Start", pages: ["index"] },
          { group: "API", openapi: "tides.json" },
        ],
      },
    }),
    "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>',
    "index.mdx": `---\ntitle: Start\n---\n\nHigh water. [More](${at("link")})\n\n![x](${at("image", "x.png")})\n\n<video src="${at("film", "x.mp4")}" />\n\n<iframe src="${at("frame", "embed/x")}" title="x" />\n\n<link rel="stylesheet" href="${at("sheet", "x.css")}" />\n\n<script src="${at("script", "x.js")}"></script>\n`,
    "extra.css": `@import url("${at("import", "x.css")}");`,
    "tides.json": JSON.stringify(spec),
  });
const source = siteWith("interactive");
const withoutPlayground = siteWith("none");
const services = {
  assistant: { url: at("assistant"), key: "svc_dsc_test" },
  analytics: { url: at("analytics") },
};

/** Scripts that hold texts of pages, and of operations, whose servers the playground asks when the reader sends a request. */
const texts = /^_offprint\/(?:markdown|search|playground)\//;

/** The hosts that the files of a bundle load from, and the services that their scripts use: hosts of `ways`. */
function outsideLoads(output: string): string[] {
  const found: string[] = [];
  for (const path of filesIn(output)) {
    const text = readFileSync(join(output, path), "utf8");
    if (path.endsWith(".css")) found.push(...hostsIn(text));
    if (path.endsWith(".js") && !texts.test(path)) found.push(...hostsIn(text));
    if (!path.endsWith(".html")) continue;
    const { document } = new JSDOM(text).window;
    for (const element of document.querySelectorAll("*")) {
      const tag = element.localName;
      for (const { name, value } of element.attributes) {
        const isLink = (tag === "a" || tag === "area") && name === "href";
        if (!isLink && name !== "data-copy") found.push(...hostsIn(value));
      }
      if (tag === "style" || (tag === "script" && !/json/.test(element.getAttribute("type") ?? "")))
        found.push(...hostsIn(element.textContent ?? ""));
    }
  }
  return [...new Set(found)].sort();
}

for (const deployment of deployments)
  describe(`a bundle for ${deployment}`, () => {
    const isIn = (feature: keyof typeof features): boolean => features[feature].in[deployment].state !== "no";
    const made = async (name: string, options: Partial<ExportOptions> = {}) => {
      const output = join(folder, `${deployment}-${name}`);
      const usual = { source, deployment, baseUrl: "https://docs.acme.com", embedRemote: false } as const;
      const result = await exportInProcess({ ...usual, output, ...options });
      assert.equal(result.ok, true);
      const operation = result.manifest?.files.find(({ path }) => path.endsWith("list-tides.html"))?.path;
      assert.ok(operation);
      const read = (path: string): string => readFileSync(join(output, path), "utf8");
      return { ...result, output, start: read("index.html"), operation: read(operation) };
    };
    let usual: Awaited<ReturnType<typeof made>>;
    beforeAll(async () => {
      usual = await made("usual", services);
    });
    const errors = () => usual.diagnostics.filter(({ code }) => code.startsWith("OUTSIDE_"));

    test("is a folder of plain files, and has the search, from its own files", () => {
      assert.equal(existsSync(join(usual.output, "offprint.json")), isIn("bundle"));
      const script = /data-script="([^"]+)"/.exec(usual.start)?.[1];
      assert.equal(script !== undefined && existsSync(join(usual.output, script)), isIn("search"));
    });
    test("has the playground, or none if the site disables it", async () => {
      assert.equal(usual.operation.includes("data-playground="), isIn("playground"));
      const without = await made("without", { source: withoutPlayground });
      assert.equal(without.operation.includes("data-playground="), false);
      assert.deepEqual([without.manifest?.assistant, without.manifest?.analytics], [undefined, undefined]);
    });
    test(`${isIn("assistant") ? "contacts" : "contacts no"} assistant outside, and links to ${isIn("assistant") ? "others" : "none"}`, () => {
      const origin = isIn("assistant") ? new URL(at("assistant")).origin : undefined;
      assert.equal(usual.manifest?.assistant, origin);
      assert.equal(/href="https:\/\/(?:chatgpt\.com|claude\.ai)\//.test(usual.start), isIn("assistant"));
    });
    test(`${isIn("analytics") ? "counts views with" : "counts no views with"} a service outside`, () => {
      assert.equal(usual.manifest?.analytics, isIn("analytics") ? new URL(at("analytics")).origin : undefined);
    });
    test("may use services inside of a closed network", async () => {
      const inside = "http://docs-api.internal:8080";
      const { manifest, diagnostics } = await made("inside", {
        assistant: { ...services.assistant, url: inside },
        analytics: { url: inside },
      });
      assert.deepEqual([manifest?.assistant, manifest?.analytics], [inside, inside]);
      assert.deepEqual(
        diagnostics.filter(({ code }) => code === "OUTSIDE_SERVICE"),
        [],
      );
    });
    test("loads from other hosts only what an error names, if it is air-gapped", () => {
      const isClosed = deployment === "air-gapped";
      const names = (mark: string) => Object.keys(ways).filter((way) => ways[way as Way] === mark);
      const reported = [
        ...hostsIn(
          errors()
            .map(({ what }) => what)
            .join(" "),
        ),
      ].sort();
      assert.deepEqual(reported, isClosed ? names("error").sort() : []);
      assert.ok(errors().every(({ severity, fix }) => severity === "error" && fix));
      const loads = outsideLoads(usual.output);
      const services = ["analytics", "assistant"];
      // Films and frames are links that load on a click.
      const waiting = ["film", "frame"];
      assert.deepEqual(
        loads,
        names("error")
          .filter((way) => !waiting.includes(way) && !(isClosed && services.includes(way)))
          .sort(),
      );
      // No byte of an air-gapped bundle names the refused services.
      if (isClosed)
        for (const path of filesIn(usual.output))
          assert.doesNotMatch(
            readFileSync(join(usual.output, path), "latin1"),
            /(?:assistant|analytics)\.outside/,
            path,
          );
    });
  });

const addresses = [
  // address                           inside of a closed network
  ["https://assistant.saas.example", false],
  ["https://8.8.8.8", false],
  ["https://docs.acme.com/api", true],
  ["https://other.acme.com", false],
  ["http://10.1.2.3:8080", true],
  ["http://[fd00::1]:8080", true],
  ["http://localhost:8080", true],
  ["http://docs-api:8080", true],
  ["https://docs-api.internal", true],
  ["https://docs-api.internal.example", false],
] as const;
for (const [url, expected] of addresses)
  test(`${url} is ${expected ? "inside" : "outside"} of the closed network that serves docs.acme.com`, () =>
    assert.equal(isInside(url, "https://docs.acme.com/guide"), expected));
