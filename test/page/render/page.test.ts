/** What render gives the rest of the site about a page. */
import { describe, expect, test } from "vitest";
import type { PageContent } from "../../../src/page/content/page-content.js";
import { createCode } from "../../../src/page/highlight/create-code.js";
import { createIcons } from "../../../src/page/icons/create-icons.js";
import type { SiteFiles } from "../../../src/site/source/site-files.js";
import { contentOf, plainPorts, planOf, rendererOf, renderPage } from "./render-markdown.js";

const toc = async (source: string) => (await renderPage(source)).toc;

describe("outline", () => {
  test("the outline has headings of levels 2 to 4, and those of level 1 at level 2", async () =>
    expect(await toc("# A\n## B *c*\n### D\n#### E\n##### F")).toEqual([
      { id: "a", depth: 2, text: "A" },
      { id: "b-c", depth: 2, text: "B c" },
      { id: "d", depth: 3, text: "D" },
      { id: "e", depth: 4, text: "E" },
    ]));
  test("the outline has headings in tabs and titles of steps that are headings", async () =>
    expect(
      await toc(
        '<Tabs><Tab title="T">\n## A\n</Tab></Tabs>\n<Steps titleSize="h3"><Step title="B">x</Step></Steps>\n\n<Steps><Step title="C">x</Step></Steps>',
      ),
    ).toEqual([
      { id: "a", depth: 2, text: "A" },
      { id: "b", depth: 3, text: "B" },
    ]));
  test("the outline has an entry for each update, but not for the headings in it", async () =>
    expect(await toc('<Update label="May 2026">\n## Fixes\n</Update>')).toEqual([
      { id: "may-2026", depth: 2, text: "May 2026" },
    ]));
  test("the outline names the view that contains an entry", async () =>
    expect(await toc('<View title="Web">\n## A\n</View>\n\n## B')).toEqual([
      { id: "a", depth: 2, text: "A", view: "view-web" },
      { id: "b", depth: 2, text: "B" },
    ]));
  test("the outline leaves out JSX headings in components", async () =>
    expect(await toc("<Card>\n<h2>A</h2>\n</Card>")).toEqual([]));
  test("the outline leaves out content for agents", async () =>
    expect(await toc('<Visibility for="agents">\n## A\n</Visibility>')).toEqual([]));
});

