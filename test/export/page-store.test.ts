import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, test } from "vitest";
import { type ExportOptions, type ExportResult, runExport } from "../../src/export/index.js";
import { findCorpora } from "../support/corpora.js";
import { createPoolInProcess } from "../support/pool-in-process.js";
import { copySite, createEditor, seeded } from "../support/random-edits.js";

const work = mkdtempSync(join(tmpdir(), "offprint-page-store-"));
afterAll(() => rmSync(work, { recursive: true }));

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
const exportIn = (options: ExportOptions): Promise<ExportResult> =>
  runExport(options, { pagePool: createPoolInProcess });

/** The report and the bytes are those of an export that has no cache. */
async function assertAsCold(result: ExportResult, options: ExportOptions, what: string): Promise<void> {
  const { cacheFolder: _, archive: __, ...rest } = options;
  const cold = await exportIn({ ...rest, output: "memory" });
  assert.equal(result.ok, cold.ok, what);
  assert.deepEqual(result.diagnostics, cold.diagnostics, what);
  assert.deepEqual(result.external, cold.external, what);
  assert.deepEqual(result.inputs, cold.inputs, what);
  if (!cold.ok || !result.ok) return;
  assert.deepEqual(result.manifest, cold.manifest, what);
  const paths = readdirSync(result.output!, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(paths.length, cold.files!.size, what);
  for (const [path, bytes] of cold.files!)
    assert.ok(readFileSync(join(result.output!, path)).equals(bytes), `${path} after ${what}`);
}

async function editAtRandom(name: string, folder: string, edits: number, seed: number): Promise<void> {
  const place = mkdtempSync(join(work, "edits-"));
  const source = copySite(folder, join(place, "site"));
  const random = seeded(seed);
  const edit = createEditor(source, random);
  const base = { source, output: join(place, "out"), cacheFolder: join(place, "cache") };
  const baseUrls = [undefined, undefined, undefined, "https://docs.example.com"];
  const done: string[] = [];
  await exportIn(base);
  for (let at = 0; at < edits; at++) {
    for (let more = random(); more < 1; more += 0.6) done.push(edit());
    const options = { ...base, baseUrl: baseUrls[Math.floor(random() * baseUrls.length)] };
    const result = await exportIn(options);
    await assertAsCold(result, options, `${name}, seed ${seed}: ${done.join("; ")}`);
  }
  rmSync(place, { recursive: true });
}

const fixtures = "snippets-and-variables nested-navigation api-reference languages-and-versions redirects-and-feeds";
for (const [at, name] of fixtures.split(" ").entries())
  test(`${name}: after each of 8 random edits, the export is that of a site without a cache`, () =>
    editAtRandom(name, fixture(`sites/${name}`), 8, 17 + at));

/** Number of edits of each real site in a soak test. */
const soaking = Number(process.env["OFFPRINT_EDITS"] ?? 0);
for (const [at, { name, folder }] of (soaking ? findCorpora() : []).entries())
  test(
    `${name}: the same after many random edits`,
    () => editAtRandom(name, folder, soaking, Date.now() + at),
    7_200_000,
  );
