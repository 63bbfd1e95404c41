/**
 * The examples of the guides for moving from another tool: the blocks of the tool are converted, and give the blocks of Offprint.
 * UPDATE_GOLDEN=1 writes what the conversion gives into the guides.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { convertSite } from "../../src/convert/index.js";
import { temporaryFolder, writeSite } from "../support/cli.js";

const folder = join(import.meta.dirname, "../../fixtures/handbook/guides/move");
/** The title of a block names its tool and its file: ```md Docusaurus: docs/install.md */
const block = /^(`{3,})([\w-]+) ([A-Za-z]+): (\S+)\n(.*?)^\1$/gms;

for (const name of readdirSync(folder))
  test(`the examples of ${name} match the conversion of the site in them`, async () => {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const blocks = [...text.matchAll(block)].map(([, , , tool, file, code]) => ({ tool, file: file!, code: code! }));
    const before = blocks.filter(({ tool }) => tool !== "Offprint");
    expect(before.length).toBeGreaterThan(0);
    expect(blocks.length).toBeGreaterThan(before.length);
    const source = writeSite(temporaryFolder(), {
      "docs.json": "{}",
      ...Object.fromEntries(before.map(({ file, code }) => [file, code])),
    });
    const { conversion } = await convertSite(source, { fallback: "Acme" });
    expect(conversion!.tool.toLowerCase()).toBe(name.replace(".mdx", ""));
    expect(conversion!.notes.filter(({ kind }) => kind !== "component" && kind !== "hint")).toEqual([]);
    const actual = text.replace(block, (whole, fence: string, language: string, tool: string, file: string) => {
      if (tool !== "Offprint") return whole;
      const written = conversion!.files.get(file);
      expect(typeof written, `${file} of ${[...conversion!.files.keys()].join(", ")}`).toBe("string");
      return `${fence}${language} ${tool}: ${file}\n${String(written)}${fence}`;
    });
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, actual);
    else expect(text, "Write it with UPDATE_GOLDEN=1.").toBe(actual);
  });
