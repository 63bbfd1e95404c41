/** The tree that is written is the tree that an HTML parser reads: nothing is closed, moved or dropped by its rules. */
import { type DefaultTreeAdapterTypes as Dom, parse, parseFragment, serialize } from "parse5";
import { expect, test } from "vitest";
import { renderPage } from "./render-markdown.js";

/** Nesting that a parser would change, were it written as typed. */
const sources = [
  "a <div>b</div> c",
  "<p>a <div>b</div></p>",
  "<p>\n\n- a\n\n</p>",
  "<span>\n\na\n\nb\n\n</span>",
  "**a <div>b <section>c</section></div> d**",
  "[a <a href='/x'>b</a>](/y)",
  "<a href='/x'>\n\n[b](/y)\n\n- [c](/z)\n\n</a>",
  "<button>a <button>b</button></button>",
  "<form><form><input /></form></form>",
  "<h2><h3>a</h3></h2>",
  "<h2>\n## a\n</h2>",
  "<li>a</li>",
  "<ul><li>a<li>b</li></li></ul>",
  "<dl><dt>a</dt><dd>b<dd>c</dd></dd></dl>",
  "<dd>a</dd>",
  "<table><tr><td>a</td></tr></table>",
  "<table>\n  <tr>\n    <td>a</td>\n    b\n  </tr>\n</table>",
  "<table>a<td>b</td><thead><th>c</th></thead></table>",
  "<table><caption>a</caption><colgroup><col /></colgroup><tbody><p>b</p></tbody></table>",
  "<table><tbody><tr><td><table><tr><td>a</td></tr></table></td></tr></tbody></table>",
  "<tr><td>a</td></tr>",
  "<td>a</td>",
  "<thead><tr><th>a</th></tr></thead>",
  "| a | b |\n|-|-|\n| <div>c</div> | <ul><li>d</li></ul> |",
  "<br>a</br><hr>b</hr><img>c</img>",
  "<svg>\n<div>a</div><p>b</p>\n<text>\nc\n</text>\n</svg>",
  "<svg><g><svg><rect /></svg></g><foreignObject><div>a <p>b</p></div></foreignObject></svg>",
  "<svg><title>a</title><desc><b>b</b></desc><image href='/x.png' /></svg>",
  "<math><mi>a</mi><mrow><div>b</div></mrow></math>",
  "<details><summary>\n\na\n\n</summary>\n\nb\n\n</details>",
  "<center>a <nobr>b</nobr></center>",
  "<select><option>a</option><optgroup><option>b</option></optgroup></select>",
  "<select>\n```js\na < b\n```\n<hr /><b>c</b><option><b>d</b><option>e</option></option>\n</select>",
  "<svg>\n```js\na < b\n```\n<font color='red'>c</font><input />d\n</svg>",
  "<math><mi>a</mi><input />b</math>",
  "<option><option>a</option><optgroup><optgroup>b</optgroup></optgroup></option>",
  "<nobr><b><nobr>a</nobr></b></nobr>",
  "<ruby>a<rt>b<rp>c</rp></rt><rtc><rt>d</rt><rb>e</rb></rtc></ruby><rt>f</rt>",
  "<dl><div><dt>a</dt></div><dd>b<div><dd>c</dd></div></dd></dl>",
  "<table><col /><tr><tr><td>a</td></tr><caption>b</caption></tr></table>",
  "<table><colgroup>a<col /><b>c</b></colgroup><thead><tbody><tr><td>d<tr><td>e</td></tr></td></tr></tbody></thead></table>",
  "<textarea>{'\\n<b>'}</textarea>",
  "<pre>{'a < b'}</pre>",
  "<image src='/x.png' />",
  "- a\n\n  <div>b</div>\n- c",
  "> a <blockquote>b</blockquote>",
  "- [ ] <div>a</div>",
  "a[^1] <div>b</div>\n\n[^1]: c <div>d</div>",
  // components
  "a <Note>b</Note> c",
  "<Card href='/x'>[a](/y)</Card>",
  "<Card title='a' href='/x'>\n<Card href='/y'>b</Card>\n</Card>",
  "<Tooltip tip='a [b](/c)'>\n\nd\n\n</Tooltip>",
  "<Accordion title='a'>\n\n| b |\n|-|\n| c |\n\n</Accordion>",
  "<Steps>\na\n<Step title='b'>\n```js\nc\n```\n</Step>\n</Steps>",
  "<Tabs><Tab title='a'><Tabs><Tab title='b'>c</Tab></Tabs></Tab></Tabs>",
  "<Frame caption='[a](/b)'><img src='/c.png' /></Frame>",
  "<Tree><Tree.Folder name='a'><Tree.File name='b' /></Tree.Folder></Tree>",
  "<Update label='a' description='b' tags={['c']}>\n\n- d\n\n</Update>",
  "<ParamField body='a' type='b'><Expandable><ParamField body='c'>d</ParamField></Expandable></ParamField>",
  "<Columns>\n<Column>\na\n</Column>\n<Card>b</Card>\n</Columns>",
  "<Badge>\n- c\n</Badge>",
  "| a |\n|-|\n| <Badge>b</Badge> <Note>c</Note> <Tooltip tip='d'>e</Tooltip> |",
  "## a <Badge>b</Badge> <div>c</div>",
];

/** A tree as text: names and their nesting, white space between blocks and neighbouring texts aside. */
function outline(node: Dom.Node): string {
  if (node.nodeName === "#text") return (node as Dom.TextNode).value.trim() === "" ? "" : "T";
  if (!("childNodes" in node)) return "";
  const inner = node.childNodes.map(outline).join("").replace(/T+/g, "T");
  return "tagName" in node ? `<${node.tagName}>${inner}</>` : inner;
}

/** The same of HTML as written, tag by tag, without any of a parser's rules. */
function writtenOutline(html: string): string {
  const voids = /^(?:area|br|col|embed|hr|img|input|link|param|source|track|wbr)$/;
  let out = "";
  for (const [, close, name, attributes, text] of html.matchAll(
    /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|[^">])*)>|([^<]+)/g,
  )) {
    if (text !== undefined) out += text.trim() === "" ? "" : "T";
    else if (close) out += "</>";
    else out += `<${name}>${voids.test(name!) || attributes!.endsWith("/") ? "</>" : ""}`;
  }
  return out.replace(/T+/g, "T");
}

for (const source of sources)
  test(source, async () => {
    const { html } = await renderPage(source, { staticFiles: ["x.png", "c.png"] });
    const body = parse(`<!doctype html><body>${html}`).childNodes.at(-1) as Dom.Element;
    const read = outline(body.childNodes.at(-1) as Dom.Element);
    expect(read).toBe(`<body>${writtenOutline(html)}</>`);
    // What a parser writes back it reads the same again.
    const again = serialize(parseFragment(html));
    expect(serialize(parseFragment(again))).toBe(again);
  });
