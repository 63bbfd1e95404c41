import { readMintJson } from "../site/config/index.js";
import type { SiteFiles } from "../site/source/index.js";
import { asText } from "./data.js";
import type { AddNote } from "./project.js";
import { isPage } from "./tools/shared.js";

/** Converts our own older format: its pages are copied, and its settings get their new names. */
export function convertMint(files: SiteFiles, chosenName: string | undefined, fallback: string, note: AddNote) {
  const { settings = {}, diagnostics } = readMintJson(files);
  for (const { what, location } of diagnostics)
    note(location?.sourcePath ?? "mint.json", "settings", what, location?.line);
  const isForRepository = /(?:^|\/)(?:README|LICENSE|CHANGELOG|CONTRIBUTING|AGENTS|CLAUDE)\.md$/;
  const copied = files.paths.filter((path) => path !== "mint.json" && !isForRepository.test(path));
  const name = chosenName ?? asText(settings["name"]) ?? fallback;
  const config = `${JSON.stringify({ theme: "mint", ...settings, name }, null, 2)}\n`;
  return {
    tool: "mint.json",
    name,
    pageCount: copied.filter((path) => isPage(path) && !/^_?snippets\//.test(path)).length,
    files: new Map<string, string | { readonly copy: string }>([
      ...copied.map((path) => [path, { copy: path }] as const),
      ["docs.json", config],
    ]),
    origins: new Map(),
    comparison: [],
  };
}
