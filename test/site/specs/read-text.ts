import type { Diagnostic } from "../../../src/lib/diagnostic/diagnostic.js";
import { createSpecReader, type SpecReading } from "../../../src/site/specs/index.js";
import { memoryFiles } from "../../support/memory-files.js";

/** Reads a specification that is the only file of its site. */
export const readText = (
  text: string,
  source = "openapi.json",
  overlays: Readonly<Record<string, string>> = {},
): SpecReading => createSpecReader(memoryFiles({ [source]: text, ...overlays })).read(source, Object.keys(overlays));

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
