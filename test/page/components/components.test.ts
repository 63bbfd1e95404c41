/** What each component makes of its properties: a row is a sentence. Drawings are shortened to `<svg>`. */
import { expect, test } from "vitest";
import { raw } from "../../../src/lib/jsx/raw.js";
import type { ComponentItem } from "../../../src/page/components/definition.js";
import { componentDefinitions } from "../../../src/page/components/index.js";
import { element, htmlOf, item, paragraph, render, text } from "./render.js";

const icon = raw("<svg></svg>");
const inside = { href: "../install.html", external: false };
const outside = { href: "https://example.com", external: true };

const html = (...args: Parameters<typeof render>) =>
  htmlOf(render(...args)).replace(/<svg[^>]*>(?:(?!<svg).)*?<\/svg>/g, "<svg>");

type Row = readonly [rule: string, args: Parameters<typeof render>, ...expected: readonly (string | RegExp)[]];

const rows: readonly Row[] = [
  // Accordion, Expandable
  [
    "Accordion is a native disclosure whose title is not a heading",
    ["Accordion", { title: "Why?", id: "why" }, paragraph("Because.")],
    '<details class="accordion" id="why"><summary class="accordion-button" data-component-part="accordion-button">',
    '<span class="accordion-title" data-component-part="accordion-title">Why?</span>',
    '<div class="accordion-content" data-component-part="accordion-content"><p>Because.</p></div></details>',
  ],
  [
    "Accordion starts open with defaultOpen",
    ["Accordion", { title: "Why?", defaultOpen: true }],
    '<details class="accordion" open>',
  ],
  ["Accordion without a title still has a name", ["Accordion", {}, "x"], ">Details</span>"],
  [
    "Accordion shows blocks in its title as words",
    ["Accordion", { title: [paragraph("A"), element("a", "b")] }],
    "><span>A</span><span>b</span></span>",
  ],
  ["AccordionGroup holds accordions", ["AccordionGroup", {}, "x"], '<div class="accordion-group">x</div>'],
  [
    "Expandable without a title speaks of child attributes",
    ["Expandable", {}, "x"],
    '<details class="expandable">',
    ">child attributes</span>",
  ],
  [
    "Expandable leads to the page of a model, and says where the ids of its fields start",
    ["Expandable", { source: "../models/customer.html", prefix: "param-customer:" }, "Customer"],
    '<details class="expandable" data-prefix="param-customer:">',
    '<p><a href="../models/customer.html">Customer</a></p>',
  ],
  ...["javascript:alert(1)", "//example.com/a.html", "/a.html", "https://example.com/a"].map(
    (source): Row => [
      `Expandable has no link to ${source}`,
      ["Expandable", { source, prefix: "param-a:" }, "x"],
      '<details class="expandable">',
      '<div class="expandable-content" data-component-part="expandable-content">x</div>',
    ],
  ),

  // Callouts
  [
    "Note is a note with a label for its kind",
    ["Note", {}, paragraph("Mind.")],
    '<div class="callout" role="note" aria-label="Note" data-callout-type="note">',
    '<div class="callout-content" data-component-part="callout-content"><p>Mind.</p></div>',
  ],
  ...(["Warning", "Info", "Tip", "Check", "Danger"] as const).map(
    (name): Row => [
      `${name} says its kind`,
      [name, {}, "x"],
      `aria-label="${name}" data-callout-type="${name.toLowerCase()}"`,
    ],
  ),
  [
    "Note shows a title",
    ["Note", { title: "Keys" }, "x"],
    '<div class="callout-title" data-component-part="callout-title">Keys</div>x',
  ],
  [
    "Callout takes its kind from type",
    ["Callout", { type: "Warning" }, "x"],
    'aria-label="Warning" data-callout-type="warning"',
  ],
  ["Callout knows other names of a kind", ["Callout", { variant: "error" }, "x"], 'data-callout-type="danger"'],
  [
    "Callout takes a colour as attributes of a drawing, never as a style",
    ["Callout", { color: "#8b5cf6", icon: raw("<svg></svg>") }, "x"],
    'data-callout-type="custom"',
    /^(?!.*style=)/,
  ],
  ["Callout without a kind has no icon", ["Callout", {}, "x"], /^(?!.*callout-icon)/],

  // Cards, columns, tiles
  [
    "Card with a href is one link",
    ["Card", { title: "Install", icon, href: inside }, paragraph("How to.")],
    '<a class="card" href="../install.html"><div class="card-content-container"',
    '<div class="card-title" data-component-part="card-title">Install</div>',
    '<div class="card-content" data-component-part="card-content"><p>How to.</p></div></div></div></a>',
  ],
  [
    "Card to another host opens a tab and shows an arrow",
    ["Card", { title: "A", href: outside }],
    'target="_blank" rel="noopener noreferrer"',
    "card-arrow",
  ],
  [
    "Card hides the arrow with arrow={false}",
    ["Card", { title: "A", href: outside, arrow: false }],
    /^(?!.*card-arrow)/,
  ],
  ["Card opens a tab with newTab", ["Card", { title: "A", href: inside, newTab: true }], 'target="_blank"'],
  ["Card without a href is a box", ["Card", { title: "A" }], /^<div class="card">.*<\/div>$/],
  [
    "Card around links makes its title the link",
    ["Card", { title: "A", href: inside }, element("a", "b")],
    '<div class="card"><div',
    '<a class="stretched-link" href="../install.html">A</a>',
  ],
  [
    "Card sees links in drawn formulas too",
    ["Card", { title: "A", href: inside }, raw('<span class="katex"><a href="#">x</a></span>')],
    '<a class="stretched-link"',
  ],
  [
    "Card around links without a title shows the address",
    ["Card", { href: inside }, element("a", "b")],
    ">../install.html</a>",
  ],
  [
    "Card is not a link if it is disabled",
    ["Card", { title: "A", href: inside, disabled: true }],
    '<div class="card" data-disabled="">',
  ],
  [
    "Card has a decorative picture",
    ["Card", { title: "A", img: { src: "a.png", width: 4, height: 3 } }],
    '<img class="card-image" data-component-part="card-image" src="a.png" alt="" width="4" height="3" loading="lazy">',
  ],
  [
    "Card lies flat with horizontal",
    ["Card", { title: "A", horizontal: true }],
    '<div class="card" data-horizontal="">',
  ],
  [
    "Card ends with a call to action",
    ["Card", { title: "A", cta: "Go" }],
    '<div class="card-cta" data-component-part="card-cta">Go <svg></div>',
  ],
  ["Card takes the look of a callout", ["Card", { title: "A", type: "tip" }], 'data-card-type="tip"'],
  ["Columns has two of them", ["Columns", {}, "x"], '<div class="columns" data-cols="2">x</div>'],
  ["Columns has four at most", ["Columns", { cols: 9 }, "x"], 'data-cols="4"'],
  [
    "CardGroup is Columns by an older name",
    ["CardGroup", { cols: 3 }, "x"],
    '<div class="card-group columns" data-cols="3">x</div>',
  ],
  ["Column is a cell", ["Column", { className: "wide" }, "x"], '<div class="column wide">x</div>'],
  [
    "Tile is a link with a preview",
    ["Tile", { href: outside, title: "A", description: "B" }, icon],
    '<a class="tile" href="https://example.com" target="_blank" rel="noopener noreferrer"><div class="tile-preview"',
    'data-component-part="tile-title">A</div><div class="tile-description" data-component-part="tile-description">B</div></a>',
  ],
  [
    "GitHub.Repo is a link",
    ["GitHub.Repo", { repo: "octo/hello.git" }],
    'href="https://github.com/octo/hello"',
    "octo/</span>hello",
  ],
  [
    "GitHub.Repo takes an address",
    ["GitHub.Repo", { repo: "https://github.com/octo/hello/" }],
    'href="https://github.com/octo/hello"',
  ],
  [
    "GitHub.Repo shows its children if the text is not a repository",
    ["GitHub.Repo", { repo: "javascript:alert(1)" }, "x"],
    /^x$/,
  ],

  // Steps, tabs
  [
    "Steps is a numbered list",
    [
      "Steps",
      {},
      item("Step", { title: "One", id: "one" }, "x"),
      item("Step", { stepNumber: 5 }, "y"),
      item("Step", { icon }, "z"),
    ],
    '<ol class="steps" role="list"><li class="step" id="one"><div class="step-number" data-component-part="step-number" data-number="1" aria-hidden="true"></div>',
    '<p class="step-title" data-component-part="step-title">One</p><div class="step-content" data-component-part="step-content">x</div></div></li>',
    '<li class="step" value="5"><div class="step-number" data-component-part="step-number" data-number="5"',
    '<div class="step-number" data-component-part="step-number" aria-hidden="true"><svg></div>',
  ],
  [
    "Steps hands titleSize to steps that have none",
    [
      "Steps",
      { titleSize: "h2" },
      item("Step", { title: "A", id: "a" }),
      item("Step", { title: "B", titleSize: "h3", noAnchor: true }),
    ],
    '<h2 class="step-title" data-component-part="step-title">A<a class="heading-anchor" href="#a" aria-label="Link to this section: A">',
    '<h3 class="step-title" data-component-part="step-title">B</h3>',
  ],
  ["Steps puts other content before the list", ["Steps", {}, item("Step"), paragraph("x")], /^<p>x<\/p><ol/],
  ["Step alone is not a list item", ["Step", { title: "A" }, "x"], /^<div class="step">.*<\/div>$/],
  [
    "Tabs shows every panel and marks the first",
    ["Tabs", {}, item("Tab", { title: "npm", id: "npm" }, "x"), item("Tab", { id: "tab-2" }, "y")],
    '<div class="tabs" data-tabs="" data-tab-sync="title"><div class="tabs-list" role="tablist" data-component-part="tabs-list">',
    '<button type="button" role="tab" class="tab-button" id="tab::npm" aria-controls="npm" aria-selected="true" tabindex="0" data-active="" data-tab-title="npm" data-component-part="tab-button">npm</button>',
    'aria-controls="tab-2" aria-selected="false" tabindex="-1" data-tab-title="Tab 2"',
    '<div role="tabpanel" class="tab-panel" id="npm" aria-labelledby="tab::npm" tabindex="0" data-active="" data-component-part="tab-content"><p class="tab-title">npm</p>x</div>',
    '<p class="tab-title">Tab 2</p>y</div></div>',
  ],
  [
    "Tabs starts at defaultTabIndex",
    ["Tabs", { defaultTabIndex: 1 }, item("Tab", { title: "a" }), item("Tab", { title: "b" })],
    'aria-selected="true" tabindex="0" data-active="" data-tab-title="b"',
  ],
  [
    "Tabs never starts at a disabled tab",
    ["Tabs", {}, item("Tab", { title: "a", disabled: true }), item("Tab", { title: "b" })],
    'aria-selected="false" aria-disabled="true"',
    'aria-selected="true" tabindex="0" data-active="" data-tab-title="b"',
  ],
  [
    "Tabs stays apart with sync={false}",
    ["Tabs", { sync: false }, item("Tab", { title: "a" })],
    '<div class="tabs" data-tabs=""><div',
  ],
  ["Tabs names a panel without an id", ["Tabs", {}, item("Tab", {}, "x")], 'class="tab-panel" aria-label="Tab 1"'],
  ["Tabs without a tab is its content", ["Tabs", {}, "x"], /^x$/],
  [
    "Tab alone is titled text",
    ["Tab", { title: "A" }, "x"],
    '<div class="tab-alone"><div class="tab-alone-title">A</div>x</div>',
  ],

  // Frame, panel, view, update
  [
    "Frame is a figure with a hint and a caption",
    ["Frame", { hint: "Above", caption: "Below" }, element("img")],
    '<figure class="frame"><div class="frame-hint" data-component-part="frame-hint">Above</div><div class="frame-content" data-component-part="frame-content"><img></div><figcaption class="frame-caption" data-component-part="frame-caption">Below</figcaption></figure>',
  ],
  [
    "Frame lets a video that starts by itself play",
    ["Frame", {}, { type: "element", tagName: "video", properties: { autoPlay: true }, children: [] }],
    "<video loop muted playsinline autoplay>",
  ],
  ["Panel wraps the content of the side column", ["Panel", {}, "x"], '<div class="panel">x</div>'],
  [
    "View is a titled section",
    ["View", { title: "Python", id: "view-python" }, "x"],
    '<section class="view" id="view-python" aria-label="Python" data-view="" data-view-title="Python"><p class="view-title">Python</p>x</section>',
  ],
  [
    "Update is a section named by its heading",
    ["Update", { label: "v1 & more", id: "v1", description: "May", tags: ["API", 'a"b'] }, "x"],
    '<section class="update" id="v1" aria-labelledby="label::v1" data-update-tags="[&quot;API&quot;,&quot;a\\&quot;b&quot;]">',
    '<h2 class="update-label" id="label::v1" data-component-part="update-label"><a href="#v1">v1 &amp; more</a></h2>',
    'data-component-part="update-description">May</div>',
    '<li class="update-tag" data-component-part="update-tag">API</li>',
  ],
  [
    "Update without a label has no heading",
    ["Update", {}, "x"],
    /^<section class="update"><div class="update-header"><\/div>/,
  ],
  ["Visibility shows content for people", ["Visibility", { for: "humans" }, "x"], /^x$/],
  ["Visibility hides content for agents", ["Visibility", { for: "agents" }, "x"], /^$/],
  [
    "Banner announces",
    ["Banner", { type: "critical" }, "x"],
    'role="note" aria-label="Announcement" data-banner-type="critical">x</div>',
  ],

  // Words in a line
  [
    "Badge carries its look as data",
    ["Badge", { color: "green", size: "lg", shape: "pill", stroke: true }, "new"],
    '<span class="badge" data-badge="" data-color="green" data-size="lg" data-shape="pill" data-stroke="">new</span>',
  ],
  [
    "Badge is gray, md and rounded for words it does not know",
    ["Badge", { color: "mauve", size: "9" }, "x"],
    'data-color="gray" data-size="md" data-shape="rounded"',
  ],
  ["Badge takes its colour from an intent", ["Badge", { intent: "success" }, "x"], 'data-color="green"'],
  ["Badge may be a link", ["Badge", { href: inside }, "x"], /^<a class="badge".*<\/a>$/],
  [
    "Tooltip describes a word",
    ["Tooltip", { tip: "Interface", id: "tooltip-x" }, "API"],
    '<button type="button" class="tooltip-trigger" aria-describedby="tooltip-x">API</button><span class="tooltip-content" id="tooltip-x" role="tooltip">',
    '<span class="tooltip-tip" data-component-part="tooltip-tip">Interface</span>',
  ],
  [
    "Tooltip around a link adds no second control",
    ["Tooltip", { tip: "A" }, element("a", "b")],
    '<span class="tooltip-trigger"><a href="#">b</a></span>',
  ],
  [
    "Tooltip with a link in it does not have the role of a tooltip",
    ["Tooltip", { tip: "A", cta: "More", href: inside }, "b"],
    'href="../install.html">More',
    /^(?!.*role=)/,
  ],
  ["Tooltip without a tip is its word", ["Tooltip", {}, "API"], /^API$/],

  // Fields
  [
    "ParamField shows its name as code and its facts as words",
    [
      "ParamField",
      { query: "limit", type: "integer", required: true, default: 0, id: "param-limit" },
      paragraph("At most."),
    ],
    '<div class="field" id="param-limit" data-location="query"><div class="field-header" data-component-part="field-header"><code class="field-name" data-component-part="field-name">limit</code> <span class="field-pill" data-component-part="field-info-pill">integer</span>',
    '<span class="field-pill" data-kind="required" data-component-part="field-required-pill">required</span>',
    "default: <code>0</code>",
    '<div class="field-content" data-component-part="field-content"><p>At most.</p></div>',
  ],
  [
    "ParamField lets the line of a long name break between its words, ten characters apart",
    ["ParamField", { query: "subscriptionIdentifierOfTheCompany" }],
    ">subscription<wbr>Identifier<wbr>OfTheCompany</code>",
  ],
  [
    "ParamField lets a line break after all signs between two words",
    ["ParamField", { query: "companyshipping_addressdetails__countrycodes__contains" }],
    ">companyshipping_<wbr>addressdetails__<wbr>countrycodes__<wbr>contains</code>",
  ],
  [
    "ParamField reads the older form of a place",
    ["ParamField", { path: "query.limit" }],
    'data-location="query"',
    ">limit</code>",
  ],
  [
    "ParamField keeps a dotted name in a path",
    ["ParamField", { path: "user.id" }],
    'data-location="path"',
    ">user.id</code>",
  ],
  ["ParamField is optional in a word", ["ParamField", { body: "a", optional: true }], ">optional</span>"],
  ["ParamField shows data as JSON", ["ParamField", { body: "a", default: { b: [1] } }], '<code>{"b":[1]}</code>'],
  [
    "ParamField leaves a long default to the text",
    ["ParamField", { body: "a", default: "x".repeat(201) }],
    /^(?!.*default)/,
  ],
  [
    "ParamField without a name shows what there is",
    ["ParamField", { type: "string" }, "x"],
    ">string</span>",
    /^(?!.*undefined)/,
  ],
  [
    "ResponseField has words before and after its name",
    ["ResponseField", { name: "id", pre: ["new"], post: ["unique"], readOnly: true, deprecated: true }],
    />new<\/span> <code.*>id<\/code> <span.*field-deprecated-pill">deprecated<\/span>.*>read-only<\/span>.*>unique</,
  ],
  ["ResponseField that is hidden is not there", ["ResponseField", { name: "id", hidden: true }], /^$/],

  // Trees, colours, prompts
  [
    "Tree tells levels and holds the children of closed folders",
    [
      "Tree",
      {},
      render(
        "Tree.Folder",
        { name: "app", defaultOpen: true },
        render("Tree.Folder", { name: "api" }, render("Tree.File", { name: "a.ts", highlight: true })),
      ),
      render("Tree.File", { name: "b.ts" }),
    ],
    '<ul class="tree" role="tree" aria-label="Files" data-tree=""><li class="tree-folder" role="treeitem" aria-expanded="true" aria-level="1" tabindex="0">',
    '<ul class="tree-group" role="group"><li class="tree-folder" role="treeitem" aria-expanded="false" aria-level="2" tabindex="-1">',
    '<li class="tree-file" role="treeitem" data-highlight="" aria-level="3" tabindex="-1">',
    '<li class="tree-file" role="treeitem" aria-level="1" tabindex="-1">',
  ],
  [
    "Tree reads a Markdown list",
    [
      "Tree",
      {},
      element(
        "ul",
        element("li", element("strong", "src"), element("ul", element("li", "a.ts"))),
        element("li", "docs/"),
      ),
    ],
    'role="treeitem" aria-expanded="true" aria-level="1"',
    'role="treeitem" aria-level="2"',
    '<li class="tree-folder" role="treeitem" aria-level="1" tabindex="-1">',
  ],
  ["Tree keeps other content as an entry", ["Tree", {}, paragraph("x")], '<li class="tree-file" role="treeitem"'],
  ["Tree without entries is its content", ["FileTree", {}, "x"], /^x$/],
  [
    "Color.Item shows and copies a colour",
    ["Color.Item", { name: "sea", value: "#0af" }],
    '<button type="button" class="color-item" data-copy="#0af"><span class="color-swatch" data-component-part="color-swatch">',
    '<span class="color-name" data-component-part="color-name">sea</span> <span class="color-value" data-component-part="color-value">#0af</span>',
  ],
  [
    "Color.Item has a colour for each mode",
    ["Color.Item", { value: { light: "#fff", dark: "#000" } }],
    'data-copy="#fff" data-copy-dark="#000"',
    'class="color-value color-dark"',
  ],
  ["Color.Item without a value is none", ["Color.Item", { value: { light: {} } }], 'data-copy="none"'],
  [
    "Color.Row is titled",
    ["Color.Row", { title: "Blue" }, "x"],
    '<div class="color-row-title" data-component-part="color-row-title">Blue</div><div class="color-row-items">x</div>',
  ],
  ["Color is compact unless it is a table", ["Color", {}, "x"], '<div class="color" data-variant="compact">x</div>'],
  [
    "Prompt can be copied and opened",
    ["Prompt", { description: "Write", actions: ["copy", "cursor"] }, paragraph("a & b")],
    'href="https://cursor.com/link/prompt?text=a%20%26%20b"',
    'data-copy="a &amp; b"',
  ],
];

