/** An editor shows what `offprint check` prints, for every file of the sites of `fixtures/mistakes`. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/lib/diagnostic/index.js";
import { openSite } from "../../src/lsp/open-site.js";
import { sampleOf } from "../quality/bundle.js";
import { exportInProcess } from "../support/pool-in-process.js";

const mistakes = join(import.meta.dirname, "../../fixtures/mistakes");
/** Sites with faults in files that `check` writes, or in bytes that an editor has decoded; and an editor shows drafts. */
const others = [
  "link-to-draft",
  "listed-twice",
  "not-utf8",
  "redirect-targets",
  "settings-not-utf8",
  "svg-with-script",
];
const sites = readdirSync(mistakes).filter((name) => !others.includes(name));

const manyPlaces = / (\d+) other places? ha(?:s|ve) the same cause\./;
/** An editor shows each of several places with one cause. */
const countOf = (faults: readonly Diagnostic[]): number =>
  faults.reduce((count, { what }) => count + 1 + Number(manyPlaces.exec(what)?.[1] ?? 0), 0);
const lineOf = ({ code, location, what, fix }: Diagnostic): string =>
  `${location?.sourcePath}:${location?.line}:${location?.column} ${code} ${what.replace(manyPlaces, "")} ${fix}`;

describe("an editor shows what offprint check prints:", () => {
  for (const name of sampleOf(sites, 8))
    test(name, async () => {
      const source = join(mistakes, name);
      const files = readdirSync(source, { recursive: true, encoding: "utf8" });
      const open = files.filter((path) => statSync(join(source, path)).isFile());
      const { diagnostics } = await exportInProcess({ source, output: "memory" });
      const site = await openSite(
        source,
        new Map(open.map((path) => [path, readFileSync(join(source, path), "utf8")])),
      );
      try {
        const faults = await site.faults(open);
        expect(faults.map(lineOf)).toEqual(expect.arrayContaining(diagnostics.map(lineOf)));
        expect(countOf(faults)).toBe(countOf(diagnostics));
      } finally {
        await site.close();
      }
    });
});
