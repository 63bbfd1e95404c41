/** `node measure-page.ts KIND CHARS`: exports a site with one page of `large-pages.ts`, and prints what that took. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brokenPages, type LargePage, largePages } from "../../support/large-pages.ts";

export interface PageMeasurement {
  /** Largest memory of the process. */
  readonly peakMb: number;
  readonly cpuMs: number;
  readonly codes: readonly string[];
}

const [kind, chars] = process.argv.slice(2);
const { exportSite } = (await import(
  String(new URL("../../../dist/index.js", import.meta.url))
)) as typeof import("../../../src/index.js");
const folder = mkdtempSync(join(tmpdir(), "offprint-large-page-"));
try {
  const source = join(folder, "site");
  const make: LargePage =
    ({ ...largePages, ...brokenPages } as Readonly<Record<string, LargePage>>)[kind!] ?? (() => "x\n");
  const text = make(Number(chars));
  const docs = {
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0a6c5b" },
    navigation: { pages: ["index", "guide"] },
  };
  mkdirSync(source);
  writeFileSync(join(source, "docs.json"), JSON.stringify(docs));
  writeFileSync(join(source, "index.mdx"), "---\ntitle: Start\n---\n\nx\n");
  writeFileSync(join(source, "guide.mdx"), text.startsWith("---\ntitle:") ? text : `---\ntitle: Guide\n---\n\n${text}`);
  // The processor is shared with other tests, so processor time is measured instead.
  const options = { concurrency: 1, cache: false, pageTimeoutMs: 600_000 };
  const { ok, diagnostics } = await exportSite({ source, output: join(folder, "out"), ...options });
  if (!ok) throw new Error(`The export failed: ${JSON.stringify(diagnostics.slice(0, 3))}`);
  const { user, system } = process.cpuUsage();
  const result: PageMeasurement = {
    peakMb: process.resourceUsage().maxRSS / 1024,
    cpuMs: (user + system) / 1000,
    codes: [...new Set(diagnostics.map(({ code }) => code))],
  };
  console.log(JSON.stringify(result));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
