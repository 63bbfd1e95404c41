import assert from "node:assert/strict";
import { test } from "vitest";
import { siteStyle } from "../../../src/bundle/assets/site-styles.js";
import { createAddresses, type FoundTarget, hrefOf } from "../../../src/site/links/index.js";

const addresses = createAddresses({
  pages: [],
  staticFiles: ["img/a.png", "img/a b.png"],
  styles: [],
  scripts: [],
  config: { redirects: [] },
});

const read = (text: string, sourcePath = "styles/custom.css") => {
  const hrefIn = (written: string) =>
    hrefOf(addresses.resolve(written, { sourcePath }) as FoundTarget, "_offprint/site/style.css");
  const style = siteStyle(sourcePath, text, hrefIn);
  return { ...style, css: Buffer.from(style.code).toString() };
};

const cases = [
  // siteStyle …                                   written                            in the bundle
  ["selects the class beside the element name", "accordion{color:red}", ":is(accordion,.accordion){color:red}"],
  ["does so inside longer selectors", "div>card .x:hover{color:red}", "div>:is(card,.card) .x:hover{color:red}"],
  [
    "keeps rules for accordions off menus",
    "details[open]>summary{color:red}",
    "details:where(:not(.menu,.menu>*,.sidebar-nested,.sidebar-nested>*))[open]>summary:where(:not(.menu,.menu>*,.sidebar-nested,.sidebar-nested>*)){color:red}",
  ],
  ["leaves elements of HTML alone", "footer a{color:red}", "footer a{color:red}"],
  ["rebases a relative address", "a{background:url(../img/a.png)}", "a{background:url(../../img/a.png)}"],
  ["rebases an address with codes", 'a{background:url("../img/a%20b.png")}', "a{background:url(../../img/a%20b.png)}"],
  ["names the scheme of another host", "a{background:url(//b.c/d.png)}", "a{background:url(https://b.c/d.png)}"],
  ["rebases an address from the site's root", "a{background:url(/img/a.png)}", "a{background:url(../../img/a.png)}"],
  [
    "leaves data where it is",
    "a{background:url(data:image/png;base64,AA==)}",
    "a{background:url(data:image/png;base64,AA==)}",
  ],
  ["never leads out of the site", "a{background:url(../../../etc/x.png)}", "a{background:url(../../etc/x.png)}"],
  [
    "gives the text the width that it has around it",
    "@media (width>=80rem){#content-area{max-width:72rem!important;width:calc(100% - 20rem)!important;color:red}}",
    "@media (width>=80rem){#content-area{color:red;width:100%!important;--measure:72rem!important}}",
  ],
  [
    "colors icons by their background, as where they are masks, and no other drawings",
    ".card svg,.b{padding:1px;background-color:red!important}",
    ".card svg,.b{padding:1px}.card svg:where(:not(.icon)),.b{background-color:red!important}.card svg:where(.icon){color:red!important}",
  ],
  [
    "colors icons by a variable",
    "svg.x{background:var(--c)}",
    "svg.x:where(:not(.icon)){background:var(--c)}svg.x:where(.icon){color:var(--c)}",
  ],
  [
    "gives icons no color of a picture and none that hides them",
    "a>svg{background:linear-gradient(red,#000)}b>svg{background:0 0}",
    "a>svg:where(:not(.icon)){background:linear-gradient(red,#000)}b>svg:where(:not(.icon)){background:0 0}",
  ],
  [
    "lets the header stick where the body hides what is wide",
    "html,body{margin:0;overflow-x:hidden}.body{overflow-x:hidden}",
    "html,body{margin:0;overflow-x:clip}.body{overflow-x:hidden}",
  ],
  ["leaves the widths of others alone", "#content-area p{max-width:none}", "#content-area p{max-width:none}"],
  ["names a family to use if a font does not load", 'a{font-family:"Rubik"}', "a{font-family:Rubik,Inter,sans-serif}"],
  ["names one for code", 'a{font-family:"Fira Code"}', "a{font-family:Fira Code,monospace}"],
  ["leaves a family for that case alone", "a{font-family:A,serif}", "a{font-family:A,serif}"],
  ["leaves inherited families alone", "a{font-family:inherit}", "a{font-family:inherit}"],
  ["leaves families in variables alone", "a{font-family:var(--x)}", "a{font-family:var(--x)}"],
  ["drops an import of the site's own", '@import "./other.css";a{color:red}', "a{color:red}"],
] as const;

for (const [rule, written, result] of cases) {
  test(`siteStyle ${rule}`, () => assert.equal(read(written).css, result));
}

test("siteStyle keeps an external import and reports it", () => {
  const { css, external } = read('@import url("https://fonts.example/a.css");\na{color:red}');
  assert.match(css, /^@import/);
  assert.deepEqual(
    external.map(({ kind, url, location }) => [kind, url, location.line]),
    [["style", "https://fonts.example/a.css", 1]],
  );
});

test("siteStyle keeps the layer of an import whose file is embedded", () => {
  const { code } = siteStyle(
    "a.css",
    '@import "https://fonts.example/a.css" layer screen;a{color:red}',
    () => "../b.css",
  );
  assert.equal(Buffer.from(code).toString(), '@import "../b.css" layer screen;a{color:red}');
});

test("siteStyle drops an invalid rule, reports its location and keeps the rest", () => {
  const { css, diagnostics } = read("a{color:red}\nb{{}\nc{color:blue}");
  assert.match(css, /a\{color:red\}/);
  assert.equal(diagnostics[0]?.code, "STYLE_SYNTAX");
  assert.equal(diagnostics[0]?.location?.line, 2);
});

test("siteStyle renames a custom property that our style sheets have too, where it is declared and where it is read", () => {
  const { code } = siteStyle(
    "a.css",
    ":root{--color-text:red;--own:var(--color-text)}a{color:var(--color-text,blue)}",
    (written) => written,
    { properties: new Set(["--color-text"]), classes: [] },
  );
  assert.equal(
    Buffer.from(code).toString(),
    ":root{--site-color-text:red;--own:var(--site-color-text)}a{color:var(--site-color-text,blue)}",
  );
});

test("siteStyle keeps a selector by a part of a class name off elements that have such a class only in our pages", () => {
  const own = { properties: new Set<string>(), classes: ["navbar", "navbar-start", "card-row", "dark-one"] };
  const css = (text: string): string =>
    Buffer.from(siteStyle("a.css", text, (written) => written, own).code).toString();
  assert.equal(css('[class*="navbar-s"] a{color:red}'), "[class*=navbar-s]:where(:not(.navbar-start)) a{color:red}");
  assert.match(css('[class*="card"]{color:red}'), /^\[class\*=card\]:where\(:not\(\.card-row:not\(\.card,/);
  for (const text of ["[class*=mx-4]{color:red}", "[class*=dar]{color:red}", "[class=navbar]{color:red}"])
    assert.equal(css(text), text);
});
