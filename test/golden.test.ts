import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "offprint";
import { describe, expect, test } from "vitest";
import { formatDiagnostic } from "../src/lib/diagnostic/index.js";
import { temporaryFolder } from "./support/cli.js";
import { outlineDocument } from "./support/outline.js";
import { exportInProcess } from "./support/pool-in-process.js";

const sites = fileURLToPath(new URL("../fixtures/sites", import.meta.url));

/**
 * Files of a fixture that are not part of the site: `expected/` has every file of the bundle, `diagnostics.txt` every
 * diagnostic (none if it is missing), `options.json` the options of the export.
 */
const ofTheTest = new Set(["expected", "diagnostics.txt", "options.json"]);

describe("a site comes out as in expected/:", () => {
  for (const name of readdirSync(sites).toSorted())
    test(name, async () => {
      const fixture = join(sites, name);
      const place = temporaryFolder();
      const source = join(place, "site");
      cpSync(fixture, source, {
        recursive: true,
        filter: (path) => dirname(path) !== fixture || !ofTheTest.has(basename(path)),
      });
      const options = existsSync(join(fixture, "options.json"))
        ? (JSON.parse(readFileSync(join(fixture, "options.json"), "utf8")) as { baseUrl?: string })
        : {};
      const output = join(place, "out");
      const { ok, diagnostics, manifest } = await exportInProcess({ source, output, ...options });
      assert.ok(ok);
      for (const { path, sha256 } of manifest.files)
        expect(hash("sha256", readFileSync(join(output, path)), "hex"), path).toBe(sha256);

      const read = (path: string) => readFileSync(join(source, path), "utf8");
      const printed = diagnostics.map((each) => `${formatDiagnostic(each, read)}\n`).join("\n");
      const actual = readBundle(output);
      if (process.env["UPDATE_GOLDEN"]) writeExpected(fixture, actual, printed);
      const reported = join(fixture, "diagnostics.txt");
      expect(printed).toBe(existsSync(reported) ? readFileSync(reported, "utf8") : "");
      const expected = readFolder(join(fixture, "expected"));
      expect([...actual.keys()]).toEqual([...expected.keys()]);
      for (const [path, text] of actual) expect(text, path).toBe(expected.get(path));
    });
});

/**
 * The bundle's files as they are compared: HTML pages as an outline, under their name with `.txt`; the manifest without
 * sizes and hashes; our own files (`_offprint/`) only by their names in the manifest. Hashes in names become `HASH`.
 */
function readBundle(folder: string): Map<string, string> {
  const files = [...readFolder(folder)].flatMap(([path, text]): [string, string][] => {
    if (path.startsWith("_offprint/")) return [];
    if (path === "offprint.json") return [[path, withoutHashes(readManifest(text))]];
    const isPage = path.endsWith(".html") && text.includes('id="content-area"');
    return [isPage ? [`${path}.txt`, withoutHashes(outlineDocument(text))] : [path, withoutHashes(text)]];
  });
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readManifest(text: string): string {
  const { files, ...head } = JSON.parse(text) as Manifest;
  const ours = files.filter(({ path }) => !/^_offprint\/fonts\//.test(path));
  const paths = ours.map(({ path }) => withoutHashes(path)).toSorted();
  return `${JSON.stringify({ ...head, engineVersion: "VERSION", files: paths }, null, 2)}\n`;
}

const withoutHashes = (text: string): string =>
  text.replace(/(_offprint\/[\w./-]*?)[.-]?\b[0-9a-f]{8,64}\b(?=\.\w+)/g, "$1.HASH");

/** Text by path, sorted; binary files as one character a byte. */
function readFolder(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [
        path.slice(folder.length + 1),
        readFileSync(path, /\.(?:png|webp|woff2)$/.test(path) ? "latin1" : "utf8"),
      ]),
  );
}

function writeExpected(fixture: string, bundle: ReadonlyMap<string, string>, printed: string): void {
  const expected = join(fixture, "expected");
  rmSync(expected, { recursive: true, force: true });
  for (const [path, text] of bundle) {
    mkdirSync(dirname(join(expected, path)), { recursive: true });
    writeFileSync(join(expected, path), text, /\.(?:png|webp|woff2)$/.test(path) ? "latin1" : "utf8");
  }
  rmSync(join(fixture, "diagnostics.txt"), { force: true });
  if (printed !== "") writeFileSync(join(fixture, "diagnostics.txt"), printed);
}
