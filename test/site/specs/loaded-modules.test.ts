/** What reads specifications is loaded for a site that names one, and for no other. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newFolder, writeSite } from "../../security/site-folder.js";
import { runCli } from "../../support/cli.js";

/** Our own modules and those of `yaml` that a check of this site loads, in all threads. */
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
    expect(urls.some((url) => url.endsWith("/dist/index.js"))).toBe(true);
    return [...new Set(urls)].filter((url) => /\/dist\/(?:site\/specs|lib\/fetch)\/|\/node_modules\/yaml\//.test(url));
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

describe("a site", () => {
  test("without a specification loads nothing that reads one, nor YAML, nor the network", async () => {
    const data = { "data.json": "{}", "openapi.json": '{"openapi":"3.1.0"}' };
    expect(await loadedBy({ "docs.json": docs(["index"]), ...data })).toEqual([]);
  });

  test("with one in JSON loads no YAML and no network", async () => {
    const spec = '{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{}}}}';
    const loaded = await loadedBy({ "docs.json": docs(["index", "GET /a"]), "openapi.json": spec });
    expect(loaded.some((url) => url.includes("/dist/site/specs/"))).toBe(true);
    expect(loaded.filter((url) => /\/fetch\/|\/yaml\//.test(url))).toEqual([]);
  });
});
