import { describe, expect, test } from "vitest";
import { movePage } from "../../../src/bundle/outputs/printed-document.js";
import { withinCpu } from "../../support/machine-time.js";

const pages = new Map([
  ["guides/install.html", 3],
  ["guides/größe.html", 4],
]);
const moved = (html: string, levels = 1): string =>
  movePage(html, {
    from: "guides/install.html",
    to: "_print/guides.html",
    page: 3,
    levels,
    pageAt: (path) => pages.get(path),
  });

describe("a page in a printed document", () => {
  const cases: readonly (readonly [rule: string, html: string, expected: string])[] = [
    ["has its own ids", '<p id="a">', '<p id="p3-a">'],
    ["keeps what refers to them", '<i aria-labelledby="a b" for="c">', '<i aria-labelledby="p3-a p3-b" for="p3-c">'],
    ["links within itself", '<a href="#set%20up">', '<a href="#p3-set%20up">'],
    ["links to its own start", '<a href="#">', '<a href="#p3">'],
    ["links to a page of the document", '<a href="gr%C3%B6%C3%9Fe.html">', '<a href="#p4">'],
    ["links to a place in it", '<a href="../guides/gr%C3%B6%C3%9Fe.html?a=1#x&amp;y">', '<a href="#p4-x&amp;y">'],
    ["links to other pages", '<a href="../api/a.html?b=1&amp;c#d">', '<a href="../api/a.html?b=1&amp;c#d">'],
    ["links to pages below it", '<a href="deep/a%20b.html">', '<a href="../guides/deep/a%20b.html">'],
    ["keeps links to other sites", '<a href="https://x.y/#a">', '<a href="https://x.y/#a">'],
    ["keeps mail links", '<a href="mailto:a@b.c">', '<a href="mailto:a@b.c">'],
    ["shows pictures", '<img src="../images/a.png" loading="lazy">', '<img src="../images/a.png">'],
    [
      "shows pictures of each size",
      '<img srcset="a.png 1x, b.png 2x">',
      '<img srcset="../guides/a.png 1x, ../guides/b.png 2x">',
    ],
    [
      "paints vector drawings",
      '<g fill="url(#a)"><use xlink:href="#b"/></g>',
      '<g fill="url(#p3-a)"><use xlink:href="#p3-b"/></g>',
    ],
    [
      "has its backgrounds",
      '<p style="background:url(&quot;../a.png&quot;)">',
      '<p style="background:url(&quot;../a.png&quot;)">',
    ],
    ["opens closed elements", '<details name="x"><summary>', "<details open><summary>"],
    ["leaves open elements open", '<details class="an open" open>', '<details class="an open" open>'],
    ["lowers headings", '<h2 id="a">A</h2>', '<h3 id="p3-a" data-level="2">A</h3>'],
    [
      "leaves text alone",
      '<p title="url(#a)">id="a" href="#b" &lt;h2></p>',
      '<p title="url(#a)">id="a" href="#b" &lt;h2></p>',
    ],
    ["leaves code alone", '<span class="x">h2 id="a"</span>', '<span class="x">h2 id="a"</span>'],
  ];
  for (const [rule, html, expected] of cases) test(rule, () => expect(moved(html)).toBe(expected));

  test("has heading levels that HTML does not have", () => {
    expect(moved("<h4>A</h4>", 3)).toBe('<h6 data-level="4" aria-level="7">A</h6>');
  });

  test("takes time in proportion to its length, even if it is broken", async () => {
    await withinCpu(20_000, () => {
      for (const part of ["<a ", "<a x=", '<a x="', "<a\n\t ", "<a b c d e ", '<p style="url('])
        moved(part.repeat(20_000));
    });
  });
});
