// Retakes the picture of the README: the exported handbook, in light and dark mode. It needs Chromium (CHROMIUM or on the
// PATH) and a build: npm run build && node scripts/handbook-picture.js
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { exportSite } from "offprint";
import { chromium } from "playwright-core";

const handbook = fileURLToPath(new URL("../fixtures/handbook", import.meta.url));
const halves = [
  ["light", "index.html"],
  ["dark", "reference/components/cards.html"],
];
const viewport = { width: 1280, height: 820 };
/** Width and height of a half in the picture. */
const half = { width: 1000, height: 640 };

const folder = await mkdtemp(join(tmpdir(), "offprint-picture-"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
try {
  await exportSite({ source: handbook, output: folder });
  const images = [];
  for (const [colorScheme, path] of halves) {
    const page = await browser.newPage({ viewport, colorScheme });
    await page.goto(pathToFileURL(join(folder, path)).href);
    await page.evaluate(() => document.fonts.ready);
    images.push(
      `<img width="${half.width}" src="data:image/png;base64,${(await page.screenshot()).toString("base64")}">`,
    );
  }
  const page = await browser.newPage({ viewport: { ...half, width: halves.length * half.width } });
  await page.setContent(`<body style="margin:0;display:flex">${images.join("")}`);
  await page.screenshot({ path: join(handbook, "images/handbook.png") });
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
