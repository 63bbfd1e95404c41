import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/** The content of the project's own sites: every component, every setting, every shape of a specification. */

const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url));
const read = (pattern: string): string[] =>
  globSync(pattern, { cwd: fixtures })
    .filter((path) => !/(?:^|[\\/])expected[\\/]/.test(path))
    .toSorted()
    .map((path) => readFileSync(join(fixtures, path), "utf8"));

/** Blocks of pages. Diagrams are left out: each run would start a process for them. */
export const blocks: readonly string[] = [
  ...new Set(
    read("{gallery,sites,mistakes}/**/*.mdx").flatMap((page) =>
      page.replace(/^---[\s\S]*?\n---\n/, "").split(/\n{2,}(?=\S)/),
    ),
  ),
].filter((block) => block.trim() !== "" && block.length < 3000 && !/mermaid/i.test(block));

export const settings: readonly object[] = read("{gallery,sites/*,mistakes/config-*}/docs.json").flatMap((text) => {
  try {
    return [JSON.parse(text) as object];
  } catch {
    return [];
  }
});

export const specs: readonly object[] = read("{gallery,reference,sites}/**/*.{yaml,json}")
  .map((text) => parse(text, { logLevel: "silent" }) as Record<string, unknown>)
  .filter((spec) => spec["openapi"] !== undefined || spec["asyncapi"] !== undefined);
