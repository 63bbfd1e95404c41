import { expect, test } from "vitest";
import { scanDocument } from "../../../src/page/check/scan-document.js";

const link = (attribute: string, value: string) => ({ attribute, value });
const href = (value: string) => link("href", value);

const cases: readonly (readonly [rule: string, html: string, ids: readonly string[], links: readonly object[]])[] = [
  // scanDocument …
  ["finds ids and links in order", '<p id="a"><a href="b.html" id="c">x</a></p>', ["a", "c"], [href("b.html")]],
  ["takes the old name of an anchor for an id", '<a name="here"></a><input name="no">', ["here"], []],
  [
    "reads single quotes, none, and blanks around =",
    "<a href='x'></a><a href=y></a><a href = \"z\"></a>",
    [],
    [href("x"), href("y"), href("z")],
  ],
  ["ends an unquoted value at the tag's end", "<a href=x>t</a><p id=q>", ["q"], [href("x")]],
  ["keeps an empty value", '<a href="" id=""></a><b id="x">', ["", "x"], [href("")]],
  [
    "is not misled by attributes without value",
    '<input disabled id="a" checked><details open><i id="b">',
    ["a", "b"],
    [],
  ],
  ["is not misled by > in a value", '<a title="a > b" href="x">', [], [href("x")]],
  ["is not misled by < in text", "<p>1 < 2 <3 <- <a href=x>", [], [href("x")]],
  ["skips comments and the doctype", '<!doctype html><!-- <a href="x"> > --><a href="y">', [], [href("y")]],
  [
    "skips scripts, styles and other text",
    '<script src="s.js">"<a href=x>"</script><style><a href=x></style><title><a href=x></title><b id="z">',
    ["z"],
    [link("src", "s.js")],
  ],
  ["reads the content of a noscript", '<noscript><link rel="stylesheet" href="n.css"></noscript>', [], [href("n.css")]],
  ["decodes references", '<a href="a?b&amp;c&#x27;&#39;&quot;" id="&lt;&nope;">', ["<&nope;"], [href("a?b&c''\"")]],
  [
    "gives every address of a srcset",
    '<img src="a.png" srcset="b.png 1x, c.png 2x">',
    [],
    [link("src", "a.png"), link("srcset", "b.png"), link("srcset", "c.png")],
  ],
  [
    "reads posters, objects and SVG links",
    '<video poster="p.png"></video><object data="o.svg"></object><use xlink:href="#i"/><p data="no">',
    [],
    [link("poster", "p.png"), link("data", "o.svg"), href("#i")],
  ],
  ["does not take data-href for href", '<div data-href="x" data-id="y" data-src="z">', [], []],
  ["survives a document that breaks off in a tag", '<p id="a"><a href="b', ["a"], []],
  ["survives a document that breaks off in a comment", '<p id="a"><!-- <p id="b">', ["a"], []],
  ["survives a document that breaks off in a script", '<p id="a"><script><p id="b">', ["a"], []],
  ["survives a lone <", "<", [], []],
];
for (const [rule, html, ids, links] of cases)
  test(`scanDocument ${rule}`, () => expect(scanDocument([html])).toEqual({ ids, links }));

test("scanDocument reads parts as if they were joined", () =>
  expect(scanDocument(['<p id="a">', '<a href="b">', "</a></p>"])).toEqual({ ids: ["a"], links: [href("b")] }));
