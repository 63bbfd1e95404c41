/**
 * Hostile pages: for any source, the page that a parser reads contains nothing that runs code, except for the
 * scripts that the format lets a page carry, which are reported.
 */
import { type DefaultTreeAdapterTypes as Dom, parse } from "parse5";
import { describe, expect, test } from "vitest";
import type { PropValue } from "../../../src/page/content/page-content.js";
import { contentOf, planOf, rendererOf, renderPage } from "./render-markdown.js";

/** Script-capable constructs of a document, read as a browser reads it, with and without scripting. */
function dangers(html: string): string[] {
  const found: string[] = [];
  for (const scriptingEnabled of [true, false])
    visit(parse(`<!doctype html><html><body><main>${html}</main>`, { scriptingEnabled }), (element) => {
      const attribute = (name: string) => element.attrs.find((each) => each.name === name)?.value ?? "";
      // Our own templates hold content of other hosts, which is looked through as well.
      const isOurs = element.tagName === "template" && attribute("data-embed") === "" && element.attrs.length === 1;
      if (
        /^(?:script|base|meta|noscript|xmp|plaintext|noembed|noframes|frame|applet|template)$/.test(element.tagName) &&
        !isOurs
      )
        found.push(element.tagName);
      if (
        /^(?:animate|set)/.test(element.tagName) &&
        /href|^on/i.test(attribute("attributename") + attribute("attributeName"))
      )
        found.push(element.tagName);
      for (const { name, prefix, value } of element.attrs) {
        const full = prefix ? `${prefix}:${name}` : name;
        if (/^on/i.test(name) || name === "srcdoc") found.push(`${element.tagName} ${full}`);
        const plain = value.replace(/[\0-\x20\x7f-\xa0\u00ad\u200b-\u200f\ufeff]/g, "");
        const isImage = /^data:image\//i.test(plain) && /^(?:img|image|source|video)$/.test(element.tagName);
        if (
          addresses.has(name) &&
          /(?:^|[;,])(?:javascript|vbscript|livescript|data|file|blob|filesystem):/i.test(plain) &&
          !isImage
        )
          found.push(`${element.tagName} ${full}=${value}`);
        if (name === "style" && /javascript:|expression\(|-moz-binding/i.test(value)) found.push(`style ${value}`);
      }
    });
  return found;
}

/** Attributes that hold addresses, or values of them. */
const addresses = new Set(
  "href src srcset action formaction data poster background cite codebase classid longdesc manifest ping to from by values".split(
    " ",
  ),
);

function visit(node: Dom.Node, see: (element: Dom.Element) => void): void {
  if ("tagName" in node) see(node);
  if ("content" in node) visit((node as Dom.Template).content, see);
  if ("childNodes" in node) for (const child of node.childNodes) visit(child, see);
}

const attack = "alert(1)";
const imgTag = `<img src=x onerror=${attack}>`;

const mdx: readonly string[] = [
  // link targets
  `[a](javascript:${attack})`,
  `[a](JaVaScRiPt:${attack})`,
  `[a](javascript&colon;${attack})`,
  `[a](java&#x09;script:${attack})`,
  `[a](java&#10;script:${attack})`,
  `[a](&#1;javascript:${attack})`,
  `[a](<javascript:${attack}>)`,
  `[a](<java\\script:${attack}>)`,
  `[a](vbscript:${attack})`,
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  `[a][b]\n\n[b]: javascript:${attack}`,
  `[a]: javascript:${attack}\n\n[a]`,
  `![a](javascript:${attack})`,
  `![a](data:text/html,${attack})`,
  '![a](x" onerror="alert(1))',
  `![a" onerror="${attack}](x.png)`,
  `![a](x.png '" onerror="${attack}')`,
  '[a](https://b.c/"onmouseover="alert(1))',
  "[a](//javascript:alert(1))",
  // JSX attributes
  `<a href="javascript:${attack}">a</a>`,
  `<a href="jav&#x09;ascript:${attack}">a</a>`,
  `<a href="&#14; javascript:${attack}">a</a>`,
  `<a href={"java\\u0000script:${attack}"}>a</a>`,
  `<a href={"\\u200bjavascript:${attack}"}>a</a>`,
  `<a href={"java\\nscript:${attack}"}>a</a>`,
  `<a HREF="javascript:${attack}">a</a>`,
  `<a xlinkHref="javascript:${attack}">a</a>`,
  `<a {...{href: "javascript:${attack}"}}>a</a>`,
  `<img src="x" onError="${attack}" />`,
  `<img src="x" onerror={"${attack}"} />`,
  `<img src="x" ONERROR="${attack}" />`,
  `<img src="javascript:${attack}" />`,
  `<img srcSet="javascript:${attack} 1x, data:text/html,x 2x" src="x" />`,
  `<div onClick="${attack}" onmouseover="${attack}">a</div>`,
  `<div style="background:url(javascript:${attack})">a</div>`,
  `<div style="background:url('java\\73 cript:${attack}')">a</div>`,
  `<div style={{ background: "url(javascript:${attack})" }}>a</div>`,
  `<div style="width: expression(${attack})">a</div>`,
  `<div style="width: exp/**/ression(${attack})">a</div>`,
  `<div style={{ "x;} </style><img src=x onerror=alert(1)>": "y" }}>a</div>`,
  `<div dangerouslySetInnerHTML={{ __html: "<img src=x onerror=${attack}>" }} />`,
  `<div dangerouslysetinnerhtml={{ __html: "${imgTag}" }} />`,
  `<iframe src="javascript:${attack}"></iframe>`,
  `<iframe srcDoc="<script>${attack}</script>"></iframe>`,
  `<iframe srcdoc="<script>${attack}</script>" src="https://b.c"></iframe>`,
  `<iframe src="data:text/html,<script>${attack}</script>"></iframe>`,
  `<object data="javascript:${attack}"></object>`,
  `<object data="data:text/html,<script>${attack}</script>"></object>`,
  `<embed src="javascript:${attack}" />`,
  `<form action="javascript:${attack}"><button formAction="javascript:${attack}">a</button></form>`,
  `<input type="image" src="javascript:${attack}" formaction="javascript:${attack}" />`,
  `<video src="javascript:${attack}" poster="javascript:${attack}" />`,
  `<table background="javascript:${attack}"><tbody><tr><td>a</td></tr></tbody></table>`,
  `<base href="https://evil.example/" />`,
  `<meta httpEquiv="refresh" content="0;url=javascript:${attack}" />`,
  `<link rel="import" href="https://evil.example" />`,
  `<link rel="stylesheet" href="javascript:${attack}" />`,
  `<a href="x" ping="javascript:${attack}">a</a>`,
  `<math href="javascript:${attack}"><mi href="javascript:${attack}">a</mi></math>`,
  // SVG
  `<svg onload="${attack}"><path onclick="${attack}" /></svg>`,
  `<svg><script>{"${attack}"}</script></svg>`,
  `<svg><script href="javascript:${attack}" /></svg>`,
  `<svg><a xlinkHref="javascript:${attack}"><text>a</text></a></svg>`,
  `<svg><a xlink:href="javascript:${attack}"><text>a</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg onload=${attack}>" /></svg>`,
  `<svg><image href="javascript:${attack}" /></svg>`,
  `<svg><a><set attributeName="href" to="javascript:${attack}" /></a></svg>`,
  `<svg><a><animate attributeName="xlink:href" values="https://b.c;javascript:${attack}" /></a></svg>`,
  `<svg><animate attributename="onload" values="${attack}" /></svg>`,
  `<svg><foreignObject><iframe src="javascript:${attack}" /><img src="x" onError="${attack}" /></foreignObject></svg>`,
  // text that a parser reads differently depending on its context
  `<style>{"</style>${imgTag}"}</style>`,
  `<svg><style>{"${imgTag}"}</style></svg>`,
  `<svg><style>{"</style>${imgTag}"}</style></svg>`,
  `<math><style>{"${imgTag}"}</style></math>`,
  `<svg><mtext><style>{"${imgTag}"}</style></mtext></svg>`,
  `<math><desc><style>{"${imgTag}"}</style></desc></math>`,
  `<math><annotation-xml><style>{"${imgTag}"}</style></annotation-xml></math>`,
  `<math><annotation-xml encoding="text/html"><style>{"${imgTag}"}</style></annotation-xml></math>`,
  `<math><mtext><table><mglyph><style>{"${imgTag}"}</style></mglyph></table></mtext></math>`,
  `<svg><desc><style>{"</style>${imgTag}"}</style></desc></svg>`,
  `<svg></p><style><a title="</style>${imgTag.replaceAll("<", "&lt;")}" /></style></svg>`.replace("</p>", ""),
  `<select><style>{"</select>${imgTag}"}</style></select>`,
  `<textarea>{"</textarea>${imgTag}"}</textarea>`,
  `<textarea><a title="</textarea>${imgTag.replaceAll("<", "&lt;")}">x</a></textarea>`,
  `<title><a title="&lt;/title>&lt;img src=x onerror=${attack}>">x</a></title>`,
  `<noscript><p title="&lt;/noscript>&lt;img src=x onerror=${attack}>">x</p></noscript>`,
  `<xmp><p title="&lt;/xmp>&lt;img src=x onerror=${attack}>">x</p></xmp>`,
  `<noembed><p title="&lt;/noembed>&lt;img src=x onerror=${attack}>">x</p></noembed>`,
  `<noframes><p title="&lt;/noframes>&lt;img src=x onerror=${attack}>">x</p></noframes>`,
  `<plaintext><p title="&lt;img src=x onerror=${attack}>">x</p></plaintext>`,
  `<iframe><p title="&lt;/iframe>&lt;img src=x onerror=${attack}>">x</p></iframe>`,
  `<template><img src="x" onError="${attack}" /></template>`,
  `<div title="&quot; onmouseover=&quot;${attack}">a</div>`,
  `<div title={"\\" onmouseover=\\"${attack}"}>a</div>`,
  `<div className={"a\\" onmouseover=\\"${attack}"}>a</div>`,
  `<div id={"\\"><img src=x onerror=${attack}>"}>a</div>`,
  `\`${imgTag}\` {"${imgTag}"}`,
  `## {"${imgTag}"}`,
  `| {"${imgTag}"} |\n|-|\n| {"${imgTag}"} |`,
  // components
  `<Card href="javascript:${attack}" title={"${imgTag}"} img="javascript:${attack}" icon="javascript:${attack}" color="red;}${imgTag.replaceAll("<", "&lt;")}">a</Card>`,
  `<Card icon="https://b.c/x.svg&quot; onerror=&quot;${attack}" />`,
  `<Tooltip tip={"${imgTag}"} href="javascript:${attack}">a</Tooltip>`,
  `<Frame caption="[a](javascript:${attack}) ${imgTag.replaceAll("<", "&lt;")}">a</Frame>`,
  `<Frame caption={"<img src='x' onError='${attack}' /> <a href='javascript:${attack}'>b</a>"}>a</Frame>`,
  `<Accordion title={"${imgTag}"} id={"\\" onclick=\\"${attack}"}>a</Accordion>`,
  `<Update label={"${imgTag}"} tags={["${imgTag}"]}>a</Update>`,
  `<Tabs><Tab title={"${imgTag}"} id={"\\"><script>${attack}</script>"}>a</Tab></Tabs>`,
  `<ParamField query={"${imgTag}"} type={"${imgTag}"} default={"${imgTag}"}>a</ParamField>`,
  `<Tile href="javascript:${attack}">a</Tile>`,
  `<Badge color={"red\\" onclick=\\"${attack}"}>a</Badge>`,
  `<Unknown onClick="${attack}" href="javascript:${attack}">a</Unknown>`,
  `<script2 src="javascript:${attack}">{"${attack}"}</script2>`,
];

const markdown: readonly string[] = [
  imgTag,
  `<img src=x:x onerror =${attack}>`,
  `<svg/onload=${attack}>`,
  `a <b onmouseover=${attack}>b</b>`,
  `<a href="jav&#x09;ascript:${attack}">a</a>`,
  `<a href="javascript&colon;${attack}">a</a>`,
  `<a href=&#106;avascript:${attack}>a</a>`,
  `<iframe srcdoc="&lt;script>${attack}&lt;/script>"></iframe>`,
  `<math><mtext><table><mglyph><style><!--</style>${imgTag}--></style></mglyph></table></mtext></math>`,
  `<svg><style><!--</style>${imgTag}-->`,
  `<noscript><p title="</noscript>${imgTag}"></noscript>`,
  `<form><math><mtext></form><form><mglyph><style></math>${imgTag}`,
  `<select><template><style></select>${imgTag}`,
  `<textarea><img title="</textarea>${imgTag}"></textarea>`,
  `<title></title>${imgTag}`,
  `<base href="javascript:/"><a href="//%0a${attack}">a</a>`,
  `<div\nonclick=${attack}\n>a</div>`,
  `<details open ontoggle=${attack}>a</details>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${attack}">`,
  `<plaintext>${imgTag}`,
  `<xmp><p title="</xmp>${imgTag}">`,
  `<object data="javascript:${attack}">`,
  `<a title="<!--" href="x">--&gt;${imgTag}</a>`,
  `<?xml <img src=x onerror=${attack}>?>`,
  `<![CDATA[<img src=x onerror=${attack}>]]>`,
  `<!-- --!>${imgTag} -->`,
];

describe("MDX", () => {
  for (const source of mdx)
    test(source, async () => {
      const { html, panelHtml = "" } = await renderPage(source);
      expect(dangers(html + panelHtml)).toEqual([]);
    });
});

describe("Markdown with HTML", () => {
  for (const source of markdown)
    test(source, async () => expect(dangers((await renderPage(source, { format: "md" })).html)).toEqual([]));
});

/** Values that the test parser cannot produce are set by hand. */
const values: readonly PropValue[] = [
  `javascript:${attack}`,
  `"><script>${attack}</script>`,
  { type: "jsxTree", children: [{ type: "text", value: imgTag }] },
  { __html: imgTag },
  [`javascript:${attack}`],
  { href: `javascript:${attack}`, toString: imgTag },
  Number.NaN,
  true,
];
describe("values", () => {
  const names = [
    "href",
    "src",
    "onClick",
    "style",
    "id",
    "className",
    "title",
    "icon",
    "img",
    "color",
    "type",
    "label",
    "tip",
    "children",
    "srcDoc",
    "__proto__",
    "caption",
    "cta",
    "x onload",
  ];
  const tags = [
    "a",
    "img",
    "div",
    "svg",
    "iframe",
    "Card",
    "Note",
    "Icon",
    "Tooltip",
    "Update",
    "Frame",
    "CodeBlock",
    "Badge",
    "Heading",
    "Nope",
  ];
  for (const value of values)
    test(JSON.stringify(value) ?? "undefined", async () => {
      const renderer = await rendererOf();
      const content = contentOf(tags.map((tag) => `<${tag}>a</${tag}>`).join("\n\n"));
      const props = Object.defineProperty(Object.fromEntries(names.map((name) => [name, value])), "__proto__", {
        value,
        enumerable: true,
      });
      for (const node of content.tree.children) {
        const element = node.type === "paragraph" ? node.children[0]! : node;
        Object.assign(element, { data: { props } });
      }
      const { html } = await renderer.render(planOf("a.mdx"), content);
      expect(dangers(html)).toEqual([]);
      expect(html).not.toMatch(/\[object Object\]|undefined|NaN/);
    });
});

test("a script of the page itself stays, is reported, and cannot end early", async () => {
  const { html, external } = await renderPage("<script>{\"let a = '</script><b>'; // <!--<script>\"}</script>");
  expect(html).toBe("<script>let a = '<\\/script><b>'; // <\\!--<script></script>");
  expect(external).toMatchObject([{ kind: "script", location: { line: 1, column: 1 } }]);
});
