import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { chromeIds } from "../../../src/page/theme/chrome/hooks.js";
import { createTheme } from "../../../src/page/theme/theme.js";
import type { ThemeName } from "../../../src/site/config/site-config.js";
import { createAddresses } from "../../../src/site/links/index.js";
import type { SidebarEntry, Site } from "../../../src/site/site.js";
import { startCpuTimer } from "../../support/machine-time.js";
import {
  renderedPage,
  sampleConfig,
  sampleManifest,
  samplePage,
  sampleSite,
  sampleTheme,
  section,
} from "./sample-site.js";

describe("document", () => {
  test("a document is one complete page with relative links", () => {
    const site = sampleSite();
    const html = sampleTheme(site).document(site.pages[2]!, renderedPage());
    assert.match(html, /^<!doctype html>\n<html lang="en" dir="ltr"/);
    assert.match(html, /data-current-path="\/guides\/deep\/tune"/);
    assert.match(html, /<link rel="stylesheet" href="\.\.\/\.\.\/_offprint\/app\.11111111\.css">/);
    assert.match(html, /<script src="\.\.\/\.\.\/_offprint\/head\.22222222\.js"><\/script>/);
    assert.match(html, /href="\.\.\/\.\.\/guides\/install\.html"/);
    assert.match(html, /<div id="content" class="mdx-content prose"><p>Body\.<\/p><\/div>/);
    assert.doesNotMatch(html, / style=|data-mark|undefined|crossorigin|integrity/);
  });

  test("a document has the page's style sheets between ours and the site's", () => {
    const site = sampleSite();
    const manifest = { ...sampleManifest, stylesheets: ["app.css", "site.css"] };
    const theme = sampleTheme(site, { manifest });
    const html = theme.document(site.pages[0]!, renderedPage({ stylesheets: ["tree.css"] }));
    assert.deepEqual(
      [...html.matchAll(/rel="stylesheet" href="([^"]*)"/g)].map(([, href]) => href),
      ["app.css", "tree.css", "site.css"],
    );
  });

  test("a document loads an image at its start at once, and others when they approach the window", () => {
    const site = sampleSite();
    const imagesOf = (html: string) =>
      sampleTheme(site)
        .document(site.pages[0]!, renderedPage({ html }))
        .match(/<img (?:loading|fetchpriority)[^>]*>/g);
    const lazy = '<img loading="lazy" decoding="async" src="a.png" alt="">';
    const first = '<img fetchpriority="high" decoding="async" src="a.png" alt="">';
    assert.deepEqual(imagesOf(`<p>a</p>${lazy}${lazy}`), [first, lazy]);
    assert.deepEqual(imagesOf(`<p>${"a ".repeat(3000)}</p>${lazy}`), [lazy]);
  });

  test("a document marks only the current page as current", () => {
    const site = sampleSite();
    const html = sampleTheme(site).document(site.pages[1]!, renderedPage());
    assert.equal(html.match(/aria-current="page"/g)?.length, 1);
    assert.match(
      html,
      /data-active="true"><a class="sidebar-link" href="\.\.\/guides\/install\.html" aria-current="page">/,
    );
  });

  test("a document escapes titles, labels and the site's name", () => {
    const evil = `"><script>alert(1)</script>`;
    const page = samplePage(0, "/", {
      title: evil,
      sidebarTitle: evil,
      description: "d",
      breadcrumbs: [{ label: evil }],
    });
    const site = sampleSite({ pages: [page], config: sampleConfig({ name: evil }) });
    assert.doesNotMatch(sampleTheme(site).document(page, renderedPage()), /"><script>/);
  });

  test("a document has the same bytes after any other page", () => {
    const site = sampleSite();
    const fresh = sampleTheme(site).document(site.pages[1]!, renderedPage());
    const theme = sampleTheme(site);
    for (const plan of site.pages) theme.document(plan, renderedPage());
    assert.equal(theme.document(site.pages[1]!, renderedPage()), fresh);
  });

  const modes = [
    // mode       table of contents  title  footer
    ["default", true, true, true],
    ["wide", false, true, true],
    ["center", false, true, true],
    ["frame", false, false, true],
    ["custom", false, false, false],
    ["assistant", true, true, true],
  ] as const;
  for (const [mode, toc, title, footer] of modes) {
    test(`has the elements of mode ${mode}`, () => {
      const page = samplePage(0, "/", { frontmatter: { mode } });
      const footerConfig = { socials: [{ type: "github", href: "https://github.com/acme" }], links: [] };
      const site = sampleSite({ pages: [page], config: sampleConfig({ footer: footerConfig }) });
      const html = sampleTheme(site).document(
        page,
        renderedPage({
          toc: [
            { id: "one", depth: 2, text: "One" },
            { id: "two", depth: 2, text: "Two" },
          ],
        }),
      );
      assert.equal(html.includes('id="table-of-contents"'), toc);
      assert.equal(html.includes('id="page-title"'), title);
      assert.equal(html.includes('id="footer"'), footer);
    });
  }

  for (const [title, shown] of [
    ["/boards/{id}/customFieldItems", "/boards<wbr>/{id}<wbr>/custom<wbr>Field<wbr>Items"],
    ["Save customFieldItemsOfBoards", "Save custom<wbr>Field<wbr>Items<wbr>Of<wbr>Boards"],
    ["JavaScript for self-hosted boards", "JavaScript for self-hosted boards"],
  ] as const)
    test(`the title "${title}" may break at the joints of a long word only`, () => {
      const page = samplePage(0, "/", { title });
      const html = sampleTheme(sampleSite({ pages: [page] })).document(page, renderedPage());
      assert.equal(/<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1], shown);
    });

  test("the layout gives up an id that a heading of the page uses", () => {
    const site = sampleSite();
    const plan = { ...site.pages[1]!, previous: 0, next: 2 };
    const html = sampleTheme(site).document(
      plan,
      renderedPage({ html: '<h2 id="pagination">Pagination</h2>', panelHtml: '<p id="header">x</p>' }),
    );
    for (const id of ["pagination", "header"]) assert.equal(html.match(new RegExp(` id="${id}"`, "g"))?.length, 1);
    assert.match(html, /<h2 id="pagination">/);
    assert.match(html, /<nav class="pagination" aria-label/);
  });

  test("no style sheet or script of the reader selects an id that a heading can take from the layout", () => {
    const roots = ["page/theme/styles", "reader"].map((folder) =>
      fileURLToPath(new URL(`../../../src/${folder}`, import.meta.url)),
    );
    const files = roots.flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(?:css|tsx?)$/.test(name))
        .map((name) => join(root, name)),
    );
    const selected = new RegExp(
      `#(${[...chromeIds].join("|")})(?![\\w-])|getElementById\\("(?:${[...chromeIds].join("|")})"`,
    );
    const found = files.filter((file) => selected.test(readFileSync(file, "utf8")));
    assert.ok(files.length > 100);
    assert.deepEqual(found, []);
  });

  test("the layout keeps its ids if the page only mentions them", () => {
    const site = sampleSite();
    const plan = { ...site.pages[1]!, previous: 0, next: 2 };
    const written = '<p title="a > b" id="header">Style <code> id="pagination"</code>.</p>';
    const html = sampleTheme(site).document(plan, renderedPage({ html: written }));
    assert.match(html, /<nav id="pagination"/);
    assert.doesNotMatch(html, /<header id="header"/);
  });

  test("an Arabic page is read from right to left in the language of its folder, even if the navigation does not say so", () => {
    const inArabic = (title: string) =>
      sampleTheme(sampleSite({ pages: [samplePage(0, "/ar/start", { title })] })).document(
        samplePage(0, "/ar/start", { title }),
        renderedPage(),
      );
    assert.match(
      inArabic("دليل API"),
      /<html lang="en" dir="ltr".*id="content-area" class="content-area" lang="ar" dir="rtl">/s,
    );
    assert.match(inArabic("Installing دليل"), /class="content-area">/);
  });

  test("a document in Arabic reads from right to left", () => {
    const sections = [
      section(0, { children: [1] }),
      section(1, { kind: "language", label: "ar", parent: 0, division: 0, landing: 0 }),
    ];
    const pages = [samplePage(0, "/ar/start", { language: "ar" })];
    const divisions = [{ id: 0, sections: [0, 1], entries: [], order: [0] }];
    const site = sampleSite({ pages, sections, divisions });
    assert.match(sampleTheme(site).document(pages[0]!, renderedPage()), /<html lang="ar" dir="rtl"/);
  });
});

