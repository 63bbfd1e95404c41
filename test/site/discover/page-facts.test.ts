import { describe, expect, test } from "vitest";
import { pageFacts } from "../../../src/site/discover/page-facts.js";
import type { Frontmatter, FrontmatterValue } from "../../../src/site/site.js";

const facts = (frontmatter: Frontmatter, urlPath = "/guides/first-steps") => pageFacts(frontmatter, urlPath, "Acme");

describe("the title of a page", () => {
  const cases: readonly (readonly [rule: string, frontmatter: Frontmatter, urlPath: string, title: string])[] = [
    ["is the one in its front matter", { title: "Install" }, "/a", "Install"],
    ["may be a number", { title: 404 }, "/a", "404"],
    ["stays as typed", { title: "10.20" }, "/a", "10.20"],
    ["has no blanks around it", { title: "  Install " }, "/a", "Install"],
    ["comes from the address where it is missing", {}, "/guides/first-steps", "First steps"],
    ["comes from the address where it is empty", { title: " " }, "/set_up", "Set up"],
    ["comes from the address if it is not text", { title: ["a"] }, "/set-up", "Set up"],
    ["has an upper-case first letter in any script", {}, "/über-uns", "Über uns"],
    ["is the site's name at the root", {}, "/", "Acme"],
    ["is that of its folder for a README", {}, "/tools/README", "Tools"],
    ["is the site's name for a README at the root", {}, "/README", "Acme"],
    ["is not taken from a prototype", {}, "/constructor", "Constructor"],
  ];
  for (const [rule, frontmatter, urlPath, title] of cases)
    test(rule, () => expect(facts(frontmatter, urlPath).title).toBe(title));
});

test("the label in the navigation is sidebarTitle, else the title", () => {
  expect(facts({ title: "A", sidebarTitle: "B" }).sidebarTitle).toBe("B");
  expect(facts({ title: "A" }).sidebarTitle).toBeUndefined();
});

test("a url that is the page's own address is no link, nor without the language, as in a translation", () => {
  for (const url of ["/guides/first-steps", "guides/first-steps", "first-steps"])
    expect(facts({ url }).url).toBe(undefined);
});

describe("the page's own menu", () => {
  const { contextual, contextualFaults } = facts({
    contextual: { options: ["copy", "claud", { title: "T", description: "D", href: "/a" }, "copy"] },
  });
  test("replaces that of the site", () => {
    expect(contextual).toEqual({
      options: ["copy", { title: "T", description: "D", href: "/a" }],
      display: "header",
    });
    expect(contextualFaults).toMatchObject([{ code: "CONFIG_BAD_VALUE", fix: 'write "claude".' }]);
    expect(contextualFaults![0]!.what).toContain('"contextual.options[1]" is "claud"');
    const off = facts({ contextual: { options: [], display: "toc" } });
    expect(off.contextual).toEqual({ options: [], display: "toc" });
    expect(off.contextualFaults).toBeUndefined();
  });
  const invalid: readonly FrontmatterValue[] = [
    false,
    "copy",
    ["copy"],
    { display: "toc" },
    { options: "copy" },
    { options: ["none", 1] },
  ];
  for (const written of invalid)
    test(`is reported and ignored if it is ${JSON.stringify(written)}`, () => {
      const read = facts({ contextual: written });
      expect(read.contextual).toBeUndefined();
      expect(read.contextualFaults).not.toEqual([]);
    });
});

describe("flags, numbers and links", () => {
  const cases: readonly (readonly [rule: string, frontmatter: Frontmatter, expected: object])[] = [
    ["are read", { hidden: true, noindex: true }, { hidden: true, noindex: true }],
    ["tell false from absent", { hidden: false }, { hidden: false, searchable: undefined }],
    ["ignore a value that is not a flag", { hidden: "maybe", noindex: 1 }, { hidden: undefined, noindex: false }],
    ["take numbers in quotes", { boost: "2.5" }, { boost: 2.5 }],
    ["ignore a boost that is none", { boost: -1 }, { boost: undefined }],
    ["ignore a boost that is not a number", { boost: "high" }, { boost: undefined }],
    ["take a link", { url: "https://acme.com" }, { url: "https://acme.com" }],
    ["take a link into the site", { url: "/guides" }, { url: "/guides" }],
    ["refuse a link that runs code", { url: "java\tscript:alert(1)" }, { refusedUrl: "java\tscript:alert(1)" }],
    ["read an icon", { icon: "star", iconType: "solid" }, { icon: { name: "star", style: "solid" } }],
    ["read an icon in parts", { icon: { name: "a", library: "lucide" } }, { icon: { name: "a", library: "lucide" } }],
    [
      "know pages for some readers only",
      { groups: ["admin"] },
      { restrictions: [{ includes: ["admin"], excludes: [] }] },
    ],
  ];
  for (const [rule, frontmatter, expected] of cases)
    test(rule, () => expect(facts(frontmatter)).toMatchObject(expected));
});
