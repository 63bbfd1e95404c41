/** The handbook's page on security names a test for each wall. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
const walls = [
  ...read("fixtures/handbook/inside/security.mdx").matchAll(
    /^\| (?<wall>[^|]+) \| `(?<file>test\/[^`]+)` \| (?<title>[^|]+) \|$/gm,
  ),
].map(({ groups }) => groups as { readonly wall: string; readonly file: string; readonly title: string });

test("the page on security lists its walls", () => expect(walls.length).toBeGreaterThan(20));
for (const { wall, file, title } of walls)
  test(`the wall "${wall}" is held by the test that the page names`, () => {
    const text = read(file);
    // The title stands alone, or ends one that is made for several cases.
    expect(text.includes(`test("${title}", `) || text.includes(` ${title}\`, `)).toBe(true);
  });
