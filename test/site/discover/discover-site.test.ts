import { describe, expect, test } from "vitest";
import { causeOf, whyLeftOut } from "../../../src/site/links/index.js";
import { buildSite, drawNavigation, page, type Written } from "./build-site.js";

const tabs: Written = {
  tabs: [
    { tab: "T", pages: ["a", { group: "G", root: "b", pages: ["c"] }] },
    { tab: "U", pages: ["d"] },
    { tab: "V", href: "/a" },
  ],
  global: { anchors: [{ anchor: "D", href: "/d" }] },
};
const letters = ["a", "b", "c", "d"].map((letter) => `${letter}.mdx`);

test("specifications are listed in the order written, those of hidden containers left out", async () => {
  const { site } = await buildSite(
    {
      openapi: "a.json",
      tabs: [
        { tab: "T", openapi: ["b.json", "c.json"], groups: [{ group: "G", openapi: "d.json" }] },
        { tab: "Hidden", hidden: true, openapi: "e.json" },
        { tab: "U", asyncapi: "f.yaml" },
      ],
    },
    letters,
  );
  const { openapi, asyncapi } = site.specRefs;
  expect(openapi.map(({ source }) => source)).toEqual(["a.json", "b.json", "c.json", "d.json"]);
  expect(asyncapi.map(({ source }) => source)).toEqual(["f.yaml"]);
});

test("the result does not contain the navigation as written", async () => {
  const { site } = await buildSite(tabs, letters);
  expect(site.config).not.toHaveProperty("navigation");
});

test("a file that $ref adds to the settings is not published; other JSON files are", async () => {
  const { site } = await buildSite(
    { $ref: "./settings/tabs.json" },
    {
      "a.mdx": page("A"),
      "settings/tabs.json": '{"groups": [{"$ref": "groups/first.json"}]}',
      "settings/groups/first.json": '{"group": "First", "pages": ["a"]}',
      "settings/other.json": "{}",
    },
  );
  expect(site.staticFiles).toEqual(["settings/other.json"]);
});

test("an imported file is not a page, however its path is written", async () => {
  const { site } = await buildSite(
    {},
    {
      "a.mdx": 'import B from "/my%20part.mdx"\nimport C from "parts/c"\n\n<B/><C/>\n',
      "my part.mdx": "b",
      "parts/c.mdx": "c",
    },
  );
  expect(site.pages.map((each) => each.sourcePath)).toEqual(["a.mdx"]);
});

describe("with `paths`", () => {
  test("only these pages are exported, and the navigation shows only them", async () => {
    const { site, codes } = await buildSite(tabs, letters, { paths: ["/c", "b.mdx"] });
    expect(codes).toEqual([]);
    expect(drawNavigation(site)).toBe(
      ["root Acme* @/b", "  tab T* @/b", "    G /b", "      - C /c", "  tab U hidden", "  tab V hidden"].join("\n"),
    );
    expect(site.pages.map((each) => each.index)).toEqual([0, 1]);
    expect(site.homePage).toBe(0);
  });

  test("a page keeps the address it has in a full export", async () => {
    const files = ["guides.mdx", "guides/index.mdx"];
    const { site } = await buildSite({}, files, { paths: ["guides/index.mdx"] });
    expect(site.pages.map((each) => each.outputPath)).toEqual(["guides/index.html"]);
  });

  test("a page that is not named is left out, not missing: a link to it says so", async () => {
    const { site } = await buildSite({}, ["a.mdx", "b.mdx"], { paths: ["a.mdx"] });
    expect(site.leftOut).toEqual([["/b", { sourcePath: "b.mdx", why: "paths" }]]);
    expect(whyLeftOut(site.leftOut![0]![1])).toBe("which is not among the pages that this export was asked for");
    expect(causeOf(site.leftOut![0]![1])).toEqual({ cause: "--paths" });
  });

  test("an unknown page is an error that names the nearest one", async () => {
    const { site, diagnostics } = await buildSite(tabs, ["guides/install.mdx"], {
      paths: ["/guides/instal", "/zebra"],
    });
    expect(site.pages).toEqual([]);
    expect(diagnostics.filter((each) => each.code === "PATH_UNKNOWN")).toEqual([
      {
        code: "PATH_UNKNOWN",
        severity: "error",
        what: 'The export should include "/guides/instal", but the site has no such page.',
        fix: 'write "/guides/install".',
      },
      {
        code: "PATH_UNKNOWN",
        severity: "error",
        what: 'The export should include "/zebra", but the site has no such page.',
        fix: "write the path of a page, such as /guides/install.",
      },
    ]);
  });
});

