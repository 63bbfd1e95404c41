/** Every specification of the real sites, outside a sweep those below 100 kB, becomes pages without a wrong diagnostic. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ExportResult, loadSite, type Site } from "offprint";
import { afterAll, beforeAll, describe, test } from "vitest";
import { sweeping } from "../quality/bundle.js";
import { newFolder, writeSite } from "../security/site-folder.js";
import { findCorpora } from "../support/corpora.js";
import { exportCache } from "../support/export-cache.js";
import { type Described, plainSpecs } from "../support/plain-specs.js";
import { exportInProcess } from "../support/pool-in-process.js";

const corpora = findCorpora().filter(({ isOwn }) => !isOwn);
describe.skipIf(corpora.length === 0)("the specifications of the real sites", () => {
  const folder = newFolder("corpora-specs");
  const output = join(folder, "out");
  const specs = new Map<string, Described>();
  let result: ExportResult;
  let site: Site;

  beforeAll(async () => {
    const source = join(folder, "site");
    for (const corpus of corpora)
      for (const [path, described] of plainSpecs(corpus.folder)) {
        if (!sweeping && statSync(join(corpus.folder, path)).size > 100_000) continue;
        const spec = `${corpus.name}/${path}`;
        mkdirSync(dirname(join(source, spec)), { recursive: true });
        cpSync(join(corpus.folder, path), join(source, spec));
        specs.set(spec, described);
      }
    const tabs = [...specs.keys()].map((spec, i) => ({
      tab: spec,
      [/asyncapi/.test(spec) ? "asyncapi" : "openapi"]: { source: spec, directory: `s${i}` },
    }));
    writeSite(source, {
      "docs.json": { theme: "mint", name: "All", colors: { primary: "#0f766e" }, navigation: { tabs } },
    });
    result = await exportInProcess({ source, output, cacheFolder: exportCache });
    site = (await loadSite({ source })).site!;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("all become pages, one for each operation and channel", () => {
    const made = Map.groupBy(site.pages, ({ api }) => api?.spec);
    for (const [spec, described] of specs) {
      const about = (made.get(spec) ?? []).map(({ api }) =>
        api?.kind === "operation" ? `${api.method} ${api.path}` : api?.kind === "channel" ? api.name : "",
      );
      assert.deepEqual(about.filter((each) => each !== "").toSorted(), [...described].toSorted(), spec);
    }
    for (const { outputPath } of site.pages) assert.ok(existsSync(join(output, outputPath)), outputPath);
  });

  test("no diagnostic about them is wrong", () => {
    // Their descriptions link to pages of the sites they were taken from.
    const told = result.diagnostics.filter(({ code }) => code !== "LINK_NOT_FOUND" && code !== "IMAGE_NOT_FOUND");
    // True ones, all because of large specifications: a schema allows no other properties than its own, and requires one that
    // it lacks; a path parameter that is not required; examples and a default of another type than their schema; and a page
    // that a description links to is in another folder here.
    const lines = told.map(({ code, location }) => `${code} ${location?.line}`);
    const entries = [21, 96, 695, 836, 944, 2235, 3791].map((line) => `SPEC_ENTRY_INVALID ${line}`);
    assert.deepEqual(lines.toSorted(), sweeping ? ["LINK_PREFIX_DIFFERS 138", ...entries] : []);
  });

  test("every page shows the method and the path, also in its Markdown version", () => {
    for (const { api, outputPath } of site.pages) {
      if (api?.kind !== "operation") continue;
      const html = readFileSync(join(output, outputPath), "utf8").replace(/<wbr>|<\/?(?:span|code)[^>]*>/g, "");
      assert.ok(html.includes(api.path), `${api.path} on ${outputPath}`);
      const twin = readFileSync(join(output, outputPath.replace(/html$/, "md")), "utf8");
      assert.ok(
        twin.includes(api.path) && twin.includes(api.method.toUpperCase()),
        `${api.path} in the twin of ${outputPath}`,
      );
    }
  });
});
