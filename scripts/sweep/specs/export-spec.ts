// Writes a small site with one specification, and exports it.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type ExportRun, runExport } from "../run-export.ts";
import type { SpecFile } from "./find-specs.ts";

/** Writes a site with the specification below `folder`, which is emptied before. @returns the folder of the site. */
export function writeSite(spec: SpecFile, folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  const site = join(folder, "site");
  mkdirSync(site, { recursive: true });
  for (const [from, to] of spec.files) cpSync(from, join(site, to), { recursive: true, dereference: true });
  const settings = { name: basename(spec.name), theme: "mint", colors: { primary: "#0f766e" } };
  writeFileSync(join(site, "docs.json"), JSON.stringify({ ...settings, navigation: { groups: spec.groups } }));
  return site;
}

/** Exports a site with the specification, both below `folder`. */
export const exportSpec = (spec: SpecFile, folder: string, timeoutSeconds: number): Promise<ExportRun> =>
  runExport(writeSite(spec, folder), folder, timeoutSeconds);
