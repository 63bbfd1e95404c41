import { expect, test } from "vitest";
import { outline, readPage } from "./read-page.js";

const headings = [
  // a heading …                        source                                        tree
  ["is counted over the page", "## A\n\n# A\n\n<Tab>\n### A\n</Tab>", 'h2#a("A") h1#a-2("A") <Tab>(h3#a-3("A"))'],
  ["avoids an id that exists", "## A\n\n## A 2\n\n## A", 'h2#a("A") h2#a-2("A 2") h2#a-3("A")'],
  ["may have its own id", "## A {#my-id}", 'h2#my-id("A")'],
  ["keeps its own id as typed", "## A {#1. My Id_x}\n\n## B {#é}", 'h2#1. My Id_x("A") h2#é("B")'],
  ["yields to the same id written below it", "## A\n\n## B {#a}", 'h2#a-2("A") h2#a("B")'],
  ["may have escaped braces around it", "## A \\{#x\\}\n\n## B \\{#y}", 'h2#x("A") h2#y("B")'],
  ["may close with signs", "## A {#x} ##", 'h2#x("A")'],
  [
    "takes the text of code and formulas",
    "## The `a.b` of $x$",
    'h2#the-a-b-of-x("The ", inlineCode(a.b), " of ", inlineMath(x))',
  ],
  ["takes the text of elements", "## A <b>c</b>", 'h2#a-c("A ", <b>("c"))'],
  ["without text gets a name", "## ???", 'h2#section("???")'],
  ["keeps {#x} within code", "## `{#x}`\n\n```\n## A {#b}\n```", "h2#x(inlineCode({#x})) code(## A {#b})"],
  ["is allowed in a list", "- ## A {#x}", 'list(listItem(h2#x("A")))'],
] as const;
for (const [rule, source, tree] of headings)
  test(`a heading ${rule}`, async () => expect(outline((await readPage(source)).tree)).toBe(tree));

test("a heading of JSX has an anchor too", async () => {
  const { tree } = await readPage('<h2 id="own">A</h2>\n\n<h2>B c</h2>\n\n## Own');
  expect(tree.children.map((node) => node.data?.id)).toEqual(["own", "b-c", "own-2"]);
});

test("{#id} does not shift positions", async () => {
  const { tree } = await readPage("# A {#x}\n\n*b* {c}");
  expect(tree.children[1]?.position?.start).toEqual({ line: 3, column: 1, offset: 10 });
});
