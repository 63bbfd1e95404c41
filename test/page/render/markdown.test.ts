/** What Markdown and the elements in it become: a row is a sentence. */
import { expect, test } from "vitest";
import { renderPage, type TestSite } from "./render-markdown.js";

/** Drawings and anchors of headings shortened. */
const shortened = (html: string): string =>
  html
    .replace(/<svg.*?<\/svg>/gs, "<svg>")
    .replace(/<a class="heading-anchor".*?<\/a>/gs, "¶")
    .replace(/\n+/g, "\n");

type Row = readonly [rule: string, source: string, html: string, site?: TestSite & { format?: "mdx" | "md" }];
const site = { staticFiles: ["a.png"], pages: ["guides/update.mdx"] };

const rows: readonly Row[] = [
  [
    "words are a paragraph",
    "a **b** *c* ~~d~~ `e<f`",
    "<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e&lt;f</code></p>",
  ],
  [
    "words in a component without an element are a paragraph",
    "<Visibility>See [this](/guides/update), **now**.</Visibility>\n\n<Nope>a</Nope>\n\n<Visibility>b <div>c</div></Visibility>",
    '<p>See <a href="update.html">this</a>, <strong>now</strong>.</p>\n<p>a</p>\n<p>b </p>\n<div>c</div>',
  ],
  ["blanks around a line end go", "a   \n  b", "<p>a<br>\nb</p>"],
  ["a heading has its anchor", "## Hello", '<h2 id="hello">Hello¶</h2>'],
  ["two headings of one name have two", "## A\n## A", '<h2 id="a">A¶</h2>\n<h2 id="a-2">A¶</h2>'],
  ["a JSX heading of the page has an anchor", "<h2>Setup</h2>", '<h2 id="setup">Setup¶</h2>'],
  ["a JSX heading keeps its id", '<h3 id="Own id">Setup</h3>', '<h3 id="Own id">Setup¶</h3>'],
  ["a JSX heading with noAnchor has none", "<h2 noAnchor>Setup</h2>", "<h2>Setup</h2>"],
  ["a JSX heading in a component has none", "<Card>\n<h3>Fast</h3>\n</Card>", "<h3>Fast</h3>"],
  ["Heading is the heading of its level", '<Heading level="3" noAnchor="true">A</Heading>', "<h3>A</h3>"],
  ["a link to a page is relative", "[a](/guides/update)", '<p><a href="update.html">a</a></p>'],
  [
    "a link to another site opens a new tab",
    "[a](https://b.c)",
    '<p><a href="https://b.c" target="_blank" rel="noopener noreferrer">a</a></p>',
  ],
  ["a link that leads nowhere is marked", "[a](/zzz)", '<p><a href="../zzz.html" class="broken-link">a</a></p>'],
  ["a link that would run code is its text", "[a](javascript:x)", "<p>a</p>"],
  ["a mail address stays", "<a href='mailto:a@b.c'>a</a>", '<p><a href="mailto:a@b.c">a</a></p>'],
  [
    "a reference finds its definition",
    "[a][x]\n\n[x]: /guides/update 'T'",
    '<p><a href="update.html" title="T">a</a></p>',
  ],
  [
    "a reference in a component finds it too",
    "<Note>\n[a][x]\n</Note>\n\n[x]: /guides/update",
    '<p><a href="update.html">a</a></p>',
  ],
  [
    "a JSX link is resolved and opens a tab",
    '<a href="https://b.c">a</a>',
    '<a href="https://b.c" target="_blank" rel="noopener noreferrer">a</a>',
  ],
  [
    "a JSX link keeps the writer's target",
    '<a href="https://b.c" target="_self">a</a>',
    '<a href="https://b.c" target="_self">a</a>',
  ],
  [
    "a link in a link is a span",
    '<a href="/guides/update">see https://b.c</a>',
    '<a href="update.html">see <span>https://b.c</span></a>',
  ],
  [
    "an image is lazy and can be enlarged",
    "![x](/a.png)",
    '<p><img loading="lazy" decoding="async" src="../a.png" alt="x" data-zoom=""></p>',
  ],
  [
    "an image in a link cannot be enlarged",
    "[![x](/a.png)](/guides/update)",
    '<p><a href="update.html"><img loading="lazy" decoding="async" src="../a.png" alt="x"></a></p>',
  ],
  [
    "an image with noZoom cannot",
    '<img src="/a.png" noZoom />',
    '<img loading="lazy" decoding="async" src="../a.png" alt="">',
  ],
  [
    "an image keeps what its writer said",
    '<img src="/a.png" loading="eager" alt="y" class="c" width="50%" />',
    '<img loading="eager" decoding="async" src="../a.png" alt="y" class="c" width="50%" data-zoom="">',
  ],
  [
    "an image inside a sentence stays there",
    'a <img src="/a.png" /> b',
    '<p>a <img loading="lazy" decoding="async" src="../a.png" alt="" data-zoom=""> b</p>',
  ],
  ["an image may hold its data", "![x](data:image/png;base64,AA==)", 'src="data:image/png;base64,AA=="'],
  ["a srcset is resolved", '<img src="/a.png" srcSet="/a.png 1x, ../a.png 2x" />', 'srcset="../a.png 1x, ../a.png 2x"'],
  [
    "videos and posters are resolved",
    '<video src="/a.png" poster="/a.png" autoPlay playsInline></video>',
    '<video src="../a.png" poster="../a.png" autoplay playsinline></video>',
  ],
  [
    "frames are lazy, and called as their host where they have no title",
    '<iframe src="/a.png" allowFullScreen></iframe>',
    '<iframe loading="lazy" title="../a.png" src="../a.png" allowfullscreen></iframe>',
  ],
  [
    "a frame keeps its title",
    '<iframe src="/a.png" title="d" />',
    '<iframe loading="lazy" title="d" src="../a.png"></iframe>',
  ],
  [
    "an empty corner of a table is not a heading",
    "| | a |\n|-|-|\n| b | 1 |",
    "<thead><tr><td></td><th>a</th></tr></thead>",
  ],
  ["a heading within a link has no link of its own", '<a href="https://b.c">\n## d\n</a>', '<h2 id="d">d</h2></a>'],
  [
    "a table scrolls separately and has a name",
    "| a | b |\n|:--|--:|\n| 1 |",
    '<div class="table-scroll" role="region" tabindex="0" aria-label="Table 1: a, b"><table><thead><tr><th class="align-left">a</th><th class="align-right">b</th></tr></thead><tbody><tr><td class="align-left">1</td><td class="align-right"></td></tr></tbody></table></div>',
  ],
  [
    "a JSX table scrolls too and is complete",
    "<table><tr><td>1</td></tr></table>",
    '<div class="table-scroll" role="region" tabindex="0" aria-label="Table 1"><table><tbody><tr><td>1</td></tr></tbody></table></div>',
  ],
  [
    "a task says whether it is done",
    "- [x] a\n- [ ] b",
    '<li class="task-list-item"><input type="checkbox" checked disabled aria-label="Done"> a</li>\n<li class="task-list-item"><input type="checkbox" disabled aria-label="To do"> b</li>',
  ],
  ["a quote is a quote", "> a", "<blockquote>\n<p>a</p>\n</blockquote>"],
  ["a quote with a mark is a callout", "> [!WARNING]\n> a", 'data-callout-type="warning"'],
  ["the mark itself is removed", "> [!tip] \n> a *b*", "<p>a <em>b</em></p></div></div>"],
  ["a mark within the text does not count", "> see [!NOTE]", "<blockquote>\n<p>see [!NOTE]</p>\n</blockquote>"],
  [
    "footnotes have ids of their own",
    "a[^n]\n\n[^n]: b",
    '<li id="user-content-fn-n">\n<p>b <a href="#user-content-fnref-n" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p>\n</li>',
  ],
  [
    "a fence goes to the code part",
    "```js\n1 < 2\n```",
    '<pre class="code-block" data-language="js"><code>1 &lt; 2</code></pre>',
  ],
  ["a fence of mathematics is a formula", "```math\nx\n```", '<span class="math-display">x</span>'],
  ["a fence of mermaid is a diagram", "```mermaid\na\n```", "<figure>a</figure>"],
  [
    "CodeBlock around a fence is that fence",
    "<CodeBlock>\n```js\nx\n```\n</CodeBlock>",
    '<pre class="code-block" data-language="js"><code>x</code></pre>',
  ],
  ["Latex in a sentence is a formula in it", 'a <Latex>{"x"}</Latex> b', '<p>a <span class="math">x</span> b</p>'],
  ["a lone Latex is a formula too", "<Latex>\n`x`\n</Latex>", '<span class="math-display">x</span>'],
  ["CodeBlock is a fence", '<CodeBlock language="js">{"x"}</CodeBlock>', 'data-language="js"><code>x</code>'],
  [
    "class is className is class",
    '<div class="a" /><div className="b" />',
    '<div class="a"></div>\n<div class="b"></div>',
  ],
  ["JSX names become HTML's", '<label htmlFor="x" tabIndex="0">a</label>', '<label for="x" tabindex="0">a</label>'],
  [
    "a style object becomes text",
    '<div style={{ marginTop: 4, lineHeight: 2, "--x": "y" }} />',
    '<div style="margin-top:4px;line-height:2;--x:y"></div>',
  ],
  [
    "a style's pictures are resolved",
    `<div style="background: url('/a.png')" />`,
    '<div style="background: url(&quot;../a.png&quot;)"></div>',
  ],
  [
    "true and false are words where HTML wants words",
    "<div aria-hidden={true} draggable={false} hidden={true} inert={false} />",
    '<div aria-hidden="true" draggable="false" hidden></div>',
  ],
  [
    "handlers and values that are not text are left out",
    '<div onClick="x" ref={{ a: 1 }} title={{ a: 1 }} lang={null} />',
    "<div></div>",
  ],
  [
    "a word in a tag on its own line is not a paragraph in a list",
    "<ul>\n<li>a</li>\n<li>\nb\n</li>\n</ul>",
    "<ul><li>a</li><li><p>b</p></li></ul>",
  ],
  [
    "a line of words in an inline box is not a paragraph",
    '<a className="inline-flex gap-2" href="#b">\n  Start *now*\n</a>',
    '<a class="inline-flex gap-2" href="#b">Start <em>now</em></a>',
  ],
  [
    "several paragraphs in an inline box stay",
    '<div className="inline-block">\n  One\n\n  Two\n</div>',
    '<div class="inline-block"><p>One</p><p>Two</p></div>',
  ],
  ["a paragraph in a p is unwrapped", "<p>\na\n</p>", "<p>a</p>"],
  [
    "a line of words in a link in a p is not a paragraph",
    '<p>\n  See\n  <a href="#b">\n    the *form*\n  </a>\n\n  <a href="#c">\n    it\n  </a>\n  too.\n</p>',
    '<p>See\n<a href="#b">the <em>form</em></a>\n<a href="#c">it</a>\ntoo.</p>',
  ],
  [
    "two paragraphs in a link in a p stay",
    '<p>\n<a href="#b">\nOne\n\nTwo\n</a>\n</p>',
    '<div><a href="#b"><p>One</p><p>Two</p></a></div>',
  ],
  ["two paragraphs in a p make it a div", "<p>\na\n\n- b\n</p>", "<div>a<ul>\n<li>b</li>\n</ul></div>"],
  ["a lone block comes out of its paragraph", "<div>a</div>", "<div>a</div>"],
  ["a lone word in a tag stays a paragraph", "<kbd>a</kbd>", "<p><kbd>a</kbd></p>"],
  ["a block in a paragraph splits it", "a <div>b</div> c", "<p>a </p>\n<div>b</div>\n<p> c</p>"],
  ["a void element lets out what was put into it", "b <br>a</br>", "<p>b <br>a</p>"],
  ["custom elements stay", "<my-part a='b'>c</my-part>", '<my-part a="b">c</my-part>'],
  ["unknown tags show what they hold", "<Nope>a</Nope> <info>b</info>", "<p>a b</p>"],
  ["a fragment shows what it holds", "<><div>a</div></>", "<div>a</div>"],
  [
    "U+0000 is nowhere",
    "a\0b `c\0d` <i title='e\0f'>g</i>",
    '<p>a\ufffdb <code>c\ufffdd</code> <i title="e\ufffdf">g</i></p>',
  ],
  [
    "HTML in Markdown makes one element of its pieces",
    '<div class="x">\n\n**a**\n\n</div>',
    '<div class="x"><p><strong>a</strong></p></div>',
    { format: "md" },
  ],
  ["HTML in a sentence does too", "a <b>*c*</b> <br> d", "<p>a <b><em>c</em></b> <br> d</p>", { format: "md" }],
  [
    "HTML in Markdown is resolved and filtered",
    '<a href="/guides/update" onclick="x">a</a>',
    '<p><a href="update.html">a</a></p>',
    { format: "md" },
  ],
  ["HTML comments are dropped", "a <!-- b --> c\n\n<!-- d -->", "<p>a  c</p>", { format: "md" }],
  [
    "HTML that is left open ends with its parent",
    "<div>\n\na\n\n- <b>x\n- y",
    "<div><p>a</p><ul>\n<li><b>x</b></li>\n<li>y</li>\n</ul></div>",
    { format: "md" },
  ],
  [
    "HTML keeps the spaces between words and elements",
    "<p>Returns a <b>list</b> <i>of</i> your\n<code>coupons</code></p>",
    "<p>Returns a <b>list</b> <i>of</i> your\n<code>coupons</code></p>",
    { format: "md" },
  ],
  [
    "white space around blocks of HTML goes",
    "<ul>\n  <li> <b>a</b> </li>\n  <li>b&nbsp;</li>\n</ul>",
    "<ul><li><b>a</b></li><li>b\u00a0</li></ul>",
    { format: "md" },
  ],
  [
    "words between blocks of HTML are a paragraph",
    "<h3>A</h3> Returns <code>b</code>, or\n<b>c</b>.<p>d</p>",
    "</h3>\n<p> Returns <code>b</code>, or\n<b>c</b>.</p>\n<p>d</p>",
    { format: "md" },
  ],
  [
    "HTML pictures on one line keep their space",
    "<p>\n<a><i>a</i></a>\n<a>b</a>\n</p>",
    "<p><a><i>a</i></a>\n<a>b</a></p>",
    { format: "md" },
  ],
  [
    "HTML in pre keeps its lines",
    "<pre>\n a\n  <b>b</b> c\n</pre>",
    "<pre>\n a\n  <b>b</b> c\n</pre>",
    { format: "md" },
  ],
  [
    "elements of a sentence on lines of their own stay apart",
    "<div>\n  <span>a</span>\n  <b>b</b>\n</div>",
    "<div><span>a</span>\n<b>b</b></div>",
  ],
  [
    "elements on lines of their own in a component stay apart",
    "<Note>\n<b>a</b>\n<i>b</i>\n</Note>",
    "<b>a</b>\n<i>b</i>",
  ],
  ["paragraphs in a heading stay apart", "<h2>\n\na\n\nb\n\n</h2>", ">a\nb¶</h2>"],
  ["HTML lists need no closing tags", "<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>", { format: "md" }],
];
for (const [rule, source, html, more] of rows)
  test(rule, async () => expect(shortened((await renderPage(source, { ...site, ...more })).html)).toContain(html));

test("SVG keeps its attributes", async () => {
  const { html } = await renderPage(
    '<svg viewBox="0 0 1 1"><path strokeWidth="2" stroke-linecap="round" xlinkHref="#a" xml:space="preserve" /><linearGradient id="g" /></svg>',
  );
  expect(html).toContain(
    '<svg viewBox="0 0 1 1"><path stroke-width="2" stroke-linecap="round" xlink:href="#a" xml:space="preserve"></path><linearGradient id="g"></linearGradient></svg>',
  );
});
