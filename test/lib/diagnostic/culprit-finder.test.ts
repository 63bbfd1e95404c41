import { expect, test } from "vitest";
import { createCulpritFinder } from "../../../src/lib/diagnostic/index.js";

const cases = [
  // the caret is under …             text                                      at      what                         found
  ["the quoted text", '<Card href="/a" />', "1:1", 'The link "/a" is broken.', "1:13+2"],
  ["the first quoted text that is there", "a [b](c)", "1:3", 'In "x" the link "c" is broken.', "1:7+1"],
  ["a text on a later line of the passage", '<Card\n  icon="rokcet">', "1:1", 'There is no icon "rokcet".', "2:9+6"],
  ["a word, not a part of one", "<A ab a />", "1:4", 'No property "a".', "1:7+1"],
  ["the tag", "  <Stpe>", "1:3", "<Stpe> is not a component.", "1:3+6"],
  ["the closing tag", "</Stpe>", "1:1", "It is closed by </Stpe>.", "1:1+7"],
  ["the tag, not the next passage", "<A>\n\nb", "1:1", 'The link "b" is broken.', "1:1+3"],
  ["the word", "a b.c-d e", "1:3", "This is wrong.", "1:3+5"],
  ["the row of signs", "---\na: b", "1:1", "This is wrong.", "1:1+3"],
  ["one sign", "a; b", "1:2", "This is wrong.", "1:2"],
  ["the rest of a text that was cut", "a bcd", "1:1", '"bc…" is wrong.', "1:1+1"],
  ["a text after a lone carriage return", "a\rb /c", "2:1", '"/c" is wrong.', "2:3+2"],
  ["nothing in a file that is too short", "a", "7:3", '"a" is wrong.', "7:3"],
] as const;
for (const [what, text, at, message, found] of cases)
  test(`the caret is under ${what}`, () => {
    const [line, column] = at.split(":").map(Number);
    const location = { sourcePath: "a.mdx", line: line!, column: column! };
    const find = createCulpritFinder(() => text);
    const { location: now } = find({ code: "X", severity: "error", what: message, location, fix: "" });
    const length = now?.length === undefined ? "" : `+${now.length}`;
    expect(`${now?.line}:${now?.column}${length}`).toBe(found);
  });

const entries = [
  // the caret is under …             the entry, in the whole file from ^      what                                  found
  ["the link", '{ "label": "Shop", "href": "/shop" }', '"Shop" links to "/shop", which is missing.', "1:28+7"],
  ["a name", '{ "tabs": [], "groups": [] }', 'It has both "tabs" and "groups".', "1:15+8"],
  ["a text of a list", '["a", "b"]', '"b" is wrong.', "1:7+3"],
  ["the end of a link", '[^{ "href": "/shop#price" }]', 'The link leads to "#price".', "1:12+13"],
  ["all of it if only a value in it has the name", '[^{ "pages": [{ "a": 1 }] }]', 'It has no "a".', "1:2+25"],
  ["all of it if only the next entry has the text", '[^{ "a": 1 }, { "b": 1 }]', '"b" is missing.', "1:2+10"],
  ["its name if it has several lines", '{ "a": ^[\n  1\n] }', "It is wrong.", "1:3+3"],
  ["the first name in it", '[^{\n  "a": 1\n}]', "It is wrong.", "2:3+3"],
  ["no place if the whole file lacks something", '{ "a": 1 }', 'It has no "b".', undefined],
  ["a value that is not an entry", "5", '"5" is wrong.', "1:1+1"],
] as const;
for (const [what, marked, message, found] of entries)
  test(`in an entry of JSON, the caret is under ${what}`, () => {
    const column = marked.indexOf("^") + 1 || 1;
    const { location: now } = createCulpritFinder(() => marked.replace("^", ""))({
      code: "X",
      severity: "error",
      what: message,
      location: { sourcePath: "docs.json", line: 1, column, length: 1 },
      fix: "",
    });
    expect(now?.line && `${now.line}:${now.column}+${now.length}`).toBe(found);
  });

test("a location with a length, or of a file that cannot be read, stays", () => {
  const find = createCulpritFinder(() => {
    throw new Error("gone");
  });
  const fault = { code: "X", severity: "error", what: '"a" is wrong.', fix: "" } as const;
  for (const location of [
    { sourcePath: "a.mdx", line: 1, column: 1, length: 2 },
    { sourcePath: "a.mdx", line: 1, column: 1 },
    { sourcePath: "a.mdx" },
  ])
    expect(find({ ...fault, location }).location).toEqual(location);
});
