import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createMemo, lazy } from "../../lib/memo.js";

export type IconSetName = "fa7-solid" | "fa7-regular" | "fa7-brands" | "lucide" | "tabler" | "simple-icons";

export interface IconShape {
  /** The content of the `svg` element. */
  readonly body: string;
  readonly width: number;
  readonly height: number;
}

/** A set of icons. Sets are large and sites use few icons, so only the icons in use are parsed. */
interface IconSet {
  /** The icon of this name or alias. */
  find(name: string): IconShape | undefined;
  /** Names that begin with the same letter, in the order of the file. */
  namesLike(name: string): readonly string[];
}

const sets = createMemo<IconSet>();

/** Returns the same object each time. The text of a set stays in memory as long as the thread runs. */
export const iconSet = (name: IconSetName): IconSet =>
  sets(name, () =>
    createIconSet(() =>
      readFileSync(createRequire(import.meta.url).resolve(`@iconify-json/${name}/icons.json`), "utf8"),
    ),
  );

/** Reads Iconify's JSON line by line, since parsing 5 MB would take 40 ms and ten times the memory. */
function createIconSet(read: () => string): IconSet {
  const load = lazy(() => indexed(read()));
  const find = (name: string): IconShape | undefined => {
    const { text, entries, defaults } = load();
    const at = entries.get(name);
    if (at === undefined) return undefined;
    const entry = JSON.parse(text.slice(text.indexOf("{", at), text.indexOf("\n\t\t}", at) + 4)) as object;
    return "parent" in entry ? find(String(entry.parent)) : ({ ...defaults, ...entry } as IconShape);
  };
  return { find, namesLike: (name) => load().byLetter.get(name.slice(0, 1)) ?? [] };
}

interface LoadedSet {
  readonly text: string;
  /** Offset of each name's entry. Icons take precedence over aliases. */
  readonly entries: ReadonlyMap<string, number>;
  readonly byLetter: ReadonlyMap<string, readonly string[]>;
  /** Properties of icons without their own. */
  readonly defaults: { readonly width: number; readonly height: number };
}

function indexed(text: string): LoadedSet {
  const entries = new Map<string, number>();
  const byLetter = new Map<string, string[]>();
  for (const { 1: name = "", index } of text.matchAll(/\n\t\t"([^"]+)": \{/g)) {
    if (entries.has(name)) continue;
    entries.set(name, index);
    const letter = name.slice(0, 1);
    const names = byLetter.get(letter);
    if (names) names.push(name);
    else byLetter.set(letter, [name]);
  }
  // The set's own properties follow the icons and aliases.
  const setProperties = JSON.parse(`{${text.slice(text.indexOf(",", text.lastIndexOf("\n\t}")) + 1)}`) as object;
  return { text, entries, byLetter, defaults: { width: 16, height: 16, ...setProperties } };
}
