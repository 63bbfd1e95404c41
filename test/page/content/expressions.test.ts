import { expect, test } from "vitest";
import { faults, outline, readPage } from "./read-page.js";

const shows = [
  // an expression …                          source                                            tree
  ["shows a literal", "a {1} {'b'} {`c`} {true} {null}", 'p("a ", "1", " ", "b", " ", "c", " ", " ")'],
  ["shows an exported constant", 'export const x = "v"\n\na {x}', 'p("a ", "v")'],
  ["sees exports below it", "a {x}\n\nexport const x = 1", 'p("a ", "1")'],
  ["reads members", "export const o = {a: {b: [1, 'z']}}\n\n_ {o.a.b[1]} {o['a'].b.length}", 'p("_ ", "z", " ", "2")'],
  ["stops at ?.", "export const o = {}\n\n_ {o?.a?.b.c}", 'p("_ ")'],
  ["takes a branch", "export const n = 2\n\n_ {n > 1 ? 'many' : 'one'}", 'p("_ ", "many")'],
  ["evaluates || with an undefined name", "_ {props.label || 'x'}", 'p("_ ", "x")'],
  ["takes ?? of an absent member", "export const o = {}\n\n_ {o.a ?? 'x'}", 'p("_ ", "x")'],
  ["fills templates", "export const n = 'N'\n\n_ {`a${n}b${1 + 1}`}", 'p("_ ", "aNb2")'],
  ["leaves out missing values in text", "export const o = {}\n\n_ {`a${o.x}b`} {'c' + o.x}", 'p("_ ", "ab", " ", "c")'],
  ["computes", "_ {2 * 3 + 4 / 2 - 1 % 2} {2 ** 3} {-1} {!0}", 'p("_ ", "7", " ", "8", " ", "-1", " ")'],
  ["compares", "_ {1 === 1 && 'a'} {'1' == 1 && 'b'} {null == undefined && 'c'}", 'p("_ ", "a", " ", "b", " ", "c")'],
  [
    "spreads data",
    "export const a = [1]\nexport const o = {p: 2}\n\n_ {[...a, 3]} {({...o}).p}",
    'p("_ ", "1", "3", " ", "2")',
  ],
  ["shows nothing for comments", "a {/* x */} b {} c", 'p("a ", " b ", " c")'],
  ["shows nothing for a comment whose stars a formatter changed", "a {/_ x: y _/ && null} b", 'p("a ", " b")'],
  ["alone on a line gets a paragraph", "export const x = 'v'\n\n{x}", 'p("v")'],
  ["alone in an element gets no paragraph", "export const x = 'v'\n\n<div>\n{x}\n</div>", '<div>("v")'],
  ["knows a logged-out user", "_ {user.firstName ?? 'friend'}", 'p("_ ", "friend")'],
  ["shows JSX", "_ {true && <b id='x'>y</b>}", 'p("_ ", <b id="x">("y"))'],
  [
    "calls methods of a text",
    "export const Id = ({of}) => <b id={of.toLowerCase().replace(/[^a-z]+/g, '-')}>{of.trim()}</b>\n\n_ <Id of='A. B' /> {'a.b.c'.replaceAll('.', '/')} {'a b c'.replace(' ', '+')}",
    'p("_ ", <b id="a-b">("A. B"), " ", "a/b/c", " ", "a+b c")',
  ],
  ["reads require of a file", "<img src={require('./a.png')} />", '<img src="./a.png">'],
  [
    "destructures exports",
    "export const {a, b: [c], ...d} = {a: 1, b: [2], e: 3}\n\n_ {a}{c}{d.e}",
    'p("_ ", "1", "2", "3")',
  ],
] as const;
for (const [rule, source, tree] of shows)
  test(`an expression ${rule}`, async () => {
    const page = await readPage(source);
    expect(outline(page.tree)).toBe(tree);
    expect(faults(page)).toEqual([]);
  });

const asTyped = [
  // shown as typed: …              source               tree                        fault
  ["an undefined name", "a {id} b", 'p("a ", "{id}", " b")', "UNDEFINED_NAME 1:3"],
  ["a line that is only that", "{yourDomain}", 'p("{yourDomain}")', "UNDEFINED_NAME 1:1"],
  ["a member of an undefined name", "a { id.x }", 'p("a ", "{ id.x }")', "UNDEFINED_NAME 1:3"],
  ["words joined by a minus", "a {api-id}", 'p("a ", "{api-id}")', "UNDEFINED_NAME 1:3"],
  ["alternatives", "a {4|5|6}", 'p("a ", "{4|5|6}")', "EXPRESSION_AS_TEXT 1:3"],
  ["a range", "a {1,15}", 'p("a ", "{1,15}")', "EXPRESSION_AS_TEXT 1:3"],
  ["an object", "a {{b: 1}}", 'p("a ", "{{b: 1}}")', "EXPRESSION_AS_TEXT 1:3"],
  ["a number that is none", "a {0/0}", 'p("a ", "{0/0}")', "EXPRESSION_AS_TEXT 1:3"],
  ["a regular expression", "a {/x/}", 'p("a ", "{/x/}")', "EXPRESSION_AS_TEXT 1:3"],
  ["a constant that needs itself", "export const a = b\nexport const b = a\n\n{a}", 'p("{a}")', "UNDEFINED_NAME 4:1"],
] as const;
for (const [what, source, tree, fault] of asTyped)
  test(`shown as typed: ${what}`, async () => {
    const page = await readPage(source);
    expect(outline(page.tree)).toBe(tree);
    expect(faults(page)).toEqual([fault]);
  });

test("a handler of a built-in component is left out with a warning at its location, and so are its other values that need JavaScript", async () => {
  const page = await readPage(
    "<Card title='a' rows={callbacks()}\n  onClick={async () => {}} b={undefinedName}>\n</Card>",
  );
  expect(outline(page.tree)).toBe('<Card title="a">');
  expect(faults(page)).toEqual(["UNDEFINED_NAME 2:28", "NEEDS_JAVASCRIPT 1:17", "NEEDS_JAVASCRIPT 2:3"]);
});