describe("links to a page's source", () => {
  const repository = { url: "https://git.acme.com/a/docs", ref: "main", folder: "/en" };
  const linksOf = (kind: "github" | "gitlab", shown: object, changes: object = {}) => {
    const config = sampleConfig({
      feedback: { edits: true, issues: true, repository: { ...repository, kind }, ...shown },
    });
    const page = samplePage(0, "/", { title: 'A & "B"', sourcePath: "a b/c#.mdx", ...changes });
    const html = sampleTheme(sampleSite({ config, pages: [page] })).document(page, renderedPage());
    const source = /<p class="page-source">.*?<\/p>/s.exec(html)?.[0] ?? "";
    return [...source.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));
  };

  test("source links lead to the editor and to a new issue at GitHub and GitLab", () => {
    assert.deepEqual(linksOf("github", {}), [
      "https://git.acme.com/a/docs/edit/main/en/a%20b/c%23.mdx",
      "https://git.acme.com/a/docs/issues/new?title=A+%26+%22B%22&body=a+b%2Fc%23.mdx",
    ]);
    assert.deepEqual(linksOf("gitlab", {}), [
      "https://git.acme.com/a/docs/-/edit/main/en/a%20b/c%23.mdx",
      "https://git.acme.com/a/docs/-/issues/new?issue%5Btitle%5D=A+%26+%22B%22&issue%5Bdescription%5D=a+b%2Fc%23.mdx",
    ]);
  });

  test("a page has only the source links that the site wants and that work", () => {
    assert.equal(linksOf("github", { edits: false }).length, 1);
    assert.deepEqual(linksOf("github", { repository: undefined }), []);
    assert.deepEqual(linksOf("github", { issues: false }, { sourcePath: "https://x.y/spec.json" }), []);
  });
});

