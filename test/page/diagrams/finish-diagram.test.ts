import assert from "node:assert/strict";
import { test } from "vitest";
import { finishDiagram } from "../../../src/page/diagrams/finish-diagram.js";
import { placeholderOf } from "../../../src/page/diagrams/placeholder-colors.js";
import { withinCpu } from "../../support/machine-time.js";

const svgOf = (inner: string, root = ""): string => `<svg id="x" viewBox="0 0 100 50" ${root}>${inner}</svg>`;
const finish = (inner: string, root = "", source = "") => finishDiagram(svgOf(inner, root), "dabc", source);

const dropped = [
  ["scripts", "<script>alert(1)</script>"],
  ["embedded HTML", '<foreignObject><img src="x" onerror="alert(1)"></img></foreignObject>'],
  ["pictures", '<image href="https://example.com/a.png"></image>'],
  ["animations", '<animate attributeName="href" values="javascript:alert(1)"></animate>'],
  ["parts of other files", '<use href="other.svg#a"></use>'],
  ["embedded documents", '<iframe src="https://example.com"></iframe>'],
] as const;
for (const [what, inner] of dropped) {
  test(`${what} are removed from a diagram`, () => {
    const { svg, css } = finish(`<rect width="5" height="5"></rect>${inner}`);
    assert.match(
      svg,
      /^<svg viewBox="0 0 100 50" class="dabc" width="100" height="50" role="img" [^>]*><rect [^<>]*\/><\/svg>$/,
    );
    assert.equal(css, "");
  });
}

const attributes = [
  ["event handlers", 'onclick="alert(1)"', /onclick|alert/],
  ["style attributes", 'style="position:fixed"', /style|position/],
  ["addresses in colours", 'fill="url(https://example.com/a)"', /example/],
  ["addresses in markers", 'marker-end="url(//example.com/#a)"', /example/],
  ["names of other namespaces", 'xlink:href="javascript:alert(1)"', /javascript/],
] as const;
for (const [what, attribute, pattern] of attributes) {
  test(`${what} are removed from a diagram`, () => {
    const { svg, css } = finish(`<path d="M0 0" ${attribute}></path>`);
    assert.match(svg, /<path d="M0 0"/);
    assert.doesNotMatch(svg + css, pattern);
  });
}

test("a link to another host is kept, any other becomes plain text", () => {
  const { svg } = finish(
    '<a xlink:href="https://example.com/a?b"><text>one</text></a><a href="javascript:alert(1)"><text>two</text></a>',
  );
  assert.match(svg, /<a href="https:\/\/example.com\/a\?b" target="_blank" rel="noopener noreferrer"><text>one/);
  assert.match(svg, /<g><text>two/);
});

test("inline styles move to the sheet under the diagram's class, without anything that could load", () => {
  const { svg, css } = finish(
    '<path class="a" d="M0 0" style="fill:#f00 !important;background:url(x);stroke:url(//e.com);stroke-width:2;behavior:x"></path>',
  );
  assert.match(svg, /<path class="s0" d="M0 0"\/>/);
  assert.equal(css, ".dabc .s0{fill:#f00!important;stroke-width:2!important}\n");
});

test("only plain rules under the diagram's id that match something are kept", () => {
  const { css } = finish(
    "<style>#x .a{fill:#123456;position:fixed}@import url(//e.com/a.css);#x .unused{fill:red}body{display:none}" +
      "#x .a:hover{fill:red}@font-face{src:url(//e.com)}#x .a{fill:expression(1)}#x .a}x{fill:red}" +
      '#x .a, body{stroke:red}</style><path class="a" d="M0 0"></path>',
  );
  assert.equal(css, ".dabc .a{fill:#123456}\n.dabc .a{stroke:red}\n");
});

test("placeholder colours and their shades become custom properties", () => {
  const node = placeholderOf("node");
  const rgb = `${Number.parseInt(node.slice(1, 3), 16)}, ${Number.parseInt(node.slice(3, 5), 16)}, ${Number.parseInt(node.slice(5), 16)}`;
  const { svg, css } = finish(`<path d="M0 0" fill="${node}" style="stroke: rgba(${rgb}, 0.5)"></path>`);
  assert.match(svg, /fill="var\(--diagram-node\)"/);
  assert.match(css, /stroke:color-mix\(in srgb, var\(--diagram-node\) 50%, transparent\)/);
});

