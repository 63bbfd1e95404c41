import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { JSDOM } from "jsdom";
import type { ExportResult } from "offprint";
import { afterAll, beforeAll } from "vitest";
import { sweeping } from "../quality/bundle.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { type InspectedDocument, inspectDocument } from "./dangers.js";
import { filesIn, newFolder, type SiteContents, writeSite } from "./site-folder.js";

export interface ExportedSite {
  readonly output: string;
  readonly result: ExportResult;
}

/** Exports a site made on the fly before the tests around; it and its bundle are gone after them. */
export function exported(contents: () => SiteContents): () => ExportedSite {
  const folder = newFolder("hostile");
  const output = join(folder, "out");
  let result: ExportResult;
  beforeAll(async () => {
    const source = writeSite(join(folder, "site"), contents());
    result = await exportInProcess({ source, output, baseUrl: "https://docs.example.com" });
    assert.equal(result.ok, true);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => ({ output, result });
}

/** The pages that brought a script of their own, by source path without extension, as the report lists them. */
export const scriptPages = (result: ExportResult): string[] =>
  result.external
    .filter((use) => use.kind === "script")
    .map((use) => (use.location?.sourcePath ?? "").replace(/\.mdx?$/, ""));

/**
 * Every document of a bundle, by path; scripts count as dangers unless the report lists one for the page. Pages of markup,
 * and every third other one, are read once more as a parser writes them; in a sweep all.
 */
export function inspectBundle({ output, result }: ExportedSite): ReadonlyMap<string, InspectedDocument> {
  const withScripts = new Set(scriptPages(result));
  const paths = filesIn(output).filter((path) => path.endsWith(".html"));
  return new Map(
    paths.map((path, i) => {
      const own = withScripts.has(path.replace(/\.html$/, ""));
      return [
        path,
        inspectDocument(
          readFileSync(join(output, path), "utf8"),
          own,
          sweeping || i % 3 === 0 || /^(?:raw|together)\//.test(path),
        ),
      ];
    }),
  );
}

export const dangersIn = (documents: ReadonlyMap<string, InspectedDocument>): string[] =>
  [...documents].flatMap(([path, { dangers }]) => dangers.map((danger) => `${path}: ${danger}`));

/** The faults of XML files, read by a parser that takes nothing that is not well-formed, and scripts in them. */
export function brokenXml({ output }: ExportedSite): string[] {
  const parser = new new JSDOM().window.DOMParser();
  return filesIn(output)
    .filter((path) => path.endsWith(".xml"))
    .flatMap((path) => {
      const document = parser.parseFromString(readFileSync(join(output, path), "utf8"), "application/xml");
      const faults = document.querySelectorAll("parsererror, script");
      return Array.from(faults, (fault) => `${path}: ${fault.textContent}`);
    });
}

export const addressesIn = (folder: string, wanted: RegExp): string[] =>
  filesIn(folder)
    .filter((path) => wanted.test(path))
    .map((path) => pathToFileURL(join(folder, path)).href);
