/**
 * The examples of the guides for moving from another tool: the blocks of the tool are converted, and give the blocks of Offprint.
 * UPDATE_GOLDEN=1 writes what the conversion gives into the guides.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type Conversion, convertSite } from "../../src/convert/index.js";
import { exportSite } from "../../src/index.js";
import { escapeHtml } from "../../src/lib/html/escape.js";
import { temporaryFolder, writeSite } from "../support/cli.js";

const folder = join(import.meta.dirname, "../../fixtures/handbook/guides/move");
/** The folder of the handbook's pictures; `scripts/tutorial-pictures.js` sets it. */
const pictures = process.env["OFFPRINT_PICTURES"];
/** The title of a block names its tool and its file: ```md Docusaurus: docs/install.md */
const block = /^(`{3,})([\w-]+) ([A-Za-z]+): (\S+)\n(.*?)^\1$/gms;

for (const name of readdirSync(folder))
  test(`the examples of ${name} match the conversion of the site in them`, async () => {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const blocks = [...text.matchAll(block)].map(([, , , tool, file, code]) => ({ tool, file: file!, code: code! }));
    const before = blocks.filter(({ tool }) => tool !== "Offprint");
    expect(before.length).toBeGreaterThan(0);
    expect(blocks.length).toBeGreaterThan(before.length);
    const source = writeSite(temporaryFolder(), {
      "docs.json": "{}",
      ...Object.fromEntries(before.map(({ file, code }) => [file, code])),
    });
    const { conversion } = await convertSite(source, { fallback: "Acme" });
    expect(conversion!.tool.toLowerCase()).toBe(name.replace(".mdx", ""));
    expect(conversion!.notes.filter(({ kind }) => kind !== "component" && kind !== "hint")).toEqual([]);
    const actual = text.replace(block, (whole, fence: string, language: string, tool: string, file: string) => {
      if (tool !== "Offprint") return whole;
      const written = conversion!.files.get(file);
      expect(typeof written, `${file} of ${[...conversion!.files.keys()].join(", ")}`).toBe("string");
      return `${fence}${language} ${tool}: ${file}\n${String(written)}${fence}`;
    });
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, actual);
    else expect(text, "Write it with UPDATE_GOLDEN=1.").toBe(actual);
    const tool = name.replace(".mdx", "");
    const shown = before.toSorted((a, b) => b.code.length - a.code.length);
    const [page] = shown.flatMap(({ file, code }) =>
      [...conversion!.origins].flatMap(([to, { source }]) => (source === file ? [{ file, code, to }] : [])),
    );
    expect(text).toContain(
      `![The file ${page!.file} on the left, the page that it becomes on the right](/images/move/${tool}.webp)`,
    );
    if (pictures) await take(join(pictures, "move", `${tool}.webp`), page!, conversion!);
    expect(existsSync(join(folder, `../../images/move/${tool}.webp`))).toBe(true);
  });

/** Takes a picture of the old file as text on the left, and of the exported page on the right. */
async function take(
  path: string,
  { file, code, to }: { readonly file: string; readonly code: string; readonly to: string },
  { files, tool }: Conversion,
): Promise<void> {
  const { launchBrowser } = await import("../support/browser.js");
  const source = writeSite(
    temporaryFolder(),
    Object.fromEntries([...files].flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : []))),
  );
  const output = join(temporaryFolder(), "out");
  await exportSite({ source, output });
  const browser = await launchBrowser(process.env["CHROMIUM"] ?? "/usr/bin/chromium");
  const size = { width: 760, height: 720 };
  const tab = await browser.newPage({ viewport: size, colorScheme: "light" });
  await tab.goto(pathToFileURL(join(output, to.replace(/(?:\/index)?\.mdx$/, ".html"))).href);
  await tab.evaluate(() => document.fonts.ready);
  const after = (await tab.screenshot()).toString("base64");
  await tab.setViewportSize({ width: 2 * size.width, height: size.height + 40 });
  await tab.setContent(`<style>
      body { display: grid; grid: 40px ${size.height}px / 1fr 1fr; margin: 0; background: #e2e8f0; font: 15px/40px sans-serif }
      b { padding-left: 16px } pre { margin: 0; padding: 16px; background: white; border-right: 2px solid #e2e8f0; overflow: hidden; font: 13px/1.45 monospace; white-space: pre-wrap }
    </style><b>${escapeHtml(`${tool}: ${file}`)}</b><b>Offprint</b><pre>${escapeHtml(code)}</pre><img src="data:image/png;base64,${after}">`);
  const { data } = await (await tab.context().newCDPSession(tab)).send("Page.captureScreenshot", {
    format: "webp",
    quality: 80,
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.from(data, "base64"));
  await browser.close();
}