describe("the layout of a theme", () => {
  const links = (count: number): Site["globalLinks"] =>
    Array.from({ length: count }, (_, at) => ({
      kind: "tab" as const,
      label: `A tab called ${at}`,
      href: "https://acme.example",
      location: { sourcePath: "docs.json" },
    }));
  const documentOf = (theme: ThemeName, changes: Partial<Site> = {}): string => {
    const site = sampleSite({ config: sampleConfig({ theme }), ...changes });
    return sampleTheme(site).document(site.pages[1]!, renderedPage());
  };

  test("tabs are beside the logo if the theme puts them there and there is room", () => {
    assert.match(documentOf("aspen", { globalLinks: links(3) }), /<html[^>]* data-header="row"/);
    assert.doesNotMatch(documentOf("aspen", { globalLinks: links(9) }), /data-header/);
    assert.doesNotMatch(documentOf("mint", { globalLinks: links(3) }), /data-header/);
  });

  test("themes for large navigations show the whole path above the title, unless docs.json says otherwise", () => {
    const breadcrumbs = [{ label: "Guides" }, { label: "Deep" }];
    const pages = [samplePage(0, "/"), samplePage(1, "/x", { breadcrumbs })];
    assert.match(documentOf("aspen", { pages }), /breadcrumb-list/);
    assert.doesNotMatch(documentOf("mint", { pages }), /breadcrumb-list/);
    const { styling } = sampleConfig();
    const config = sampleConfig({ theme: "aspen", styling: { ...styling, eyebrows: "section" } });
    assert.doesNotMatch(documentOf("aspen", { pages, config }), /breadcrumb-list/);
  });

  test("the tabs of a site and of its version are shown once, in the header", () => {
    const tab = (id: number, parent: number, label: string, page: number) =>
      section(id, { kind: "tab", label, parent, division: 0, landing: page });
    const sections = [
      section(0, { children: [1, 2, 3] }),
      tab(1, 0, "Guides", 2),
      tab(2, 0, "Community", 2),
      section(3, { kind: "version", label: "v2", parent: 0, landing: 1, children: [4, 5], default: true }),
      tab(4, 3, "Guides", 1),
      tab(5, 3, "Reference", 1),
    ];
    const divisions = [{ id: 0, sections: [0, 3, 4], entries: [], order: [0, 1, 2] }];
    const global = [{ kind: "tab" as const, label: "Reference", href: "/x", location: { sourcePath: "docs.json" } }];
    const html = documentOf("mint", { sections, divisions, globalLinks: global });
    const labels = [...html.matchAll(/<a class="nav-(?:tabs-item|anchor)"[^>]*>([^<]*)</g)].map(([, label]) => label);
    assert.deepEqual(labels, ["Guides", "Reference", "Community"]);
    assert.match(html, /<a class="nav-tabs-item" data-active="true"[^>]*>Guides</);
  });

  test("the logo has a size, so that nothing shifts", () => {
    const logo = { light: "/logo.svg", dark: "/logo.svg" };
    const site = sampleSite({ config: sampleConfig({ logo }), staticFiles: ["logo.svg"] });
    const theme = sampleTheme(site, { imageSize: () => ({ width: 120, height: 30 }) });
    assert.match(
      theme.document(site.pages[0]!, renderedPage()),
      /<img class="nav-logo[^"]*" src="logo\.svg" width="120" height="30"/,
    );
  });
});

