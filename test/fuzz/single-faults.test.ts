/**
 * A single fault in a page changes at most its own block: the rest reads as in the sound page. Both parsers show the same.
 * `OFFPRINT_FUZZ_SEED` chooses other faults. In a sweep 1,000 faults of real pages are tried, and the table is printed.
 */
import { expect, test } from "vitest";
import { componentDefinitions } from "../../src/page/components/index.js";
import { createContentReader, parseFrontmatter } from "../../src/page/content/index.js";
import { isElement } from "../../src/page/render/index.js";
import { corpusPages } from "../page/content/corpus-pages.js";
import { sweeping } from "../quality/bundle.js";
import { memoryFiles } from "../support/memory-files.js";
import { seeded } from "../support/seeded.js";
import { damage, faultKinds, leavesOf, plantFault } from "./single-faults.js";

const seed = Number(process.env["OFFPRINT_FUZZ_SEED"] ?? 1);
const count = sweeping ? 1000 : 150;
/** A fence that is missing between two without a language cannot always be found. */
const maxMore = count * 0.02;
const faulty = new Set(["MDX_SYNTAX", "MODULE_SYNTAX", "FENCE_UNCLOSED"]);

test("a single fault costs at most its block, never the page", { timeout: 600_000 }, async () => {
  const random = seeded(seed);
  const options = {
    files: memoryFiles({}),
    config: {
      variables: {},
      styling: {
        codeblocks: { mode: "system" as const, theme: { light: "a", dark: "b" }, customLanguages: [] },
      },
    },
    markdownComponents: new Set(componentDefinitions.keys()),
    isElement,
    itemsOf: (name: string) => componentDefinitions.get(name)?.items ?? [],
  };
  const readers = await Promise.all(
    (["satteri", "remark"] as const).map((parser) => createContentReader({ ...options, parser })),
  );
  const [read, readWithReference] = readers.map(
    (reader) => (text: string) => reader.read({ sourcePath: "page.mdx", generated: { text } }),
  );
  const pages = corpusPages().filter(({ sourcePath, source }) => /\.mdx$/.test(sourcePath) && source.length < 30_000);
  const rows = new Map<string, { tried: number; same: number; block: number; more: number }>();
  const lostPages: string[] = [];
  const more: string[] = [];
  const different: string[] = [];
  for (let tried = 0, attempts = 0; tried < count && attempts < count * 20; attempts++) {
    const { corpus, sourcePath, source } = pages[Math.floor(random() * pages.length)]!;
    const sound = read!(source);
    if (!sound.ok || sound.diagnostics.some(({ code }) => faulty.has(code))) continue;
    const kind = faultKinds[tried % faultKinds.length]!;
    const fault = plantFault(source, parseFrontmatter(source, sourcePath).bodyStart, sound, kind, random);
    if (fault === undefined) continue;
    tried++;
    const soundLeaves = leavesOf(sound);
    const page = read!(fault.source);
    const leaves = leavesOf(page);
    const name = `${kind} in ${corpus}/${sourcePath} (${tried})`;
    const row = rows.get(kind) ?? { tried: 0, same: 0, block: 0, more: 0 };
    rows.set(kind, row);
    row.tried++;
    const lost = damage(soundLeaves, leaves, fault.block);
    if (!page.ok) lostPages.push(name);
    if (lost.length > 0) more.push(`${name}: ${lost[0]!.slice(0, 80)}`);
    const isSame = JSON.stringify(soundLeaves.map(({ key }) => key)) === JSON.stringify(leaves.map(({ key }) => key));
    row[lost.length > 0 ? "more" : isSame ? "same" : "block"]++;
    if (tried % 5 === 0) {
      const reference = leavesOf(readWithReference!(fault.source)).map(({ key }) => key);
      if (JSON.stringify(reference) !== JSON.stringify(leaves.map(({ key }) => key))) different.push(name);
    }
  }
  if (sweeping) console.table(Object.fromEntries(rows));
  expect(lostPages).toEqual([]);
  expect(different).toEqual([]);
  if (more.length > maxMore) expect(more).toEqual([]);
});
