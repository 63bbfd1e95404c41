import { readMintJson } from "../site/config/index.js";
import type { SiteFiles } from "../site/source/index.js";
import { textOf } from "./data.js";
import type { AddNote } from "./project.js";
import { isPage } from "./tools/shared.js";

/** The older format of our own: its pages stay as they are, its settings get their new names. */
export function convertMint(
  files: SiteFiles,
  names: { readonly name?: string | undefined; readonly fallback: string },
  note: AddNote,
) {
  const { settings = {}, diagnostics } = readMintJson(files);
  for (const { what, location } of diagnostics)
    note({ sourcePath: location?.sourcePath ?? "mint.json", line: location?.line, kind: "settings", what });
  const written = new Map<string, string | { readonly copy: string }>();
  const isNote = /(?:^|\/)(?:README|LICENSE|CHANGELOG|CONTRIBUTING|AGENTS|CLAUDE)\.md$/;
  const kept = files.paths.filter((path) => path !== "mint.json" && !isNote.test(path));
  for (const path of kept) written.set(path, { copy: path });
  const name = names.name ?? textOf(settings["name"]) ?? names.fallback;
  written.set("docs.json", `${JSON.stringify({ theme: "mint", ...settings, name }, null, 2)}\n`);
  return {
    tool: "mint.json",
    name,
    pageCount: kept.filter((path) => isPage(path) && !/^_?snippets\//.test(path)).length,
    files: written,
    origins: new Map<string, never>(),
  };
}