test("referenced ids get the diagram's prefix, the others are removed", () => {
  const { svg } = finish(
    '<marker id="x_head"><path d="M0 0"></path></marker><marker id="x_unused"></marker><path id="x-edge" d="M0 0" marker-end="url(#x_head)"></path>',
  );
  assert.deepEqual(svg.match(/id="[^"]*"|url\([^)]*\)/g), ['id="dabc-head"', "url(#dabc-head)"]);
});

const grounds = [
  // text on a node …           fill       colour     becomes
  ["in pale colours is dark", "#ffeecc", undefined, "#14161a"],
  ["in deep colours is white", "#1e3a8a", undefined, "#ffffff"],
  ["of low contrast changes", "#0000ff", "#0000aa", "#ffffff"],
  ["of high contrast stays", "#ffffff", "#aa0000", "#aa0000"],
] as const;
for (const [rule, fill, color, becomes] of grounds) {
  test(`text on a node ${rule}`, () => {
    const style = color === undefined ? "" : ` style="fill:${color} !important"`;
    const { svg, css } = finish(
      `<g class="node"><rect width="9" height="9" style="fill:${fill} !important"></rect><g class="label"><text${style}>a</text></g></g>`,
    );
    const name = /<text class="(s\d)"/.exec(svg)?.[1];
    assert.ok(css.includes(`.dabc .${name}{fill:${becomes}!important}`), css);
  });
}

test("black text without a fill of its own follows the theme", () => {
  const { svg } = finish('<g class="node"><text style="fill:#000">a</text></g>');
  assert.match(svg, /<text>a/);
});

const labels = [
  // a diagram is labelled by …               source                                          SVG                         label
  ["its kind and words", "A-->B", "<text>One</text><text>Two</text>", "Flowchart: One, Two"],
  ["its kind", "A-->B", "", "Flowchart"],
  ["the title for screen readers", "pie title Seen", "<title>Sign &amp; in</title>", "Sign &amp; in"],
  ["its title and description", "", "<title>Sign in</title><desc>By mail</desc>", "Sign in. By mail"],
  ["its kind and description", "", "<desc>By mail</desc>", "Flowchart: By mail"],
  ["the title in its front matter", '---\nconfig: x\ntitle: "Sign in"\n---\nflowchart LR\n A-->B', "", "Sign in"],
  ["the title after its type", "%%{init: {}}%%\npie showData title Pets &amp; co\n", "", "Pets &amp;amp; co"],
  ["the title in its first lines", "sequenceDiagram\n  title: Log in\n  A->>B: hi", "", "Log in"],
  ["a title without its markup", "gantt\n title Sign<br/>in <b>now</b>", "", "Sign in now"],
  ["a quoted title", 'xychart-beta\n  title "Sales"\n', "", "Sales"],
  ["no node that is called title", "flowchart LR\n  title --> B", "", "Flowchart"],
] as const;
for (const [rule, source, inner, label] of labels)
  test(`a diagram is labelled by ${rule}`, () => {
    const { svg } = finish(inner, 'aria-roledescription="flowchart-v2"', source);
    assert.equal(/ aria-label="([^"]*)"/.exec(svg)?.[1], label);
  });

test("a title is found in time linear in the length of the text", async () => {
  await withinCpu(1500, () => {
    for (const part of ["---\n", "---\n title:", "\n\t", "pie ", "title ", "title:\t", " ", "title <"])
      for (const head of ["", "---\n", "pie "]) finish("", "", head + part.repeat(50_000));
  });
});

test("a diagram is not wider than its column", () => {
  const wide = '<svg id="x" viewBox="0 0 3000 50"><path d="M0 0"></path></svg>';
  assert.equal(finishDiagram(wide, "dabc", "").css, "");
});

const broken = [
  ["not SVG", "<p>hello</p>"],
  ["not closed", '<svg id="x" viewBox="0 0 1 1"><g></svg>'],
  ["written with unquoted attributes", "<svg id=x></svg>"],
  ["nested too deeply", svgOf("<g>".repeat(5000) + "</g>".repeat(5000))],
  ["without a size", '<svg id="x" width="100%"><path d="M0 0"></path></svg>'],
] as const;
for (const [what, text] of broken) {
  test(`a diagram that is ${what} is refused`, () => assert.throws(() => finishDiagram(text, "dabc", ""), SyntaxError));
}
