import assert from "node:assert/strict";
import { test } from "vitest";
import { createPageCheck, type PageToCheck } from "../../../src/page/check/check-page.js";
import { repairLinks } from "../../../src/page/check/repair-links.js";

const bundle = new Set(["index.html", "guides/install.html", "guides/a b.html", "images/x.png", "guides.html"]);
const chromeLocation = { sourcePath: "docs.json" };

/** One for all cases, as for the pages of a thread. */
const checkPage = createPageCheck();

function check(html: string, more: Partial<PageToCheck> = {}) {
  const isFile = (path: string): boolean => bundle.has(path);
  return checkPage({
    outputPath: "guides/install.html",
    html: [html],
    uses: [],
    chromeLocation,
    reported: [],
    isFile,
    everywhere: new Set(["footer"]),
    ...more,
  });
}
const codes = (html: string): string[] => check(html).diagnostics.map((each) => each.code);

const cases = [
  // checkPage …                                          the document                                     what it reports
  ["accepts a file next to the page", '<a href="a%20b.html">', []],
  ["accepts a file above the page", '<a href="../index.html">', []],
  ["accepts a query", '<a href="../index.html?search=x">', []],
  ["accepts an anchor of the page itself", '<h2 id="x"></h2><a href="#x">', []],
  ["accepts an encoded anchor", '<h2 id="größe"></h2><a href="#gr%C3%B6%C3%9Fe">', []],
  ["accepts the top of a page", '<a href="#top"></a><a href="#"></a>', []],
  ["accepts a text fragment", '<a href="#:~:text=hello">', []],
  ["leaves other hosts alone", '<a href="https://example.com/x"><img src="//example.com/y.png">', []],
  ["leaves mail and data alone", '<a href="mailto:a@b.example"><img src="data:image/png;base64,AA">', []],
  ["reports a missing page", '<a href="nowhere.html">', ["LINK_NOT_FOUND"]],
  ["reports a missing image", '<img src="../images/y.png">', ["ASSET_NOT_FOUND"]],
  ["reports a missing anchor", '<a href="#nowhere">', ["ANCHOR_NOT_FOUND"]],
  ["accepts an anchor of the layout", '<footer id="footer"></footer><a href="#footer">', []],
  ["survives an address that cannot be decoded", '<a href="%zz.html">', ["LINK_NOT_FOUND"]],
  ["looks at no link inside a script or a comment", '<!-- <a href="x.html"> --><script>"<a href=y.html>"</script>', []],
] as const;
for (const [rule, html, expected] of cases) test(`checkPage ${rule}`, () => assert.deepEqual(codes(html), expected));

test("an anchor in another page is returned, decoded, with the location of the link", () => {
  const location = { sourcePath: "guides/install.mdx", line: 4, column: 2 };
  const uses = [{ href: "../index.html#a%20b", written: "/#a b", location }];
  const { anchorsWanted } = check('<a href="../index.html#a%20b">', { uses });
  assert.deepEqual(anchorsWanted, [{ outputPath: "index.html", fragment: "a b", location }]);
});

test("a mistake has the location of the link in the source", () => {
  const location = { sourcePath: "guides/install.mdx", line: 4, column: 2 };
  const uses = [{ href: "nowhere.html", written: "./nowhere", location }];
  const [fault] = check('<a href="nowhere.html">', { uses }).diagnostics;
  assert.deepEqual(fault?.location, location);
  assert.match(fault?.what ?? "", /"\.\/nowhere"/);
});

test("a fault that is not in the page's text is located in the configuration", () => {
  assert.deepEqual(check('<a href="nowhere.html">').diagnostics[0]?.location, chromeLocation);
});

test("a fault that has been reported already is not reported again", () => {
  const location = { sourcePath: "guides/install.mdx", line: 4, column: 2 };
  const reported = [{ code: "LINK_NOT_FOUND", severity: "warning", what: "…", location, fix: "…" }] as const;
  const uses = [{ href: "nowhere.html", written: "./nowhere", location }];
  assert.deepEqual(check('<a href="nowhere.html">', { uses, reported }).diagnostics, []);
});

test("two faults at one location are both reported, as on a page that is made from a specification", () => {
  const location = { sourcePath: "api.json", line: 3, column: 1 };
  const reported = [
    { code: "LINK_NOT_FOUND", severity: "warning", what: 'The link "/nowhere" …', location, fix: "…" },
  ] as const;
  const uses = [
    { href: "nowhere.html", written: "/nowhere", location },
    { href: "#section/Gone", written: "#section/Gone", location },
  ];
  const html = '<a href="nowhere.html"></a><a href="#section/Gone"></a>';
  assert.deepEqual(
    check(html, { uses, reported }).diagnostics.map(({ code }) => code),
    ["ANCHOR_NOT_FOUND"],
  );
});

test("a missing anchor is reported with the intended one", () => {
  const [fault] = check('<h2 id="set-up-the-tool"></h2><a href="#setup-the-tool">').diagnostics;
  assert.equal(fault?.fix, 'write "#set-up-the-tool".');
});

test("a link that spells an anchor differently is repaired and reported", () => {
  const location = { sourcePath: "guides/install.mdx", line: 4, column: 2 };
  const html = '<h2 id="step-2-create"></h2><a href="#step-2:-create">';
  const { diagnostics, repairs } = check(html, {
    uses: [{ href: "#step-2:-create", written: "#step-2:-create", location }],
  });
  assert.deepEqual(
    diagnostics.map(({ code, fix, location }) => [code, fix, location]),
    [["ANCHOR_SPELLING_DIFFERS", 'write "#step-2-create".', location]],
  );
  assert.equal(
    repairLinks(html, "guides/install.html", repairs),
    '<h2 id="step-2-create"></h2><a href="#step-2-create">',
  );
});

test("a link of the settings is on every page, so it is only reported", () => {
  const { diagnostics, repairs } = check('<h2 id="step-2-create"></h2><a href="#step-2:-create">');
  assert.deepEqual(
    diagnostics.map(({ code, fix }) => [code, fix]),
    [["ANCHOR_NOT_FOUND", 'write "#step-2-create".']],
  );
  assert.equal(repairs.size, 0);
});

test("an anchor of the layout is never suggested", () =>
  assert.equal(check('<footer id="footer"></footer><a href="#Foot-er">').diagnostics[0]?.code, "ANCHOR_NOT_FOUND"));

test("repairLinks changes the links to one anchor and nothing else", () => {
  const repairs = new Map([["index.html#a&b", "a-&-\"b'"]]);
  const cases = [
    ['<a href="../index.html#a&amp;b">', '<a href="../index.html#a-&amp;-%22b\'">'],
    ['<a href="../index.html?q=1#a%26b" id="#a">', '<a href="../index.html?q=1#a-&amp;-%22b\'" id="#a">'],
    ['<a href="index.html#a&amp;b">', undefined],
    ['<a href="#a&amp;b">', undefined],
    ['<a data-href="../index.html#a&amp;b">', undefined],
    ["<a href='../index.html#a&amp;b'>", undefined],
    ['<script>\'<a href="../index.html#a&b">\'</script><!-- <a href="../index.html#a&amp;b"> -->', undefined],
    ['<code>&lt;a href="../index.html#a&amp;b"&gt;</code>', undefined],
  ] as const;
  for (const [before, after] of cases)
    assert.equal(repairLinks(before, "guides/install.html", repairs), after ?? before);
});
