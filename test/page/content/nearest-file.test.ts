import { expect, test } from "vitest";
import { createNearestFile } from "../../../src/page/content/modules.js";
import { startCpuTimer } from "../../support/machine-time.js";

const paths = ["guides/install.mdx", "snippets/auth/note.mdx", "snippets/install.mdx", "snippets/notes.jsx"];
const nearest = createNearestFile({ paths });
const cases = [
  // the file meant by …                      path                          is
  ["a name in another folder", "components/note.mdx", "snippets/auth/note.mdx"],
  ["a name in other letters", "snippets/Install.MDX", "guides/install.mdx"],
  ["a misspelt name", "snippets/instal.mdx", "snippets/install.mdx"],
  ["a misspelt name without extension", "snippets/instal", "snippets/install.mdx"],
  ["a misspelt module", "snippets/note.jsx", "snippets/notes.jsx"],
  ["a name like nothing", "snippets/zzzzzzz.mdx", undefined],
] as const;
for (const [what, path, is] of cases) test(`${what} means ${is}`, () => expect(nearest(path)).toBe(is));

test("5,000 mistakes in a site of 50,000 files cost less than a second", () => {
  const many = createNearestFile({
    paths: Array.from({ length: 50_000 }, (_, i) => `pages/some-longer-name-${i}.mdx`),
  });
  // The best of five rounds: other processes on the machine slow some of them.
  const rounds = Array.from({ length: 5 }, (_, round) => {
    const spent = startCpuTimer();
    for (let i = 0; i < 1000; i++) many(`pages/some-longer-nome-${round * 1000 + i}.mdx`);
    return spent();
  });
  expect(5 * Math.min(...rounds)).toBeLessThan(1000);
});
