/** What reads specifications is loaded for a site that names one, and for no other. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { newFolder, writeSite } from "../../security/site-folder.js";
import { runCli } from "../../support/cli.js";

const dist = fileURLToPath(new URL("../../../dist/", import.meta.url));

/** One of our modules that read specifications and one of those that fetch, each with a function that only it has. */
const lazyModules = {
  "src/site/specs/open-specs.ts": /\bfunction openSpecs\d*\(/,
  "src/lib/fetch/guarded-request.ts": /\bfunction guardedRequest\d*\(/,
} as const;
const [specs, fetching] = Object.keys(lazyModules);

/** Those that a file of the build holds: esbuild leaves the names of functions as they are. */
const lazyModulesIn = (file: string): string[] => {
  const code = readFileSync(file, "utf8");
  return Object.entries(lazyModules).flatMap(([path, itsFunction]) => (itsFunction.test(code) ? [path] : []));
};

/** The lazy modules, and those of `yaml`, that a check of this site loads, in all threads. */
async function loadedBy(contents: Readonly<Record<string, unknown>>): Promise<string[]> {
  const folder = newFolder("loaded");
  const coverage = mkdtempSync(join(tmpdir(), "offprint-coverage-"));
  try {
    const site = writeSite(folder, { "index.mdx": "---\ntitle: Start\n---\n\nHello.\n", ...contents });
    await runCli(["check", site], { env: { ...process.env, NODE_V8_COVERAGE: coverage } });
    const urls = readdirSync(coverage).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(coverage, name), "utf8")) as { result: { url: string }[] };
      return result.map(({ url }) => url);
    });
    expect(urls.some((url) => url.endsWith("/dist/cli/main.js"))).toBe(true);
    const paths = [...new Set(urls)].filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
    return [
      ...paths.filter((path) => path.startsWith(dist)).flatMap(lazyModulesIn),
      ...paths.filter((path) => path.includes("/node_modules/yaml/")),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(coverage, { recursive: true, force: true });
  }
}

const docs = (pages: readonly string[]) => ({
  theme: "mint",
  name: "Acme",
  colors: { primary: "#0a6c5b" },
  navigation: { pages },
});

test("the build contains the modules that read and fetch specifications", () => {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"));
  expect(new Set(files.flatMap((path) => lazyModulesIn(join(dist, path))))).toEqual(new Set([fetching, specs]));
});

describe("a site", () => {
  test("without a specification loads no module that reads one, parses YAML or uses the network", async () => {
    const data = { "data.json": "{}", "openapi.json": '{"openapi":"3.1.0"}' };
    expect(await loadedBy({ "docs.json": docs(["index"]), ...data })).toEqual([]);
  });

  test("with one in JSON loads no module that parses YAML or uses the network", async () => {
    const spec = '{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{}}}}';
    const loaded = await loadedBy({ "docs.json": docs(["index", "GET /a"]), "openapi.json": spec });
    expect(loaded).toEqual([specs]);
  });
});
