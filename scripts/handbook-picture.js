// Retakes the picture of the README, which is the exported handbook in light and dark mode, and that of the preview with a
// mistake. It needs Chromium (CHROMIUM or on the PATH) and a build: npm run build && node scripts/handbook-picture.js
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
  await takePreview(join(folder, "site"), join(handbook, "images/preview.png"));
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}

/** Shows a page in the preview, then writes a mistake into it. */
async function takePreview(site, path) {
  await cp(handbook, site, { recursive: true });
  const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
  const preview = spawn(process.execPath, [cli, "preview", site, "--json", "--no-open", "--port", "0"]);
  try {
    const [line] = await once(preview.stdout.setEncoding("utf8"), "data");
    const page = await browser.newPage({ viewport: { width: 1200, height: 700 }, colorScheme: "light" });
    await page.goto(new URL("/guides/publishing", JSON.parse(line.split("\n")[0]).url).href);
    const source = join(site, "guides/publishing.mdx");
    const text = await readFile(source, "utf8");
    await writeFile(
      source,
      text.replace("## Redirects", '<Card title="Redirects">\n  Old addresses.\n</Crad>\n\n## Redirects'),
    );
    await page.getByText("is closed by </Crad>").waitFor();
    await page.screenshot({ path });
  } finally {
    preview.kill();
  }
}
