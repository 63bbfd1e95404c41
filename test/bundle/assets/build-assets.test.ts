import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, test } from "vitest";
import { buildAssets, writeParts } from "../../../src/bundle/assets/build-assets.js";
import { readStyles } from "../../../src/bundle/assets/site-code.js";
import { siteColors } from "../../../src/bundle/assets/site-css.js";
import { copyStaticFiles } from "../../../src/bundle/assets/static-files.js";
import { themeTraits } from "../../../src/page/theme/theme-options.js";
import type { ThemeName } from "../../../src/site/config/site-config.js";
import { createAddresses } from "../../../src/site/links/index.js";
import type { Site } from "../../../src/site/site.js";
import { sampleConfig, samplePage, sampleSite } from "../../page/theme/sample-site.js";
import { memoryFiles } from "../../support/memory-files.js";

let clientFolder: string;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "offprint-assets-"));
  clientFolder = join(folder, "client");
  execFileSync(process.execPath, ["scripts/build-client.js", clientFolder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function build(site: Site, texts: Readonly<Record<string, string>> = {}) {
  const written = new Map<string, string>();
  const staticFiles = Object.keys(texts).filter((path) => !/\.(?:css|js)$/.test(path));
  const whole = { ...site, staticFiles };
  const reads: string[] = [];
  const inMemory = memoryFiles(texts);
  const files = {
    ...inMemory,
    readText: (path: string) => {
      reads.push(path);
      return inMemory.readText(path);
    },
  };
  const built = await buildAssets({
    site: whole,
    addresses: createAddresses(whole),
    files,
    styles: readStyles(whole, files),
    codeThemeCss: async () => ".token{color:red}",
    write: (path, bytes) => void written.set(path, Buffer.from(bytes).toString()),
    clientFolder,
  });
  const css = (name: string): string => {
    const path = built.manifest.stylesheets.find((each) => each.startsWith(`_offprint/${name}`));
    return path === undefined ? "" : written.get(path)!;
  };
  return { ...built, written, css, reads };
}

describe("buildAssets", () => {
  test("writes every listed file under a hash of its content", async () => {
    const { manifest, files, written } = await build(sampleSite());
    for (const path of [manifest.headScript, ...manifest.scripts, ...manifest.stylesheets]) {
      assert.match(path, /^_offprint\/\w+\.[\da-f]{8}\.(js|css)$/);
      assert.ok(written.has(path), path);
    }
    assert.deepEqual(
      [...written.keys()],
      files.map(({ path }) => path),
    );
    for (const path of written.keys()) assert.match(path, /\.[\da-f]{8}\.\w+$|\/fonts\/.*-[\w-]{8}\.woff2$/, path);
    assert.ok([...written.keys()].some((path) => /^_offprint\/licenses\./.test(path)));
    for (const [, url] of written.get(manifest.stylesheets[0]!)!.matchAll(/url\("?(?:\.\/)?([^)"]+\.woff2)/g))
      assert.ok(written.has(`_offprint/${url}`), url);
  });

  test("keeps custom properties of the site's style sheets apart from ours of the same name", async () => {
    const site = sampleSite({ styles: ["own.css", "more.css"] });
    const text = ":root{--color-text:#fefefe;--color-primary:red;--own:1px}.tag--code-bg:hover{color:var(--code-bg)}";
    const { css } = await build(site, { "own.css": text, "more.css": "h1{color:var(--color-text)}" });
    assert.equal(
      css("site/own"),
      ":root{--site-color-text:#fefefe;--color-primary:red;--own:1px}.tag--code-bg:hover{color:var(--code-bg)}",
    );
    assert.equal(css("site/more"), "h1{color:var(--site-color-text)}");
    assert.match(css("site."), /\[style\*="\(--color-text\)"\].*\{--color-text:var\(--site-color-text\)\}/);
  });

  test("defines the variables of the format that style sheets and classes of the site read", async () => {
    const site = sampleSite({ styles: ["own.css"], classNames: ["text-[rgb(var(--primary-light))]"] });
    const { css } = await build(site, { "own.css": "hr{color:rgb(var(--background-dark)/.5)}" });
    assert.match(css("site."), /:root\{--primary-light:\d+ \d+ \d+;--background-dark:13 14 17\}/);
    assert.doesNotMatch((await build(sampleSite())).css("site."), /--background-dark/);
  });

  test("is deterministic", async () => {
    const site = sampleSite({ classNames: ["flex", "dark:hidden"] });
    assert.deepEqual((await build(site)).files, (await build(site)).files);
  });

  for (const theme of Object.keys(themeTraits) as ThemeName[])
    test(`stays within the compressed budget in ${theme}: 15 kB of script, 15 kB of style, one font`, async () => {
      const { manifest, written } = await build(
        sampleSite({ config: sampleConfig({ theme, background: { decoration: "windows" } }) }),
      );
      const zipped = (paths: readonly string[]) =>
        paths.reduce((sum, path) => sum + gzipSync(written.get(path)!, { level: 9 }).length, 0);
      assert.ok(zipped([manifest.headScript, ...manifest.scripts]) <= 15_000);
      // Browsers keep a page with such a handler out of the cache of the back button.
      assert.doesNotMatch(written.get(manifest.scripts[0]!)!, /["'`](?:before)?unload/);
      assert.ok(zipped(manifest.stylesheets) <= 15_000, `${zipped(manifest.stylesheets)} bytes`);
      const style = written.get(manifest.stylesheets[0]!)!;
      assert.match(style, new RegExp(`html\\[data-theme="?${theme}"?\\]`));
      assert.equal(new Set(style.match(/data-theme="?\w+/g)).size, 1);
      assert.equal(
        [...written.keys()].some((path) => path.includes("jetbrains-mono")),
        theme === "linden",
      );
    });

  test("includes the second font for sites that use it", async () => {
    const { written, css } = await build(
      sampleSite({ config: sampleConfig({ fonts: { heading: { family: "JetBrains Mono" } } }) }),
    );
    assert.ok([...written.keys()].some((path) => /fonts\/jetbrains-mono\/.*\.woff2$/.test(path)));
    assert.match(css("app"), /font-family:JetBrains Mono;/);
    assert.match(css("site"), /--font-heading:"JetBrains Mono","JetBrains Mono Fallback",monospace/);
  });

  test("includes the letters of other alphabets for sites that have them in titles", async () => {
    const pages = (title: string) => sampleSite({ pages: [samplePage(0, "/", { title })] });
    const cyrillic = await build(pages("Видалення каталогу"));
    assert.match(cyrillic.css("app"), /@font-face\{font-family:Inter;[^}]*inter-cyrillic-wght[^}]*U\+400-45F/);
    assert.ok(
      [...cyrillic.written.keys()].some((path) => /fonts\/inter-scripts\/inter-vietnamese.*\.woff2$/.test(path)),
    );
    for (const title of ["Überblick", "导出站点"]) {
      const { written } = await build(pages(title));
      assert.ok(![...written.keys()].some((path) => path.includes("inter-scripts")), title);
    }
  });

  test("gives the fonts that we ship under their own names, also to the site's style sheets", async () => {
    const { css, manifest, written } = await build(
      sampleSite({ config: sampleConfig({ fonts: { body: { family: "inter" } } }), styles: ["a.css"] }),
      { "a.css": ".x{font-family:'Inter'}.y{font-family:\"JetBrains Mono\"}" },
    );
    assert.match(css("site"), /--font-body:"Inter","Inter Fallback",system-ui/);
    for (const family of ["Inter", "JetBrains Mono"])
      assert.match(css("app"), new RegExp(`@font-face\\{font-family:${family};[^}]*url\\([^}]*\\.woff2`), family);
    assert.ok([...written.keys()].some((path) => path.includes("jetbrains-mono-latin")));
    assert.ok(manifest.stylesheets.length > 2);
  });

  test("does not hide text while its font loads", async () => {
    const { css } = await build(
      sampleSite({ config: sampleConfig({ theme: "linden", fonts: { heading: { family: "Geist" } } }) }),
      {
        "fonts/Geist-Bold.woff2": "",
      },
    );
    for (const sheet of [css("app"), css("site")])
      for (const [face] of sheet.matchAll(/@font-face\{[^}]*url\([^}]*\}/g)) assert.match(face, /font-display:swap/);
  });

  test("reads the colours of the theme from the built style sheet", async () => {
    const { css } = await build(sampleSite({ config: sampleConfig({ theme: "almond" }) }));
    const { light, dark } = siteColors(sampleConfig(), css("app"));
    assert.deepEqual(light.all.get("sunken"), [0xf5, 0xf2, 0xee]);
    assert.deepEqual(dark.all.get("bg"), [0x18, 0x17, 0x15]);
    assert.deepEqual(dark.all.get("note"), [0x8f, 0xb8, 0xff]);
  });

  test("uses the site's colours and makes them readable", async () => {
    const { css } = await build(
      sampleSite({ config: sampleConfig({ colors: { primary: "#ffee00", light: "#ffee00", dark: "#ffee00" } }) }),
    );
    assert.match(css("site"), /--color-accent:#ffee00;--color-on-accent:#0b0c0e/);
    assert.doesNotMatch(css("site"), /html\[data-theme\]\{[^}]*--color-primary:#ffee00/);
    assert.match(css("site"), /\.token\{color:red\}/);
  });

  test("compiles utility classes, and writes no sheet without them", async () => {
    const { css } = await build(
      sampleSite({ classNames: ["dark:!text-zinc-950", "min-w-[4rem]", "hover:dark:underline", "text-primary"] }),
    );
    assert.match(css("utilities"), /\.dark \.dark\\:\\!text-zinc-950\{[^}]*!important/);
    assert.match(css("utilities"), /min-width:4rem/);
    assert.match(css("utilities"), /\.text-primary\{[^}]*13 147 115/);
    assert.equal((await build(sampleSite({ classNames: ["my-own-class", "card"] }))).css("utilities"), "");
  });

  test("uses a font file of the site, and reports a missing one once", async () => {
    const fonts = { body: { family: "Geist" }, heading: { family: "Nowhere" } };
    const { css, diagnostics } = await build(sampleSite({ config: sampleConfig({ fonts }) }), {
      "fonts/Geist-Bold.woff2": "",
    });
    assert.match(
      css("site"),
      /@font-face\{font-family:"Geist";src:url\("\.\.\/fonts\/Geist-Bold\.woff2"\) format\("woff2"\);font-weight:700/,
    );
    assert.match(css("site"), /--font-heading:"Nowhere"/);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ["FONT_NOT_FOUND"],
    );
  });

  const selecting = [
    // … selects parts       files of the site                                                       selects
    ["a style sheet", { "a.css": "[data-component-part] { top: 0 }" }, true],
    ["a script", { "a.js": "document.querySelectorAll('[data-component-part]')" }, true],
    ["no file", { "a.css": ".card { top: 0 }", "a.js": "document.querySelectorAll('.card')" }, false],
  ] as const;
  for (const [rule, texts, expected] of selecting)
    test(`tells pages that ${rule} selects parts of components`, async () => {
      const paths = Object.keys(texts);
      const of = (extension: string) => paths.filter((path) => path.endsWith(extension));
      const { manifest } = await build(sampleSite({ styles: of(".css"), scripts: of(".js") }), { ...texts });
      assert.equal(manifest.componentParts, expected);
    });

  test("escapes family names", async () => {
    const fonts = { body: { family: '";}body{display:none}' } };
    const { css } = await build(sampleSite({ config: sampleConfig({ fonts }) }));
    assert.match(css("site"), /--font-body:"\\22 ;\}body\{display:none\}",/);
  });

  test("puts the site's own styles and scripts after ours, in order", async () => {
    const site = sampleSite({ styles: ["a.css", "b/b.css"], scripts: ["x.js"] });
    const { manifest, external, reads } = await build(site, {
      "a.css": "a{color:red}",
      "b/b.css": "b{color:red}",
      "x.js": "1",
    });
    assert.deepEqual(
      manifest.stylesheets.slice(-2).map((path) => path.replace(/\.\w{8}\./, ".")),
      ["_offprint/site/a.css", "_offprint/site/b.css"],
    );
    assert.match(manifest.scripts[1]!, /^_offprint\/site\/x\.\w{8}\.js$/);
    assert.deepEqual(
      external.map(({ kind, url }) => [kind, url]),
      [["script", "x.js"]],
    );
    assert.deepEqual(reads, ["a.css", "b/b.css", "x.js"]);
  });

  test("lets browsers prerender pages, but only fetch those that run scripts of the site", async () => {
    const rulesOf = async (scripts: readonly string[]) => {
      const { speculationRules, written } = await build(sampleSite({ scripts }), { "x.js": "1" });
      return Object.keys(JSON.parse(written.get(speculationRules)!));
    };
    assert.deepEqual(await rulesOf([]), ["prerender"]);
    assert.deepEqual(await rulesOf(["x.js"]), ["prefetch"]);
  });

  test("names the font of the text, unless the site has another one", async () => {
    const fontOf = async (config: Parameters<typeof sampleConfig>[0]) =>
      (await build(sampleSite({ config: sampleConfig(config) }))).mainFont;
    assert.match((await fontOf({}))!, /^_offprint\/fonts\/inter-latin-wght-normal-\w+\.woff2$/);
    assert.equal(await fontOf({ theme: "linden" }), undefined);
    // Readers see ours, since the site does not bring its own.
    assert.match((await fontOf({ fonts: { body: { family: "Geist" } } }))!, /inter-latin/);
  });

  test("tells the head script which font to load first", async () => {
    const fonts = { body: { family: "Geist" } };
    const own = await build(sampleSite({ config: sampleConfig({ fonts }) }), {
      "fonts/Geist-Bold.woff2": "",
      "fonts/Geist Regular.woff2": "",
      "fonts/Geist-Regular.woff2": "",
    });
    assert.equal(own.mainFont, "fonts/Geist-Regular.woff2");
    assert.match(own.written.get(own.manifest.headScript)!, /^offprintFont="\.\.\/fonts\/Geist-Regular\.woff2";/);
    const none = await build(sampleSite({ config: sampleConfig({ theme: "linden" }) }));
    assert.doesNotMatch(none.written.get(none.manifest.headScript)!, /^offprintFont/);
  });

  test("gives a site without a favicon the first letter of its name on its colours, readable in both modes", async () => {
    const iconsOf = async (name: string, colors: { primary: string; light: string; dark: string }) => {
      const { manifest, written, files } = await build(sampleSite({ config: sampleConfig({ name, colors }) }));
      const { light, dark } = manifest.favicon;
      for (const path of [light, dark]) assert.match(path, /^_offprint\/favicon\.[\da-f]{8}\.svg$/);
      const listed = files.filter(({ path }) => path.startsWith("_offprint/favicon.")).map(({ path }) => path);
      assert.deepEqual(listed, [...new Set([light, dark])]);
      return [light, dark].map((path) => written.get(path)!);
    };
    const [light, dark] = await iconsOf("<Über> docs", { primary: "#0a6c5b", light: "#7ee0c0", dark: "#0a6c5b" });
    assert.match(light!, /fill="#0a6c5b".*fill="#ffffff".*>Ü<\/text>/);
    assert.match(dark!, /fill="#7ee0c0".*fill="#0b0c0e".*>Ü<\/text>/);
    const [plain, same] = await iconsOf("🚀 ✨", { primary: "#123456", light: "#123456", dark: "#123456" });
    assert.equal(plain, same);
    assert.match(plain!, /><\/text>/);
  });

  test("reports a missing favicon", async () => {
    const site = sampleSite({ config: sampleConfig({ favicon: { light: "/no.svg", dark: "/no.svg" } }) });
    const { manifest, diagnostics } = await build(site);
    assert.match(manifest.favicon.light, /^_offprint\/favicon\./);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ["FAVICON_NOT_FOUND"],
    );
  });

  test("lists the style sheets of some pages, which writeParts writes with their fonts", async () => {
    const { manifest } = await build(sampleSite());
    const paths: string[] = [];
    await writeParts(["math", "tree"], (path) => void paths.push(path), clientFolder);
    const { math, tree } = manifest.parts;
    assert.deepEqual(
      paths.filter((path) => path.endsWith(".css")),
      [math, tree],
    );
    assert.match(paths.find((path) => path.endsWith(".woff2"))!, /^_offprint\/fonts\/math\//);
  });
});

describe("copyStaticFiles", () => {
  test("copies files byte for byte with their hashes, and sanitizes SVG files with a warning", async () => {
    const root = join(folder, "site");
    const staging = join(folder, "out");
    await mkdir(join(root, "img"), { recursive: true });
    const large = Buffer.alloc(3 * 1024 * 1024, 7);
    await writeFile(join(root, "img/large.png"), large);
    await writeFile(join(root, "img/bad.svg"), "<svg><script>x()</script></svg>");
    await writeFile(join(root, "a b.json"), "{}");
    const staticFiles = ["a b.json", "img/bad.svg", "img/large.png"];
    const files = { ...memoryFiles({}), absolutePath: (path: string) => join(root, path) };
    const copied = await copyStaticFiles(staticFiles, files, staging);
    assert.deepEqual(
      copied.files.map(({ path, bytes }) => [path, bytes]),
      [
        ["a b.json", 2],
        ["img/bad.svg", 11],
        ["img/large.png", large.length],
      ],
    );
    assert.equal(copied.files[0]!.sha256, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    assert.ok(readFileSync(join(staging, "img/large.png")).equals(large));
    assert.deepEqual(
      copied.diagnostics.map(({ code, location }) => [code, location?.sourcePath]),
      [["SVG_CLEANED", "img/bad.svg"]],
    );
  });

  test("stops when its signal aborts", async () => {
    const files = { ...memoryFiles({}), absolutePath: () => "/dev/null" };
    await assert.rejects(copyStaticFiles(["a.png"], files, folder, AbortSignal.abort(new Error("enough"))), /enough/);
  });
});
