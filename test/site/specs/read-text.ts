import type { Diagnostic } from "../../../src/lib/diagnostic/diagnostic.js";
import { createSpecReader, type SpecReading } from "../../../src/site/specs/index.js";
import { memoryFiles } from "../../support/memory-files.js";

/** Reads a specification of a site, and tells nothing of components that the test does not use. */
export function readFiles(
  files: Readonly<Record<string, string>>,
  source: string,
  overlays: readonly string[] = [],
): SpecReading {
  const reading = createSpecReader(memoryFiles(files)).read(source, overlays);
  return { ...reading, diagnostics: reading.diagnostics.filter(({ code }) => code !== "SPEC_UNUSED") };
}

/** Reads a specification that is the only file of its site. */
export const readText = (
  text: string,
  source = "openapi.json",
  overlays: Readonly<Record<string, string>> = {},
): SpecReading => readFiles({ [source]: text, ...overlays }, source, Object.keys(overlays));

export const readJson = (value: unknown): SpecReading => readText(JSON.stringify(value, null, 2));

/** A small OpenAPI document with these parts. */
export const openapi = (parts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  openapi: "3.1.0",
  info: { title: "Orchard", version: "1" },
  ...parts,
});

export const codesOf = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(
    ({ code, location }) => `${code} ${location?.sourcePath}:${location?.line ?? ""}:${location?.column ?? ""}`,
  );
