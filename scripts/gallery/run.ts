// Exports the gallery and takes screenshots, so that a person can look through what readers get:
//
//   npm run gallery                     every page, the nine themes, and opened menus and dialogs
//   npm run gallery -- cards tabs       only pages with one of these words in the path
//
// The screenshots and an index.html that shows them are in out/gallery/.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exportSite, loadSite } from "offprint";
import { scenes } from "../../test/quality/scenes.ts";
import { findChromium, launchBrowser } from "../../test/support/browser.ts";
import { indexPage } from "./index-page.ts";
import { type Shot, takeShots } from "./take-shots.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = join(root, "fixtures/gallery");
const out = join(root, "out/gallery");
const cacheFolder = join(root, ".cache/gallery");
const themes = ["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"];
const looks = ["light", "dark", "phone"] as const;
const words = process.argv.slice(2);

const chromium = findChromium();
if (chromium === undefined) process.exit(3);
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "shots"), { recursive: true });

const isSelected = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));
const { site } = await loadSite({ source });
await exportSite({ source, output: join(out, "site"), cacheFolder });
const shots: Shot[] = [
  ...site!.pages
    .filter(({ outputPath }) => isSelected(outputPath))
    .flatMap(({ outputPath }) => shotsOf("pages", "site", outputPath)),
  ...shotsOf("pages", "site", "404.html").filter(() => isSelected("404")),
  ...scenes
    .filter(({ name }) => isSelected(name))
    .map((scene) => ({ ...scene, group: "opened" as const, file: `site/${scene.page}` })),
];
for (const theme of themes.filter(isSelected)) {
  await exportTheme(theme);
  shots.push(...shotsOf("themes", `themes/${theme}`, "index.html", theme));
}

const browser = await launchBrowser(chromium);
const started = performance.now();
try {
  await takeShots(browser, out, shots);
} finally {
  await browser.close();
}
writeFileSync(join(out, "index.html"), indexPage(shots));
console.log(
  `${shots.length} screenshots in ${Math.round((performance.now() - started) / 1000)} s: open out/gallery/index.html`,
);

function shotsOf(group: Shot["group"], folder: string, path: string, name = path.replace(/\.html$/, "")): Shot[] {
  return looks.map((look) => ({ group, name, look, file: `${folder}/${path}` }));
}

/** Exports the site in another theme. Only its start page is shown. */
async function exportTheme(theme: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "offprint-gallery-"));
  try {
    cpSync(source, folder, { recursive: true });
    const config = JSON.parse(readFileSync(join(source, "docs.json"), "utf8")) as object;
    writeFileSync(join(folder, "docs.json"), JSON.stringify({ ...config, theme }));
    await exportSite({ source: folder, output: join(out, "themes", theme), cacheFolder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