describe("ids", () => {
  test("ids made from text give way to headings and to ids that the author chose", async () => {
    const { html } = await renderPage(
      '<Accordion title="Setup">a</Accordion>\n\n<Accordion title="Own">b</Accordion>\n\n<div id="own" />\n\n## Setup',
    );
    expect([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual(["setup-2", "own-2", "own", "setup"]);
  });
  test("duplicate ids are numbered", async () => {
    const { html } = await renderPage('<i id="a" /><b id="a" /><u id="a" />');
    expect([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual(["a", "a-2", "a-3"]);
  });
  test("ids of nested disclosures are joined", async () => {
    const { html } = await renderPage(
      '<Accordion title="What\'s new?"><Accordion title="In it">a</Accordion></Accordion>',
    );
    expect(html).toContain('id="whats-new:in-it"');
  });
});

describe("what it reports", () => {
  const codes = async (source: string) =>
    (await renderPage(source)).diagnostics.map(({ code, location, fix }) => [
      code,
      location?.line,
      location?.column,
      fix,
    ]);

  test("broken links, missing images and unknown names are reported with their locations", async () =>
    expect(
      await codes('\n[a](/guides/instal)\n![b](/c.png)\n\n<Wraning>d</Wraning>\n\n  <Card title="e" href="/f" />'),
    ).toEqual([
      ["LINK_NOT_FOUND", 2, 1, 'write "/guides/install".'],
      ["IMAGE_NOT_FOUND", 3, 1, "add the file, or correct the path."],
      ["UNKNOWN_COMPONENT", 5, 1, "write <Warning>."],
      ["LINK_NOT_FOUND", 7, 3, "correct the path, or add the page f.mdx."],
    ]));
  test("a missing file is reported as a file, and a missing page as a page", async () =>
    expect(await codes("[a](/files/x.pdf) [b](/x.html) [c](/v1.2) [d](./y.mdx)")).toEqual([
      ["LINK_NOT_FOUND", 1, 1, "correct the path, or add the file."],
      ["LINK_NOT_FOUND", 1, 19, "correct the path, or add the page x.mdx."],
      ["LINK_NOT_FOUND", 1, 32, "correct the path, or add the page v1.2.mdx."],
      ["LINK_NOT_FOUND", 1, 43, "correct the path, or add the page guides/y.mdx."],
    ]));
  test("cells after the last column are reported once per table", async () =>
    expect(await codes("|a|\n|-|\n|b|c|\n|d|e|f|\n\n|a|b|\n|-|-|\n|1|\n|1|2|")).toEqual([
      ["TABLE_ROW_TOO_LONG", 3, 3, "write \\| for a literal |, or add cells to the header row."],
    ]));
  test("cells after the last column are shown without a heading, unless there are many", async () => {
    const { html } = await renderPage("|a|\n|-|\n|b|c|\n|d|\n");
    expect(html).toMatch(/<th[^>]*>a<\/th><td[^>]*><\/td>.*<td[^>]*>b<\/td><td[^>]*>c<\/td>.*d<\/td><td[^>]*><\/td>/s);
    const { html: many } = await renderPage(`|a|\n|-|\n|b|${"c|".repeat(20)}\n`);
    expect(many).not.toContain(">c<");
  });
  test("code with a bar in it is one cell if the row has too many, and reported", async () => {
    const source =
      "|a|b|\n|-|-|\n| x | `e | u` |\n| y | `e | u` after |\n|z|use `a||b`|\n| w | ``c | d | e`` |\n" +
      "| u | `f || g` (or `h i`), and `j | k` |\n| `v | 1 |\n\n";
    const { html, diagnostics } = await renderPage(source);
    const codes = [...html.matchAll(/<code>(.*?)<\/code>/g)].map(([, code]) => code);
    expect(codes).toEqual(["e | u", "e | u", "a||b", "c | d | e", "f || g", "h i", "j | k"]);
    expect(html).toContain("use <code>");
    expect(html).toContain("</code> (or <code>");
    expect(diagnostics.map(({ code, what }) => [code, what])).toEqual([
      [
        "TABLE_ROW_TOO_LONG",
        "The row has 3 cells, but its table has 2 columns; a | split a cell, which is shown as one cell again.",
      ],
    ]);
  });
  test("a repeated mistake is reported once", async () =>
    expect((await codes("[a](/x) [b](/x)\n\n[c](/x)")).length).toBe(1));
  test("names with different case are reported", async () =>
    expect(await codes("<INfo>a</INfo>")).toEqual([["UNKNOWN_COMPONENT", 1, 1, "write <Info>."]]));
  test("inner HTML that is not in React's form is left out and reported", async () =>
    expect(await codes("<div dangerouslySetInnerHTML='<b>x</b>' />")).toEqual([
      ["ATTRIBUTE_DROPPED", 1, 1, "write the content between the tags."],
    ]));
  test("handlers, documents in attributes and unsafe forms are left out and reported, each name once", async () => {
    const source = `<a onClick="x()">a</a> <b onClick="y()">b</b>\n\n<p onmouseover="z()">c</p>\n\n<iframe srcdoc="<p>d</p>" />`;
    const { html, diagnostics } = await renderPage(source);
    expect(
      diagnostics.map(({ code, location, what }) => [
        code,
        location?.line,
        location?.column,
        what.split(" ", 3).join(" "),
      ]),
    ).toEqual([
      ["ATTRIBUTE_DROPPED", 1, 1, '"onClick" of <a>'],
      ["ATTRIBUTE_DROPPED", 3, 1, '"onmouseover" of <p>'],
      ["ATTRIBUTE_DROPPED", 5, 1, '"srcdoc" of <iframe>'],
    ]);
    expect(html).not.toMatch(/x\(\)|y\(\)|z\(\)|srcdoc/);
  });
  test("misplaced elements are left out and reported, and load nothing", async () => {
    const source = `<link rel="preconnect" href="https://a.b" />\n\n<meta name="x" />\n\n<style>{"a { behavior: url(x.htc) }"}</style>`;
    const { html, external, diagnostics } = await renderPage(source);
    expect(diagnostics.map(({ code, location }) => [code, location?.line])).toEqual([
      ["ELEMENT_DROPPED", 1],
      ["ELEMENT_DROPPED", 3],
      ["ELEMENT_DROPPED", 5],
    ]);
    expect([html, external]).toEqual(["", []]);
  });
  test("addresses and styles that could run code are reported", async () =>
    expect(
      await codes(
        '<form action="javascript:a()" />\n\n<i style="behavior: url(a.htc)">a</i>\n\n<i style="color: red">b</i>',
      ),
    ).toEqual([
      ["UNSAFE_ADDRESS", 1, 1, "link to a page, a file of the site or an https:// URL."],
      ["ATTRIBUTE_DROPPED", 3, 1, "remove everything that is not a plain CSS declaration."],
    ]));
  test("unknown languages and icons of code are reported, each once", async () => {
    const style = {
      mode: "system",
      theme: { light: "github-light-default", dark: "dark-plus" },
      customLanguages: [],
    } as const;
    const code = createCode({
      style,
      files: {} as SiteFiles,
      locationOfGrammar: () => ({ sourcePath: "docs.json" }),
      version: "test",
    });
    const renderer = await rendererOf({}, { code, icons: createIcons({ library: "fontawesome" }) });
    const fence = (info: string) => `\`\`\`${info}\nx\n\`\`\`\n`;
    const source = ["klingon", "klingon", "js a.js icon=zzzz", "js b.js icon=zzzz", "js c.js icon=/d.svg"]
      .map(fence)
      .join("\n");
    const { diagnostics } = await renderer.render(planOf("a.mdx"), contentOf(source));
    expect(diagnostics.map(({ code, location }) => [code, location?.line])).toEqual([
      ["UNKNOWN_LANGUAGE", 1],
      ["ICON_NOT_FOUND", 9],
      ["IMAGE_NOT_FOUND", 17],
    ]);
  });
  test("links are listed as typed", async () =>
    expect((await renderPage("[a](./install.mdx#b) <a href='/x'>c</a>")).uses).toMatchObject([
      { href: "#b", written: "./install.mdx#b", location: { line: 1, column: 1 } },
      { href: "../x.html", written: "/x", location: { line: 1, column: 22 } },
    ]));
  test("requests to other hosts and scripts are listed", async () => {
    const { external } = await renderPage(
      `![a](https://b.c/d.png)\n\n<iframe src="https://e.f" />\n\n<script src="https://g.h/i.js"></script>\n\n<script>{"let x = 1;"}</script>\n\n<video src="//j.k/l.mp4" />\n\n<style>{"@import 'https://m.n/o.css'; p { background: url(https://p.q/r.png) }"}</style>`,
    );
    expect(external.map(({ kind, url }) => [kind, url])).toEqual([
      ["image", "https://b.c/d.png"],
      ["embed", "https://e.f"],
      ["script", "https://g.h/i.js"],
      ["script", "let x = 1;"],
      ["media", "https://j.k/l.mp4"],
      ["image", "https://p.q/r.png"],
      ["style", "https://m.n/o.css"],
    ]);
  });
  test("a script and a style sheet that every page loads are not loaded again", async () => {
    const shared = { scripts: ["seo.js"], styles: ["look.css"] };
    const { html, external } = await renderPage(
      'a <script src="/seo.js" /> <link rel="stylesheet" href="/look.css" /> <a href="/seo.js">b</a>',
      shared,
    );
    expect(html).not.toMatch(/<script|<link/);
    expect(html).toContain('href="../seo.js"');
    expect(external).toEqual([]);
  });
  test("a page with formulas has their style sheet", async () => {
    expect((await renderPage("```math\nx\n```")).stylesheets).toEqual(["_offprint/math.css"]);
    expect((await renderPage("x")).stylesheets).toEqual([]);
  });

  test("a page has the style sheet of a component once", async () => {
    const tree = '<Tree><Tree.File name="a" /></Tree>';
    expect((await renderPage(`${tree}\n\n${tree}`)).stylesheets).toEqual(["_offprint/tree.css"]);
  });
  test("the tags and views of a page are listed", async () => {
    const page = await renderPage(
      '<Update label="A" tags={["x", "y"]} />\n\n<Update label="B" tags="x" />\n\n<View title="Web">a</View>',
    );
    expect(page.updateTags).toEqual(["x", "y"]);
    expect(page.views).toEqual([{ id: "view-web", title: "Web" }]);
  });
});

test("the content of a panel goes to the side column", async () => {
  const page = await renderPage("a\n\n<Panel>\nb\n</Panel>");
  expect(page.html).toBe("<p>a</p>");
  expect(page.panelHtml).toContain("<p>b</p>");
});

test("code that could not be rendered is shown as a small note with collapsed code", async () => {
  const renderer = await rendererOf();
  const content: PageContent = {
    ...contentOf(""),
    tree: {
      type: "root",
      children: [
        { type: "island", inline: false, name: "Chart", source: "<Chart data={rows.map(f)} />", children: [] },
        {
          type: "paragraph",
          children: [
            { type: "text", value: "a " },
            { type: "island", inline: true, source: "rows.length", children: [] },
          ],
        },
      ],
    },
  };
  const { html } = await renderer.render(planOf("a.mdx"), content);
  expect(html).toBe(
    '<div class="live-code-note"><p>This part runs code and is not shown in this export.</p><details><summary>Its code: <code>Chart</code></summary><pre><code>&lt;Chart data={rows.map(f)} /></code></pre></details></div>\n' +
      '<p>a <code class="live-code" title="This part runs code and is not shown in this export.">rows.length</code></p>',
  );
});

test("a page that could not be parsed says where and why", async () => {
  const renderer = await rendererOf();
  const error = { type: "parseError", reason: "Expected `>`", excerpt: "<a <b", line: 3, column: 4 } as const;
  const { html } = await renderer.render(planOf("a.mdx"), {
    ...contentOf(""),
    ok: false,
    tree: { type: "root", children: [error] },
  });
  expect(html).toBe(
    '<div class="error-box" role="alert"><p class="error-box-title">This page could not be read</p><p class="error-box-place"><code>a.mdx:3:4</code></p><p class="error-box-reason">Expected `>`</p><pre><code>&lt;a &lt;b</code></pre></div>',
  );
});

test("ports prepare everything that the page needs once, before rendering begins", async () => {
  const asked: unknown[] = [];
  const renderer = await rendererOf(
    {},
    {
      code: { ...plainPorts.code, prepare: async (blocks) => void asked.push(blocks.map(({ lang }) => lang)) },
      math: { ...plainPorts.math, prepare: async () => void asked.push("math") },
      icons: {
        icon: (choice) => {
          asked.push(choice);
          return plainPorts.icons.icon(choice);
        },
      },
      diagrams: {
        draw: async (sources) => {
          asked.push(sources.map(({ source, caption }) => (caption === undefined ? source : [source, caption])));
          return sources.map(({ source }) => ({
            node: { type: "text", value: source },
            stylesheet: { outputPath: `_offprint/${source}.css`, bytes: new Uint8Array() },
            diagnostics: [],
          }));
        },
      },
    },
  );
  const source =
    '```js\n```\n\n```js\n```\n\n```mermaid\nA\n```\n\n<Frame caption="The **flow**"><Mermaid chart="B" /></Frame>\n\n```math\n```\n\n<Card icon="rocket" iconType="solid" />';
  const page = await renderer.render(planOf("a.mdx"), contentOf(source));
  expect(asked).toEqual([
    ["js", "js"],
    "math",
    ["A", ["B", "The flow"]],
    { name: "rocket", style: "solid", library: "fontawesome" },
  ]);
  expect(page.stylesheets).toEqual(["_offprint/math.css", "_offprint/A.css", "_offprint/B.css"]);
  expect(page.files.map(({ outputPath }) => outputPath)).toEqual(["_offprint/A.css", "_offprint/B.css"]);
  expect(page.html).toMatch(/A.*B/s);
});

test("nothing is rendered after cancellation", async () => {
  const renderer = await rendererOf();
  await expect(renderer.render(planOf("a.mdx"), contentOf("a"), AbortSignal.abort(new Error("stop")))).rejects.toThrow(
    "stop",
  );
});

test("rendering a page twice gives the same result and does not change its content", async () => {
  const renderer = await rendererOf();
  const content = contentOf('## A\n\n> [!NOTE]\n> b\n\n<Card title="C" icon="x">d [e](/f)</Card>\n\n| a |\n|-|\n| 1 |');
  const before = structuredClone(content);
  const first = await renderer.render(planOf("a.mdx"), content);
  expect(await renderer.render(planOf("a.mdx"), content)).toEqual(first);
  expect(content).toEqual(before);
});

test("a page does not name the parts of components unless the site selects them", async () => {
  const source =
    '<ResponseField name="a">Text</ResponseField>\n\n<Accordion title="b">\n  <Card title="c">d</Card>\n</Accordion>';
  const htmlOf = async (componentParts: boolean) => {
    const renderer = await rendererOf({}, { componentParts });
    return (await renderer.render(planOf("a.mdx"), contentOf(source))).html;
  };
  const named = await htmlOf(true);
  expect(named).toContain(' data-component-part="field-name"');
  expect(await htmlOf(false)).toBe(named.replace(/ data-component-part="[^"]*"/g, ""));
});

describe("inline Markdown of settings", () => {
  const inline = async (markdown: string) => {
    const { renderInline } = await rendererOf();
    return (await renderInline(planOf("guides/install.mdx"), markdown, { sourcePath: "docs.json" }, "text1-")).html;
  };
  test("inline Markdown: plain text stays unchanged", async () =>
    expect(await inline('Words, <no> tags & "quotes"')).toBe('Words, &lt;no> tags &amp; "quotes"'));
  test("inline Markdown: marks, code and links are read", async () =>
    expect(await inline("a **b** `c` [d](/guides/install#e)")).toBe(
      'a <strong>b</strong> <code>c</code> <a href="#e">d</a>',
    ));
  test("inline Markdown: tags are read", async () =>
    expect(await inline('a <br/> <a href="/x" onclick="y">b</a>')).toBe('a <br> <a href="../x.html">b</a>'));
  test("inline Markdown: headings have ids that no heading of the page has", async () =>
    expect(await inline("# Setup")).toContain('<h1 id="text1-setup">'));
  test("inline Markdown: text that is not MDX is still Markdown", async () =>
    expect(await inline("a < b **c** {")).toBe("a &lt; b <strong>c</strong> {"));
  test("inline Markdown: expressions stay as typed", async () => expect(await inline("a {b}")).toBe("a {b}"));
  test("inline Markdown: scripts and styles are dropped", async () =>
    expect(await inline("a <script>b</script><style>c</style> *d* <Script>e</Script>")).toBe("a  <em>d</em>"));
  test("inline Markdown: paragraphs are separated by line breaks", async () =>
    expect(await inline("a\n\n*b*")).toBe("a<br>\n<em>b</em>"));
});

test("the texts of components and blocks are in the language of the page", async () => {
  const renderer = await rendererOf();
  const source =
    '<Note>a</Note>\n\n<Expandable title="Felder">b</Expandable>\n\n<ParamField body="x" required />\n\n## c\n\nd[^1]\n\n[^1]: e';
  const { html } = await renderer.render({ ...planOf("de/a.mdx"), language: "de" }, contentOf(source));
  for (const words of [
    'aria-label="Hinweis"',
    '<span class="expandable-title" data-component-part="expandable-title">Felder<span class="when-closed"> anzeigen</span>',
    ">erforderlich<",
    'aria-label="Link zu diesem Abschnitt: c"',
    ">Fußnoten</h2>",
    'aria-label="Zurück zum Verweis 1"',
  ])
    expect(html).toContain(words);
});

describe("a link that only shows a picture is named after", () => {
  const namesOf = async (source: string) => {
    const { html } = await renderPage(source, { pages: ["index.mdx", "setup.mdx"], staticFiles: ["a.png", "b.pdf"] });
    return [...html.matchAll(/<a\b[^>]*>/g)].map(([tag]) => / aria-label="([^"]*)"/.exec(tag)?.[1]);
  };
  const rows = [
    [
      "the title of its page",
      '[![](/a.png)](/setup) <a href="../setup#x"><Icon icon="star" /></a>',
      ["setup", "setup"],
    ],
    ["the title of its page, in a component too", '<Card href="/setup" icon="star" />', ["setup"]],
    ["the host it leads to", '<a href="https://example.com/a?b"><img src="/a.png" /></a>', ["example.com"]],
    ["its file", "[![](/a.png)](/b.pdf)", ["b.pdf"]],
    ["the address it writes to", '<a href="mailto:a@b.c"><Icon icon="mail" /></a>', ["a@b.c"]],
    ["its place in the page", '<a href="#prices"><Icon icon="tag" /></a>', ["prices"]],
  ] as const;
  for (const [rule, source, names] of rows) test(rule, async () => expect(await namesOf(source)).toEqual(names));
  test("a link or button with a name keeps it", async () => {
    const named =
      '[![Logo](/a.png)](/setup) <a href="/setup" title="T"><Icon icon="x" /></a> <a href="/b.pdf"><i>b</i></a>';
    expect(await namesOf(`${named}\n\n[c](/setup)`)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("a button that only shows a picture is named after", () => {
  const labelOf = async (button: string) => {
    const renderer = await rendererOf(
      { staticFiles: ["img/play_now-2.png"] },
      { icons: createIcons({ library: "fontawesome" }) },
    );
    const { html } = await renderer.render(planOf("a.mdx"), contentOf(button));
    return / aria-label="([^"]*)"/.exec(/<button\b[^>]*>/.exec(html)![0])?.[1];
  };
  const rows = [
    ["the icon", '<button type="button"><Icon icon="arrow-right" /></button>', "Arrow right"],
    [
      "the icon inside of other elements",
      '<button><span><Icon icon="fa-solid fa-gear" color="#f00" /></span></button>',
      "Gear",
    ],
    ["the icon as another library spells it", '<button><Icon icon="RocketLaunch" /></button>', "Rocket launch"],
    ["an emoji", '<button><Icon icon="🚀" /></button>', "🚀"],
    ["the file of the picture", '<button><img src="/img/play_now-2.png" /></button>', "Play now 2"],
    ["nothing if the picture is data", '<button><img src="data:image/png;base64,iVBORw0KGgo=" /></button>', undefined],
    ["nothing if the icon does not exist", '<button><Icon icon="no-such-thing-at-all" /></button>', undefined],
    ["nothing if it has a label", '<button aria-label="Go"><Icon icon="star" /></button>', "Go"],
    ["nothing if another element labels it", '<button aria-labelledby="a"><Icon icon="star" /></button>', undefined],
    ["nothing if it has a title", '<button title="Go"><Icon icon="star" /></button>', undefined],
    ["nothing if the picture has a text", '<button><img src="/img/play_now-2.png" alt="Play" /></button>', undefined],
    ["nothing if it has text", '<button><Icon icon="star" /> Rate</button>', undefined],
    [
      "nothing if it has text for screen readers",
      '<button><Icon icon="star" /><span className="sr-only">Rate</span></button>',
      undefined,
    ],
  ] as const;
  for (const [rule, source, label] of rows) test(rule, async () => expect(await labelOf(source)).toBe(label));
});

test("a heading within a link has no anchor of its own", async () => {
  const { html } = await renderPage('<a href="/b">\n## Title\n</a>\n\n<Card href="/b">\n### Other\n</Card>', {
    pages: ["b.mdx"],
  });
  expect(html).not.toMatch(/heading-anchor|aria-label/);
  expect(html).toContain('<h2 id="title">Title</h2>');
});

test("two examples on a page have different ids", async () => {
  const example = "<RequestExample>\n```bash\na\n```\n</RequestExample>";
  const { panelHtml } = await renderPage(`${example}\n\n${example}`);
  const ids = [...panelHtml!.matchAll(/class="api-example" id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toEqual(["request-example", "request-example-2"]);
});
