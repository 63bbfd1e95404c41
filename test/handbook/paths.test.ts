import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const pages = [
  "README.md",
  ...["how-to-add", "add-commands-and-formats", "long-tests", "way-of-the-data"].map(
    (name) => `fixtures/handbook/inside/${name}.mdx`,
  ),
];
const named = pages.flatMap((page) =>
  [...readFileSync(inProject(page), "utf8").matchAll(/`((?:src|test|fixtures|scripts|bench)\/[^\s`*]+)`/g)].map(
    ({ 1: path }) => [page, path!] as const,
  ),
);

test("the pages for contributors name files of the source", () => expect(named.length).toBeGreaterThan(20));

for (const [page, path] of named)
  test(`${path}, which ${page} names, exists`, () => assert.ok(existsSync(inProject(path))));

test("the links of the README lead to files", () => {
  const links = [...readFileSync(inProject("README.md"), "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
    ([, path]) => path!,
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((path) => !existsSync(inProject(path)))).toEqual([]);
});

test("the README is short, begins with what works in a clone, and warns of the name on npm before it uses it", () => {
  const text = readFileSync(inProject("README.md"), "utf8");
  expect(text.split("\n").length).toBeLessThanOrEqual(111);
  expect(text.match(/!\[/g)).toHaveLength(1);
  expect(text.match(/^\|(?:-|--+:?)[-:|]*\|$/gm)).toHaveLength(2);
  expect(/```bash\n(.*?)```/s.exec(text)![1]).toMatch(/^npm ci && npm run demo .*\nnpm test /);
  expect(text.match(/npx offprint/g)).toHaveLength(1);
  expect(text).toMatch(
    /Once released, it is one command: `npx offprint export \.\/docs`\. Until\nthen do not run that/,
  );
});
