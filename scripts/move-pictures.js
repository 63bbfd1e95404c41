// Draws the picture of each handbook page about moving from another tool: the old file beside the new page, from the code
// blocks of that page. It needs Chromium (CHROMIUM or on the PATH) and a build: npm run build && node scripts/move-pictures.js
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { exportSite } from "offprint";
import { chromium } from "playwright-core";

const handbook = fileURLToPath(new URL("../fixtures/handbook", import.meta.url));
const pictures = join(handbook, "images/move");
const size = { width: 1040, height: 620 };
/** Code blocks with the name of the tool and a path: "```md Docsify: trains/timetable.md". */
const blockPattern = /^(`{3,})\w* ([^\n:]+): ([^\n]+)\n([\s\S]*?)^\1$/gm;

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The pages that a navigation lists. */
const listed = (value) =>
  typeof value === "string"
    ? [value]
    : [value.root ?? [], ...Object.values(value).filter(Array.isArray)]
        .flat()
        .flatMap((item) => (item.href ? [] : listed(item)));

await mkdir(pictures, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), "offprint-move-"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
try {
  for (const file of globSync("guides/move/*.mdx", { cwd: handbook })) {
    const name = basename(file, ".mdx");
    const text = await readFile(join(handbook, file), "utf8");
    const blocks = [...text.slice(text.indexOf("## Before and after")).matchAll(blockPattern)].map(
      ([, , tool, path, code]) => ({ tool, path, code }),
    );
    const site = new Map(blocks.filter(({ tool }) => tool === "Offprint").map(({ path, code }) => [path, code]));
    const longest = (isSuited) => blocks.filter(isSuited).toSorted((a, b) => b.code.length - a.code.length)[0];
    const page = longest(({ tool, path }) => tool === "Offprint" && path.endsWith(".mdx"))?.path;
    const old = longest(({ tool, path }) => tool !== "Offprint" && /\.mdx?$/.test(path));
    if (page === undefined || old === undefined) continue;
    const { navigation } = JSON.parse(site.get("docs.json") ?? "{}");
    for (const path of navigation === undefined ? [] : listed(navigation))
      if (!site.has(`${path}.mdx`)) site.set(`${path}.mdx`, `---\ntitle: ${basename(path)}\n---\n`);
    const source = join(folder, name);
    for (const [path, code] of site) {
      await mkdir(dirname(join(source, path)), { recursive: true });
      await writeFile(join(source, path), code);
    }
    const output = join(folder, `${name}-out`);
    await exportSite({ source, output });
    const [html = "index.html"] = globSync(`**/${basename(page, ".mdx")}.html`, { cwd: output });
    const after = await browser.newPage({ viewport: size, colorScheme: "light" });
    await after.goto(pathToFileURL(join(output, html)).href);
    await after.evaluate(() => document.fonts.ready);
    const shot = (await after.screenshot()).toString("base64");
    const both = await browser.newPage({ viewport: { width: 1640, height: size.height } });
    await both.setContent(
      `<body style="margin:0;display:flex"><pre style="box-sizing:border-box;width:600px;height:620px;margin:0;padding:24px;overflow:hidden;font:15px/1.5 monospace;background:#f4f4f5;border-right:1px solid #d4d4d8"><b>${escaped(old.path)}</b>\n\n${escaped(old.code)}</pre><img src="data:image/png;base64,${shot}">`,
    );
    await both.screenshot({ path: join(pictures, `${name}.jpg`), type: "jpeg", quality: 60 });
    await Promise.all([after.close(), both.close()]);
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
