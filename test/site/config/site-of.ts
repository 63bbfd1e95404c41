import { type Diagnostic, formatDiagnostic } from "../../../src/lib/diagnostic/index.js";
import { loadConfig, type SiteConfig } from "../../../src/site/config/index.js";
import type { SiteFiles } from "../../../src/site/source/site-files.js";

/** A site in memory; values that are not text are written as JSON. */
export function siteOf(contents: Readonly<Record<string, unknown>>): SiteFiles {
  const texts = new Map(
    Object.entries(contents).map(([path, content]) => [
      path,
      typeof content === "string" ? content : JSON.stringify(content),
    ]),
  );
  const readText = (path: string): string => {
    const text = texts.get(path);
    if (text === undefined) throw new RangeError(path);
    return text;
  };
  return {
    root: "/site",
    paths: [...texts.keys()].sort(),
    has: (path) => texts.has(path),
    sizeOf: (path) => Buffer.byteLength(readText(path)),
    readText,
    readBytes: (path) => Buffer.from(readText(path)),
    absolutePath: (path) => `/site/${path}`,
  };
}

export const required = {
  theme: "mint",
  name: "Acme",
  colors: { primary: "#0F766E" },
  navigation: { pages: ["index"] },
};

/** The configuration of a site with these settings and the required ones, and the first lines of its diagnostics. */
export function configOf(settings: object, files: Readonly<Record<string, unknown>> = {}) {
  return loaded({ "docs.json": { ...required, ...settings }, ...files });
}

export function loaded(contents: Readonly<Record<string, unknown>>): {
  readonly config: SiteConfig;
  readonly faults: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const { config, diagnostics } = loadConfig(siteOf(contents));
  const faults = diagnostics.map((diagnostic) => formatDiagnostic(diagnostic).split("\n")[0]!);
  return { config: config!, faults, diagnostics };
}

/** The navigation as an outline: one line an entry, indented by its depth. */
export function outline(config: SiteConfig): string[] {
  const lines: string[] = [];
  const add = (entries: readonly SiteConfig["navigation"]["children"][number][], depth: number): void => {
    for (const entry of entries) {
      const text =
        entry.kind === "page" ? entry.ref : `${entry.kind} ${entry.label}${entry.href ? ` -> ${entry.href}` : ""}`;
      lines.push("  ".repeat(depth) + text);
      if (entry.kind !== "page") add(entry.children, depth + 1);
    }
  };
  add(config.navigation.children, 0);
  if (config.navigation.global.length > 0) lines.push("global");
  add(config.navigation.global, 1);
  return lines;
}
