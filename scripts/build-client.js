// Bundles the code for the reader's browser into dist/client (or the folder given as the first argument): classic
// scripts, the style sheet of every page and those of some, the fonts they name, the marks of assistants, and the
// licenses of third-party parts. Prints the paths of all input files, as JSON.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { browserslistToTargets, Features, transform } from "lightningcss";
import { licensesOf, packagesOf } from "./licenses.js";
import { splitSelectors } from "./split-selectors.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = resolve(process.argv[2] ?? join(root, "dist/client"));
const styles = join(root, "src/page/theme/styles");
const common = "fonts tokens base layout header menus sidebar page prose components code print".split(" ");
/** Folders of style sheets that only some sites (`themes`, `decorations`, `faces`) or some pages (`on-demand`) have. */
const folders = ["themes", "decorations", "faces", "on-demand"];

/** Paths of the input files, relative to `root`. */
const inputs = new Set();

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "fonts"), { recursive: true });
await bundleScripts({
  head: "shell/head.ts",
  app: "shell/app.ts",
  print: "shell/print.ts",
  redirects: "shell/redirects.ts",
  disk: "shell/disk.ts",
  search: "search/main.ts",
  playground: "playground/main.ts",
  "assistant-entry": "assistant/entry.ts",
  assistant: "assistant/main.ts",
  console: "console/main.ts",
  count: "shell/count.ts",
  models: "reference/models.ts",
  schemas: "reference/schemas.ts",
  anchors: "shell/anchors.ts",
  "sign-in": "playground/sign-in/main.ts",
  workflow: "playground/workflow/main.ts",
  "signed-in": "playground/sign-in/returned.ts",
  graph: "playground/graph/main.ts",
  socket: "playground/socket/main.ts",
  "json-path": "playground/json-path/main.ts",
  xml: "playground/xml/main.ts",
});
await bundleScripts({ preview: "preview/main.ts" }, { plugins: [{ name: "css-text", setup: loadCssAsText }] });
// The fewest bytes: no other script sees these properties.
await bundleScripts(
  { islands: "islands/main.ts" },
  {
    mangleProps:
      /^(?:contexts|deps|exportsOf|factory|fields|ids|isHydrating|nodes|onError|owner|prefix|show|slots|templates|thrown)$/,
  },
);
const sharedPreact = join(root, "src/reader/islands/shared-preact.ts");
await bundleScripts(
  { "islands-ui": "islands/ui.ts" },
  { alias: { preact: sharedPreact, "preact/jsx-runtime": sharedPreact } },
);
await bundleStyles("app", common, "fonts");
for (const folder of folders)
  for (const file of readdirSync(join(styles, folder))) {
    const name = file.replace(/\.css$/, "");
    await bundleStyles(`${folder}/${name}`, [`${folder}/${name}`], `fonts/${name}`);
  }
await bundleConsoleStyles();
writeMarks();
cpSync(join(root, "src/lib/language/locales"), join(root, "dist/locales"), { recursive: true });
writeFileSync(join(out, "licenses.txt"), licenses());
process.stdout.write(JSON.stringify([...inputs]));

async function bundleScripts(entries, options = {}) {
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: Object.entries(entries).map(([name, path]) => ({ in: join(root, "src/reader", path), out: name })),
    outdir: out,
    bundle: true,
    minify: true,
    format: "iife",
    // All browsers that the styles support know it.
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    ...options,
  });
  note(metafile);
}

/** For style sheets of a shadow tree. */
function loadCssAsText(build) {
  build.onLoad({ filter: /\.css$/ }, ({ path }) => {
    const { code } = transform({ filename: path, code: readFileSync(path), minify: true });
    return { contents: Buffer.from(code).toString(), loader: "text" };
  });
}

function note(metafile) {
  for (const output of Object.values(metafile.outputs)) for (const path of Object.keys(output.inputs)) inputs.add(path);
}

/** The sheet of the console: the fonts and colours of pages, dark also where the system is and no mode was chosen. */
async function bundleConsoleStyles() {
  const folder = join(root, "src/service/console/styles");
  const own = readdirSync(folder).map((name) => join(folder, name));
  await bundleStyles("console", ["fonts", "tokens"], "fonts", own, darkBySystem);
}

function darkBySystem(css) {
  const dark = [...css.matchAll(/html\.dark \{([^}]*)\}/g)].map(([, rules]) => rules).join("");
  return `${css}\n@media (prefers-color-scheme: dark) { html:not(.light) {${dark}} }`;
}

async function bundleStyles(name, parts, fonts, more = [], change = (css) => css) {
  const paths = [...parts.map((part) => join(styles, `${part}.css`)), ...more];
  const result = await build({
    absWorkingDir: root,
    metafile: true,
    stdin: {
      contents: paths.map((path) => `@import ${JSON.stringify(path)};`).join("\n"),
      loader: "css",
      resolveDir: styles,
    },
    // Every style sheet of a bundle is in the folder of the fonts.
    outfile: join(out, "sheet.css"),
    bundle: true,
    write: false,
    loader: { ".woff2": "file" },
    assetNames: `${fonts}/[name]-[hash]`,
    legalComments: "none",
  });
  note(result.metafile);
  for (const file of result.outputFiles) {
    if (!file.path.endsWith(".css")) {
      mkdirSync(join(file.path, ".."), { recursive: true });
      writeFileSync(file.path, file.contents);
      continue;
    }
    const options = {
      filename: `${name}.css`,
      minify: true,
      targets: browserslistToTargets(["chrome 111", "firefox 113", "safari 16.4", "edge 111"]),
      // Would help light-dark(), which no sheet uses.
      exclude: Features.LightDark,
    };
    // Nested rules become lists, so they are written out first.
    const { code: flat } = transform({ ...options, code: Buffer.from(change(file.text)) });
    const { code } = transform({ ...options, code: flat, visitor: splitSelectors });
    mkdirSync(join(out, name, ".."), { recursive: true });
    writeFileSync(join(out, `${name}.css`), code);
  }
}

/** The marks of assistants that a page's menu names: files, since few readers open the menu. Grey is visible on any background. */
function writeMarks() {
  const marks = {
    chatgpt: ["fa7-brands", "openai"],
    claude: ["fa7-brands", "claude"],
    perplexity: ["simple-icons", "perplexity"],
    grok: ["simple-icons", "x"],
    aistudio: ["simple-icons", "googlegemini"],
  };
  mkdirSync(join(out, "marks"));
  for (const [name, [set, icon]] of Object.entries(marks)) {
    const data = JSON.parse(readFileSync(join(root, "node_modules/@iconify-json", set, "icons.json"), "utf8"));
    const { body, width = data.width ?? 16, height = data.height ?? 16 } = data.icons[icon];
    const drawing = body.replaceAll("currentColor", "#7b7f8a");
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${drawing}</svg>\n`;
    writeFileSync(join(out, "marks", `${name}.svg`), svg);
  }
}

function licenses() {
  const icons = ["lucide", "tabler", "fa7-solid", "fa7-regular", "fa7-brands", "simple-icons"].map((set) => {
    const { name, author, license } = JSON.parse(
      readFileSync(join(root, "node_modules/@iconify-json", set, "info.json"), "utf8"),
    );
    return `${name} by ${author.name} (${author.url}): ${license.title}, ${license.url ?? license.spdx}`;
  });
  const intro = "This documentation holds parts made by others.\n";
  return `${intro}\nIcons\n-----\n\n${icons.join("\n")}\n\nFonts and scripts\n-----------------\n\n${licensesOf(root, packagesOf(root, [...inputs]))}`;
}