for (const [rule, args, ...expected] of rows)
  test(rule, () => {
    const got = html(...args);
    for (const part of expected)
      if (typeof part === "string") expect(got).toContain(part);
      else expect(got).toMatch(part);
  });

test("a colour that the author chose cannot load anything or end its attribute", () => {
  const hostile = ["url(https://example.com/x)", '"><script>', "red;background:url(x)", "rgb(0 0 0) url(x)"];
  for (const value of hostile) expect(htmlOf(render("Color.Item", { value }))).toContain('fill="none"');
  const tinted = htmlOf(render("Card", { title: "A", icon: raw("<svg></svg>"), color: '"><script>' }));
  expect(tinted).not.toContain("script");
});

test("an icon keeps its colour if both modes can show it, and otherwise gets the nearest readable colour in each", () => {
  const colorOf = (color: string) =>
    /<svg color="([^"]*)"/.exec(htmlOf(render("Card", { title: "A", icon: raw("<svg></svg>"), color })))![1];
  expect(colorOf("#d946ef")).toBe("#d946ef");
  expect(colorOf("var(--brand)")).toBe("var(--brand)");
  expect(colorOf("#ffdd00")).toMatch(/^light-dark\(#(?!ffdd00)\w{6},#ffdd00\)$/);
  expect(colorOf("#0a0a0a")).toMatch(/^light-dark\(#0a0a0a,#(?!0a0a0a)\w{6}\)$/);
});

test("every component renders without properties and content", () => {
  for (const { name } of componentDefinitions.values()) {
    const got = htmlOf(render(name));
    expect(got, name).not.toMatch(/undefined|NaN|\[object|style=|="null"/);
  }
});

test("every component keeps the class that the author wrote", () => {
  const wrapped: Readonly<Record<string, readonly ComponentItem[]>> = {
    Steps: [item("Step", { title: "A" })],
    Tabs: [item("Tab", { title: "A" })],
    CodeGroup: [item("code", { title: "A" })],
    RequestExample: [item("code", { title: "A" })],
    ResponseExample: [item("code", { title: "A" })],
  };
  // page/render handles code, headings, formulas, diagrams and the class of icons.
  const without = new Set(["Visibility", "CodeBlock", "Heading", "Icon", "Latex", "Mermaid"]);
  for (const { name, props } of componentDefinitions.values()) {
    if (without.has(name)) continue;
    const needed = "tip" in props ? { tip: "A" } : "repo" in props ? { repo: "a/b" } : {};
    const content = name === "Tree" || name === "FileTree" ? render("Tree.File", { name: "a" }) : [text("x")];
    expect(htmlOf(render(name, { ...needed, className: "mine" }, ...(wrapped[name] ?? [content]))), name).toMatch(
      /class="[^"]*\bmine"/,
    );
  }
});
