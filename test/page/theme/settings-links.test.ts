/** Links of docs.json, seen from `guides/install.html`. */
import { describe, expect, test } from "vitest";
import { createLinks, linkFaults } from "../../../src/page/theme/settings-links.js";
import { createAddresses } from "../../../src/site/links/index.js";
import { sampleConfig, samplePage, sampleSite } from "./sample-site.js";

const redirects = [
  { source: "/old", destination: "/guides/tune#fast", permanent: true },
  { source: "/v1/:slug*", destination: "/guides/:slug*", permanent: true },
];
const pages = ["/start", "/guides/install", "/guides/tune", "/a b&c"].map((path, i) => samplePage(i, path));
const staticFiles = ["images/logo.svg", "100%.png"];
const site = sampleSite({ pages, staticFiles, homePage: 0, config: sampleConfig({ redirects }) });
const links = createLinks(site, createAddresses(site));

const cases = [
  // a link …                               as written              href                            opens another site
  ["to a page", "/guides/tune", "../guides/tune.html", false],
  ["to a page with query and fragment", "/guides/tune?a=b#c", "../guides/tune.html?a=b#c", false],
  ["to a page, percent-encoded", "/a%20b%26c", "../a%20b%26c.html", false],
  ["to the root, which has no page", "/", "../start.html", false],
  ["to a page by a path without a slash", "guides/tune", "../guides/tune.html", false],
  ["to a page by its file", "./guides/tune.mdx", "../guides/tune.html", false],
  ["through a redirect, to where it leads", "/old", "../guides/tune.html#fast", false],
  ["through a redirect with a wildcard", "/v1/install", "../guides/install.html", false],
  ["to a file", "/images/logo.svg", "../images/logo.svg", false],
  ["to a place in the page", "#top", "#top", false],
  ["to another site", "https://acme.com/x", "https://acme.com/x", true],
  ["to another site without a scheme, which a file page lacks", "//acme.com/x", "https://acme.com/x", true],
  ["to a mail address", "mailto:a@acme.com", "mailto:a@acme.com", false],
  ["to a program", "vscode:extension/acme", "vscode:extension/acme", false],
  ["that runs code", "java\tscript:alert(1)", "#", false],
  ["to a missing page", "/nowhere#x", "../nowhere.html#x", false],
] as const;
for (const [rule, written, href, external] of cases)
  test(`a link ${rule}`, () => expect(links.written("../", written)).toEqual({ href, external }));

const pictures = [
  ["of the site", "/images/logo.svg", "../images/logo.svg"],
  ["without a slash", "images/logo.svg", "../images/logo.svg"],
  ["with a percent sign in its name", "/100%.png", "../100%25.png"],
  ["elsewhere", "//acme.com/a.png", "https://acme.com/a.png"],
  ["as a data URL", "data:image/png;base64,AA==", "data:image/png;base64,AA=="],
  ["that the site does not have", "/nope.png", undefined],
  ["that is a page", "/guides/tune", undefined],
] as const;
for (const [rule, written, src] of pictures)
  test(`a picture ${rule}`, () => expect(links.image("../", written)).toBe(src));

describe("linkFaults", () => {
  const faultsOf = (href: string, logo = "/images/logo.svg") => {
    const config = sampleConfig({
      redirects,
      navbar: { links: [{ type: "link", label: "X", href }] },
      logo: { light: logo, dark: logo },
    });
    const faulty = sampleSite({ pages, staticFiles, config });
    const { diagnostics, targets } = linkFaults(faulty, createAddresses(faulty));
    return {
      codes: diagnostics.map(({ code, fix }) => `${code}: ${fix}`),
      whats: diagnostics.map(({ what }) => what),
      targets,
    };
  };
  test("linkFaults reports nothing for working links", () =>
    expect(faultsOf("/old")).toMatchObject({ codes: [], targets: [] }));
  test("linkFaults reports a broken link and its target", () =>
    expect(faultsOf("/no%20where#x")).toMatchObject({
      codes: [expect.stringContaining("NAVIGATION_LINK_BROKEN")],
      targets: ["no where.html"],
    }));
  test("linkFaults reports the target of a broken link if it differs from what was written", () =>
    expect(faultsOf("/a//host").whats).toEqual([
      `"X" links to "/a//host", which points to /a/host, and the site has no such page or file.`,
    ]));
  test("linkFaults reports a broken link of the logo", () => {
    const logo = { light: "/images/logo.svg", dark: "/images/logo.svg", href: "/nowhere" };
    const faulty = sampleSite({ pages, staticFiles, config: sampleConfig({ logo }) });
    const { diagnostics, targets } = linkFaults(faulty, createAddresses(faulty));
    expect(diagnostics.map(({ what }) => what)).toEqual([
      `The logo links to "/nowhere", and the site has no such page or file.`,
    ]);
    expect(targets).toEqual(["nowhere.html"]);
  });
  test("linkFaults reports a difference in case, because URLs are case-sensitive", () => {
    expect(faultsOf("/Guides/tune").codes).toEqual([`LINK_CASE_DIFFERS: write "/guides/tune".`]);
    expect(faultsOf("/old", "/images/Logo.svg").codes).toEqual([`LINK_CASE_DIFFERS: write "/images/logo.svg".`]);
  });
  test("linkFaults reports a missing logo", () =>
    expect(faultsOf("/old", "/nope.svg").codes).toEqual([expect.stringContaining("LOGO_NOT_FOUND")]));
});