describe("files", () => {
  test("that others import are not pages, whoever imports them", async () => {
    const { site } = await buildSite(
      { pages: ["a"] },
      {
        "a.mdx": 'import B from "./parts/b.mdx"\n\n<Snippet file="s.mdx" />',
        "parts/b.mdx": 'import C from "./c.jsx"\nimport D from "/d.mdx"',
        "parts/c.jsx": 'import x from "./x.js"\nexport const C = () => <p className="c-1" />',
        "parts/x.js": 'export { y } from "./y.js"',
        "parts/y.js": "",
        "other.js": "",
        "d.mdx": "",
        "e.mdx": "",
        "snippets/s.mdx": '<b class="s-1" />',
        "snippets/unused.mdx": "",
      },
    );
    expect(site.pages.map((each) => each.sourcePath)).toEqual(["a.mdx", "e.mdx"]);
    expect(site.snippets).toEqual([
      "d.mdx",
      "parts/b.mdx",
      "parts/c.jsx",
      "parts/x.js",
      "parts/y.js",
      "snippets/s.mdx",
    ]);
    expect(site.scripts).toEqual(["other.js"]);
    expect(site.classNames).toEqual(["c-1", "s-1"]);
  });

  test("that others import are pages if the navigation lists them", async () => {
    const { site } = await buildSite({ pages: ["a", "b"] }, { "a.mdx": 'import B from "./b.mdx"', "b.mdx": "" });
    expect(site.pages.map((each) => each.sourcePath)).toEqual(["a.mdx", "b.mdx"]);
    expect(site.snippets).toEqual([]);
  });

  test("for contributors are pages only if the navigation lists them", async () => {
    const { site } = await buildSite({ pages: ["README"] }, ["README.md", "AGENTS.md", "guides/CLAUDE.md"]);
    expect(site.pages.map((each) => each.sourcePath)).toEqual(["README.md"]);
  });

  test("are sorted by purpose", async () => {
    const { site } = await buildSite({}, ["a.mdx", "x.css", "js/y.js", "img/z.png", "openapi.json"]);
    expect(site).toMatchObject({ styles: ["x.css"], scripts: ["js/y.js"], staticFiles: ["img/z.png", "openapi.json"] });
  });

  test("whose path is taken are left out of the navigation too", async () => {
    const { site, codes } = await buildSite({ pages: ["Foo", "foo"] }, ["Foo.mdx", "foo.mdx"]);
    expect(drawNavigation(site)).toBe("root Acme* @/Foo\n  - Foo /Foo");
    expect(codes).toEqual(["PATH_TAKEN"]);
  });
});

describe("discoverSite", () => {
  test("returns plain data, the same each time", async () => {
    const [one, other] = [await buildSite(tabs, letters), await buildSite(tabs, letters)];
    expect(structuredClone(one.site)).toEqual(one.site);
    expect(JSON.stringify(other.site)).toBe(JSON.stringify(one.site));
  });

  test("stops between two pages when it is aborted", async () => {
    const control = new AbortController();
    let read = 0;
    const work = buildSite(
      {},
      Array.from({ length: 2000 }, (_, index) => `page-${index}.mdx`),
      {
        signal: control.signal,
        parseFrontmatter: () => {
          read++;
          const until = performance.now() + 0.5;
          while (performance.now() < until);
          return { frontmatter: {}, bodyStart: 0, diagnostics: [] };
        },
      },
    );
    setTimeout(() => control.abort(new Error("enough")), 30);
    await expect(work).rejects.toThrow("enough");
    expect(read).toBeLessThan(1000);
  });

  test("reports its progress to the end", async () => {
    const seen: [number, number][] = [];
    await buildSite({}, letters, { onProgress: (done, total) => seen.push([done, total]) });
    expect(seen.at(-1)).toEqual([4, 4]);
  });

  test("keeps only the front matter of a page's text", async () => {
    const long = `text ${"x".repeat(5000)}`;
    const { site } = await buildSite({}, { "a.mdx": page("A", 'description: "says what it is"') + long });
    expect(JSON.stringify(site)).not.toContain("xxxx");
  });

  test("needs time and memory in proportion to the pages", async () => {
    const siteOf = async (count: number) => {
      const names = Array.from(
        { length: count },
        (_, index) => `section-${index % 40}/group-${index % 400}/page-${index}`,
      );
      const groups = [...Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf("/")))];
      const navigation = { tabs: [{ tab: "T", groups: groups.map(([group, pages]) => ({ group, pages })) }] };
      const files = Object.fromEntries(
        names.map((name) => [`${name}.mdx`, page(name, "description: Some words about it.")]),
      );
      return (await buildSite(navigation, files)).site;
    };
    const bytes = async (count: number) => JSON.stringify({ ...(await siteOf(count)), config: undefined }).length;
    const [small, large] = [await bytes(1000), await bytes(8000)];
    expect(large / small).toBeLessThan(8.8);
    expect(large / 8000).toBeLessThan(1000);
  });
});