describe("switchers", () => {
  const sections = [
    section(0, { children: [1, 2] }),
    section(1, { kind: "language", label: "en", parent: 0, division: 0, landing: 0, default: true }),
    section(2, { kind: "language", label: "fr", parent: 0, division: 1, landing: 2 }),
  ];
  const pages = [
    samplePage(0, "/start", { language: "en" }),
    samplePage(1, "/guides/only-here", { language: "en" }),
    samplePage(2, "/fr/start", { language: "fr", division: 1 }),
    samplePage(3, "/fr/guides/more", { language: "fr", division: 1 }),
  ];
  const divisions = [
    { id: 0, sections: [0, 1], entries: [], order: [0, 1] },
    { id: 1, sections: [0, 2], entries: [], order: [2, 3] },
  ];
  const site = sampleSite({ pages, sections, divisions });

  test("a switcher leads to the same page in the other language", () => {
    assert.match(
      sampleTheme(site).document(pages[0]!, renderedPage()),
      /nav-dropdown-item[^"]*" href="fr\/start\.html"/,
    );
  });
  test("a language switcher declares the language of each name and of the page it leads to", () => {
    const html = sampleTheme(site).document(site.pages[0]!, renderedPage());
    const item = /<a class="menu-item nav-dropdown-item localization-select-item"[^>]*>(?=(?:(?!<a ).)*Français)/s;
    assert.match(item.exec(html)![0], / lang="fr" hreflang="fr"/);
  });

  test("the banner of a version is above its pages, and that of the site above all others", () => {
    const bannerOf = (content: string) => ({ content, dismissible: false, type: "info" }) as const;
    const versions = sections.map((each): typeof each => ({
      ...each,
      kind: each.kind === "language" ? "version" : each.kind,
      ...(each.label === "fr" && { banner: bannerOf("Old version") }),
    }));
    const config = sampleConfig({ banner: bannerOf("News") });
    const theme = sampleTheme(sampleSite({ pages, divisions, sections: versions, config }));
    const shown = pages.map((page) => /News|Old version/.exec(theme.document(page, renderedPage()))?.[0]);
    assert.deepEqual(shown, ["News", "News", "Old version", "Old version"]);
  });

  test("a switcher leads to the first page if the same page is missing", () => {
    const html = sampleTheme(site).document(pages[1]!, renderedPage());
    assert.match(html, /nav-dropdown-item[^"]*" href="\.\.\/fr\/start\.html"/);
  });

  test("a switcher leads to the default version of a language, or to the version of the same name", () => {
    const versioned = sampleSite({
      sections: [
        section(0, { children: [1, 2] }),
        section(1, { kind: "language", label: "en", parent: 0, division: 0, landing: 0, default: true }),
        section(2, { kind: "language", label: "fr", parent: 0, landing: 2, children: [3, 4] }),
        section(3, { kind: "version", label: "v2", parent: 2, division: 1, landing: 2, default: true }),
        section(4, { kind: "version", label: "v1", parent: 2, division: 2, landing: 4 }),
      ],
      pages: [
        samplePage(0, "/start", { language: "en" }),
        samplePage(1, "/tune", { language: "en" }),
        samplePage(2, "/fr/v2/start", { language: "fr", division: 1 }),
        samplePage(3, "/fr/v2/tune", { language: "fr", division: 1 }),
        samplePage(4, "/fr/v1/tune", { language: "fr", division: 2 }),
        samplePage(5, "/fr/v1/start", { language: "fr", division: 2 }),
      ],
      divisions: [
        { id: 0, sections: [0, 1], entries: [], order: [0, 1] },
        { id: 1, sections: [0, 2, 3], entries: [], order: [2, 3] },
        { id: 2, sections: [0, 2, 4], entries: [], order: [4, 5] },
      ],
    });
    const hrefs = (page: number) =>
      [
        ...sampleTheme(versioned)
          .document(versioned.pages[page]!, renderedPage())
          .matchAll(/-item[^"]*"[^>]* href="([^"]*)"/g),
      ].map(([, href]) => href);
    assert.deepEqual(hrefs(1), ["tune.html", "fr/v2/tune.html"]);
    assert.ok(hrefs(4).includes("../../tune.html"));
    assert.ok(hrefs(4).includes("../../fr/v2/tune.html"));
  });

  /** Two versions; the pages of each by their path and title. */
  const versionsOf = (now: readonly [string, string?][], before: readonly [string, string?][], shared?: string) => {
    const paths = [...now, ...before];
    const pages = [...paths, ...(shared === undefined ? [] : [[shared] as const])].map(([path, title], i) =>
      samplePage(i, path, { division: i < now.length || i === paths.length ? 0 : 1, ...(title && { title }) }),
    );
    const all = pages.map(({ index }) => index);
    const common = all.slice(paths.length);
    const site = sampleSite({
      pages,
      sections: [
        section(0, { children: [1, 2] }),
        section(1, { kind: "version", label: "v2", parent: 0, division: 0, landing: 0, default: true }),
        section(2, { kind: "version", label: "v1", parent: 0, division: 1, landing: now.length }),
      ],
      divisions: [
        { id: 0, sections: [0, 1], entries: [], order: [...all.slice(0, now.length), ...common] },
        { id: 1, sections: [0, 2], entries: [], order: [...all.slice(now.length, paths.length), ...common] },
      ],
    });
    const theme = sampleTheme(site);
    return (page: number) =>
      /-item[^"]*" href="([^"]*)"[^>]*>(?:(?!<a).)*v1</s.exec(theme.document(pages[page]!, renderedPage()))?.[1];
  };

  test("a switcher leads to the page of the same title if the other version has it at another path", () => {
    const toOld = versionsOf(
      [["/start"], ["/setup/linux", "Install on Linux"]],
      [["/v1/start"], ["/v1/install-linux", "Install on Linux"]],
    );
    assert.equal(toOld(1), "../v1/install-linux.html");
  });

  test("a switcher leads to the first page if several pages have the title", () => {
    const toOld = versionsOf(
      [["/start"], ["/billing/about", "Overview"]],
      [["/v1/start"], ["/v1/a", "Overview"], ["/v1/b", "Overview"]],
    );
    assert.equal(toOld(1), "../v1/start.html");
  });

  test("a switcher leads to the same page although all versions share a page outside their folders", () => {
    const toOld = versionsOf(
      [["/docs/v2/start"], ["/docs/v2/learn/tune"]],
      [["/docs/v1/start"], ["/docs/v1/learn/tune", "Tuning"]],
      "/examples",
    );
    assert.equal(toOld(1), "../../../docs/v1/learn/tune.html");
    assert.equal(toOld(4), "examples.html");
  });

  test("a switcher leads to the page of the same name, or at the same place in the sidebar, if sidebars have their own folders", () => {
    const tab = (id: number, label: string, parent: number) =>
      section(id, { kind: "tab", label, parent, division: id - 3, landing: 2 * (id - 3) });
    const paths = ["/docs/v2", "/spec/v2", "/docs/v1", "/spec/v1"].flatMap((folder) => [
      `${folder}/start`,
      `${folder}/basic`,
    ]);
    const pages = paths.map((path, i) => samplePage(i, path, { division: Math.floor(i / 2), title: `${i}` }));
    for (const spec of ["Spec", "Spezifikation"]) {
      const site = sampleSite({
        pages,
        sections: [
          section(0, { children: [1, 2] }),
          section(1, { kind: "version", label: "v2", parent: 0, landing: 0, default: true, children: [3, 4] }),
          section(2, { kind: "version", label: "v1", parent: 0, landing: 4, children: [5, 6] }),
          tab(3, "Docs", 1),
          tab(4, "Spec", 1),
          tab(5, "Docs", 2),
          tab(6, spec, 2),
        ],
        divisions: [3, 4, 5, 6].map((id) => ({
          id: id - 3,
          sections: [0, id < 5 ? 1 : 2, id],
          entries: [],
          order: [2 * (id - 3), 2 * (id - 3) + 1],
        })),
      });
      assert.match(
        sampleTheme(site).document(pages[3]!, renderedPage()),
        /-item[^"]*" href="\.\.\/\.\.\/spec\/v1\/basic\.html"/,
      );
    }
  });

  test("a switcher leads to the first page of a section if the reader is in no section of its kind", () => {
    const site = sampleSite({
      sections: [
        section(0, { children: [1], division: 0, landing: 0 }),
        section(1, { kind: "product", label: "Cloud", parent: 0, division: 1, landing: 1 }),
      ],
      pages: [samplePage(0, "/"), samplePage(1, "/cloud/start", { division: 1 })],
      divisions: [
        { id: 0, sections: [0], entries: [], order: [0] },
        { id: 1, sections: [0, 1], entries: [], order: [1] },
      ],
    });
    assert.match(sampleTheme(site).document(site.pages[0]!, renderedPage()), /-item" href="cloud\/start\.html"/);
  });

  test("a switcher shows a product's menu entries, global links, and its tag apart from its label", () => {
    const site = sampleSite({
      sections: [
        section(0, { children: [1] }),
        section(1, { kind: "product", label: "Cloud", tag: "New", parent: 0, landing: 0, children: [2, 3] }),
        section(2, { kind: "menu", label: "Guides", parent: 1, division: 0, landing: 0 }),
        section(3, { kind: "menu", label: "Reference", parent: 1, division: 1, landing: 1 }),
      ],
      pages: [samplePage(0, "/"), samplePage(1, "/reference", { division: 1 })],
      divisions: [
        { id: 0, sections: [0, 1, 2], entries: [], order: [0] },
        { id: 1, sections: [0, 1, 3], entries: [], order: [1] },
      ],
      globalLinks: [
        { kind: "version", label: "2023", href: "https://old.example", location: { sourcePath: "docs.json" } },
        { kind: "product", label: "Desktop", href: "https://desktop.example", location: { sourcePath: "docs.json" } },
      ],
    });
    const html = sampleTheme(site).document(site.pages[0]!, renderedPage());
    const text = html.replace(/<[^>]*>/g, "");
    assert.match(text, /Cloud New/);
    assert.match(html, /menu-entries.*data-active="true".*Guides.*href="reference\.html".*Reference/s);
    assert.match(html, /menu-product.*href="https:\/\/desktop\.example"/s);
    assert.match(html, /menu-version.*href="https:\/\/old\.example"/s);
  });
});

describe("a large navigation", () => {
  const small = siteOf(50, 5);
  const large = siteOf(5000, 500);
  const flat = siteOf(5000, 1);

  test("a large navigation does not make pages larger", () => {
    const sizeOf = (site: Site, index: number) =>
      gzipSync(sampleTheme(site).document(site.pages[index]!, renderedPage())).length;
    const base = sizeOf(small, 25);
    for (const site of [large, flat])
      assert.ok(sizeOf(site, 2500) - base < 2_000, `${sizeOf(site, 2500)} against ${base}`);
    assert.ok(base < 6_000, String(base));
  });

  test("a large navigation shows the current page among its neighbours and names the script with the other entries", () => {
    const theme = sampleTheme(large);
    const html = theme.document(large.pages[2503]!, renderedPage());
    assert.match(html, /aria-current="page"/);
    assert.match(html, /pages\/page-2504\.html/);
    const [script, ...others] = theme.navScripts();
    assert.equal(others.length, 0);
    assert.ok(html.includes(`data-nav-script="../${script!.outputPath}"`));
    assert.match(script!.text, /^offprintNav\(\[/);
    assert.equal(script!.text.match(/pages\/page-\d+\.html/g)?.length, 5000);
  });

  test("a large navigation adds little time to each page", () => {
    const theme = createTheme({
      site: large,
      addresses: createAddresses(large),
      manifest: sampleManifest,
      icon: () => undefined,
      imageSize: () => undefined,
      renderInline: () => [],
    });
    for (const plan of large.pages.slice(0, 1000)) theme.document(plan, renderedPage());
    const spent = startCpuTimer();
    for (const plan of large.pages.slice(1000, 3000)) theme.document(plan, renderedPage());
    const msPerPage = spent() / 2000;
    assert.ok(msPerPage < 1.5, `${msPerPage} ms of CPU a page`);
  });
});

function siteOf(pageCount: number, groupCount: number): Site {
  const pages = Array.from({ length: pageCount }, (_, index) =>
    samplePage(index, `/pages/page-${index}`, {
      sidebarTitle: `A page about subject ${index}`,
      previous: index > 0 ? index - 1 : undefined,
      next: index + 1 < pageCount ? index + 1 : undefined,
      breadcrumbs: [{ label: "Group" }],
    }),
  );
  const size = pageCount / groupCount;
  const entries = Array.from(
    { length: groupCount },
    (_, group): SidebarEntry => ({
      type: "group",
      label: `Group ${group}`,
      expanded: false,
      entries: pages.slice(group * size, (group + 1) * size).map(({ index }) => ({ type: "page", page: index })),
    }),
  );
  return sampleSite({ pages, entries });
}
