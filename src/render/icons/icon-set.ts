import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export type IconSetName = "fa7-solid" | "fa7-regular" | "fa7-brands" | "lucide" | "tabler" | "simple-icons";

export interface IconShape {
  /** SVG inside of the `svg` element. */
  readonly body: string;
  readonly width: number;
  readonly height: number;
}

/** A set of icons, read when first asked. The sets are large and a site uses few icons: nothing is parsed but those. */
export interface IconSet {
  /** The icon of that name, aliases followed. */
  find(name: string): IconShape | undefined;
  /** In the order of the file. */
  names(): string[];
}

const sets = new Map<IconSetName, IconSet>();

/** The same set each time: its text is kept for the life of the thread. */
export function iconSet(name: IconSetName): IconSet {
  let set = sets.get(name);
  if (!set) {
    set = createIconSet(() =>
      readFileSync(createRequire(import.meta.url).resolve(`@iconify-json/${name}/icons.json`), "utf8"),
    );
    sets.set(name, set);
  }
  return set;
}

/**
 * Reads Iconify's JSON without parsing it whole (5 MB take 40 ms and ten times the memory). It is printed one property
 * a line, indented by tabs, so an icon begins with a line that nothing else can look like.
 */
function createIconSet(read: () => string): IconSet {
  let text: string | undefined;
  let aliasesAt = 0;
  let defaults = { width: 16, height: 16 };
  const load = (): string => {
    if (text !== undefined) return text;
    text = read();
    const end = text.lastIndexOf("\n\t}");
    const aliases = text.indexOf('\n\t"aliases": {');
    aliasesAt = aliases === -1 ? end : aliases;
    // What stands after the icons and aliases are the set's own properties.
    defaults = { ...defaults, ...(JSON.parse(`{${text.slice(text.indexOf(",", end) + 1)}`) as object) };
    return text;
  };
  const entry = (name: string, from: number, to: number): Readonly<Record<string, unknown>> | undefined => {
    const all = load();
    const at = all.indexOf(`\n\t\t${JSON.stringify(name)}: {`, from);
    if (at === -1 || at >= to) return undefined;
    return JSON.parse(all.slice(all.indexOf("{", at), all.indexOf("\n\t\t}", at) + 4)) as Record<string, unknown>;
  };
  const find = (name: string): IconShape | undefined => {
    load();
    const icon = entry(name, 0, aliasesAt);
    if (icon) return { ...defaults, ...icon } as unknown as IconShape;
    const alias = entry(name, aliasesAt, Infinity);
    return alias ? find(String(alias["parent"])) : undefined;
  };
  return {
    find,
    names: () => Array.from(load().matchAll(/\n\t\t"([^"]+)": \{/g), (match) => match[1]!),
  };
}
