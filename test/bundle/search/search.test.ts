import assert from "node:assert/strict";
import { test } from "vitest";
import { indexOf, openIndex, page, searcher, sections, titlesOf } from "./index-of.js";

const pages = [
  page("Quickstart", { sections: sections("Install the command line and make a first site.") }),
  page("Custom domain", {
    trail: ["Deploy"],
    sections: sections(
      "Serve the docs from an address of your own.",
      ["Add a record", "Point a CNAME record at the host. Certificates follow by themselves."],
      ["Troubleshooting", "A record may need a day until everyone sees it."],
    ),
  }),
  page("Authentication", {
    keywords: ["login", "sso"],
    otherNames: ["secure your site"],
    sections: sections(
      "Readers sign in before they see a page.",
      ["OAuth", "Configure the authorization endpoint.", "curl -H 'X-Api-Key: $DOCS_TOKEN'"],
      ["getSession()", "Gives the session of a reader, or nothing."],
    ),
  }),
  page("Search", {
    sections: sections("How readers find pages.", ["Boost a page", "Raise a page in the results by boost."]),
  }),
  page("搜索", {
    href: "zh/search.html",
    sections: sections("读者如何查找页面。", ["提升页面", "在结果中提升页面的排名。"]),
  }),
  page("インストール", { href: "ja/install.html", sections: sections("コマンドラインをインストールします。") }),
];

const queries: readonly (readonly [rule: string, query: string, first: string])[] = [
  // A search …                                query                        first result
  ["finds a title", "custom domain", "Custom domain"],
  ["finds a section by its heading", "add record", "Add a record"],
  ["finds words of a text", "cname", "Add a record"],
  ["finds the section that has all words", "day until everyone", "Troubleshooting"],
  ["finds words by their beginning", "authen", "Authentication"],
  ["finds by the first letter", "q", "Quickstart"],
  ["finds other forms of a word", "installing", "Quickstart"],
  ["forgives a missing letter", "authentcation", "Authentication"],
  ["forgives exchanged letters", "quikcstart", "Quickstart"],
  ["forgives a wrong first letter", "zuickstart", "Quickstart"],
  ["forgives in a word that is not finished", "autehnt", "Authentication"],
  ["finds keywords that no page shows", "sso", "Authentication"],
  ["finds a page by the name that it had", "secure site", "Authentication"],
  ["finds words of code", "DOCS_TOKEN", "OAuth"],
  ["finds a name by a part of it", "session", "getSession()"],
  ["finds a name typed in small letters", "getsession", "getSession()"],
  ["finds a name with its parts apart", "get session", "getSession()"],
  ["finds a section by a word of its page's title", "search boost", "Boost a page"],
  ["reads accents as plain letters", "doméin", "Custom domain"],
  ["finds Chinese", "搜索", "搜索"],
  ["finds Chinese in a text", "结果中", "提升页面"],
  ["finds by one Chinese character", "搜", "搜索"],
  ["finds kana", "コマンド", "インストール"],
  ["passes over words that are nowhere", "custom domain xyzzy", "Custom domain"],
];
const ask = searcher(pages);
for (const [rule, query, first] of queries)
  test(`a search ${rule}`, async () => assert.equal(titlesOf(await (await ask)(query))[0], first));

test("a search without words finds nothing", async () => {
  for (const query of ["", " ", "?!", "\ud800", "🚀"]) assert.deepEqual((await (await ask)(query)).hits, []);
});

test("a result has its path in the navigation and its link", async () => {
  const [hit] = (await (await ask)("add a record")).hits;
  assert.equal(hit?.href, "custom-domain.html#s1");
  assert.deepEqual(hit?.trail, ["Deploy", "Custom domain"]);
  assert.equal(hit?.isPage, false);
});

test("a boost raises every part of a page", async () => {
  const twins = (boost: number) =>
    searcher([
      page("Alpha guide", { sections: sections("", ["Retry a job", "Same words."]) }),
      page("Beta guide", { boost, sections: sections("", ["Retry a job", "Same words."]) }),
    ]);
  assert.equal((await (await twins(1))("retry job")).hits[0]?.href, "alpha-guide.html#s1");
  assert.equal((await (await twins(3))("retry job")).hits[0]?.href, "beta-guide.html#s1");
  assert.equal(titlesOf(await (await twins(0.2))("guide"))[0], "Alpha guide");
});

test("at most three parts of a page are shown, and one of each heading", async () => {
  const field = ["retries", "How often to try."] as const;
  const ask = await searcher([
    page("Fields", { sections: sections("", field, field, ["retries left", "x"], ["max retries", "y"]) }),
    page("Other", { sections: sections("Nothing but retries.") }),
  ]);
  const titles = titlesOf(await ask("retries"));
  assert.equal(titles.filter((title) => title === "retries").length, 1);
  assert.ok(titles.length <= 4);
  assert.ok(titles.includes("Other"));
});

test("operations of one title are results of their own, and one operation in several versions is one", async () => {
  const operation = (version: string, path: string) =>
    page("Get the number of the resource", {
      href: `${version}/${path.slice(1)}.html`,
      marker: "GET",
      sections: sections(`Provides operations to count the many things there are here. GET ${path}`),
    });
  const paths = Array.from({ length: 12 }, (_, at) => `/things${at}/$count`);
  const find = await searcher([...paths.map((path) => operation("v2", path)), operation("v1", paths[0]!)]);
  const { hits } = await find("number of the resource");
  assert.equal(hits.length, 10);
  assert.equal(new Set(hits.map(({ text }) => text)).size, 10);
});

test("the index does not depend on the order in which pages finish", async () => {
  const many = Array.from({ length: 100 }, (_, i) =>
    page(`Page ${i}`, { sections: sections(`Word${i % 7} and word${i}.`) }),
  );
  const order = many.map((_, i) => (i * 37) % 100);
  assert.deepEqual(await indexOf(many, order), await indexOf(many));
});

test("characters with a meaning in JSON, scripts and HTML are preserved", async () => {
  const odd = 'a "b" \\ </script><script>alert(1)</script> \u2028 \u0000 %';
  const ask = await searcher([page("Odd", { title: odd, sections: sections(odd, [odd, "plain"]) })]);
  const { hits } = await ask("alert plain");
  assert.equal(hits[0]?.title, odd);
});

test("the index of a site without words finds nothing", async () => {
  const index = await openIndex(await indexOf([page("", { sections: sections("") })]));
  assert.equal(index.entryCount, 1);
  assert.deepEqual(titlesOf(await (await searcher([page("", { sections: sections("") })]))("anything")), []);
});
