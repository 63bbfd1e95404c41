/** Pages of real sites with live components. Where the corpora lack a component's file, one of its shape is added. */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ExportResult } from "offprint";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findChromium } from "../../support/browser.js";
import { realSites, whyNoRealSites } from "../../support/corpora.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { type ServedFolder, serveFolder, strictPolicy } from "../../support/serve-folder.js";
import { actsAsReader, sharedBrowser } from "../../support/shared-browser.js";

const chromium = findChromium();
const corpus = realSites.find(({ name }) => name === "mintlify");
if (whyNoRealSites !== undefined) console.info(whyNoRealSites);

/** The shape in which `assistant/widget` uses it: with a component of the page, around the rest of the page. */
const playground = `export const AssistantWidgetPlayground = ({ CodeBlockComponent, children }) => {
  const [open, setOpen] = useState(false);
  return (
    <div className="not-prose">
      <label><input type="checkbox" checked={open} onChange={(event) => setOpen(event.target.checked)} /> Open</label>
      <CodeBlockComponent language="js" filename="widget.js">{\`init(\${JSON.stringify({ open })});\`}</CodeBlockComponent>
      {children}
    </div>
  );
};`;

describe.skipIf(corpus === undefined || chromium === undefined)("pages of a real site", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  const folder = mkdtempSync(join(tmpdir(), "offprint-real-pages-"));
  let result: ExportResult;
  let server: ServedFolder;
  beforeAll(async () => {
    const source = join(folder, "site");
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(source, path)), { recursive: true });
      writeFileSync(join(source, path), text);
    };
    const pages = ["customize/react-components", "deploy/vercel", "assistant/widget"];
    for (const page of pages) cpSync(join(corpus!.folder, `${page}.mdx`), join(source, `${page}.mdx`));
    cpSync(join(corpus!.folder, "snippets"), join(source, "snippets"), { recursive: true });
    const manual = readFileSync(join(source, `${pages[0]}.mdx`), "utf8");
    write(
      "snippets/color-generator.jsx",
      /^```mdx \/snippets\/color-generator\.jsx.*\n([\s\S]*?)^```/m.exec(manual)![1]!,
    );
    write("snippets/assistant-widget-playground.jsx", playground);
    write(
      "docs.json",
      JSON.stringify({ name: "Real pages", theme: "mint", colors: { primary: "#0e6f8e" }, navigation: { pages } }),
    );
    result = await exportInProcess({ source, output: join(folder, "out") });
    server = await serveFolder(join(folder, "out"), { policy: strictPolicy });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("render all of their components", () => {
    const found = result.diagnostics.filter(({ code }) => /ISLAND|JAVASCRIPT|MODULE|IMPORT/.test(code));
    assert.deepEqual(found, []);
  });

  test("answer their readers", async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));

    await page.goto(`${server.url}customize/react-components.html`);
    await page.click("[aria-label=Increase]");
    await page.locator("[data-island] .font-medium", { hasText: /^1$/ }).waitFor();
    await page.locator("input[type=range]").first().fill("20");
    await page.getByText("Base color: hsl(20, 50%, 50%)").waitFor();
    const swatch = page.getByTitle("Click to copy: hsl(20, 50%, 70%)");
    assert.equal(await swatch.evaluate((node) => getComputedStyle(node).backgroundColor), "rgb(217, 166, 140)");

    await page.goto(`${server.url}deploy/vercel.html`);
    await page.getByPlaceholder("docs").fill("/manual/");
    assert.match((await page.locator("[data-island] pre").textContent())!, /mintlify\.site\/manual\/:path\*/);

    await page.goto(`${server.url}assistant/widget.html`);
    await page.getByLabel("Open", { exact: true }).check();
    await page.getByText('init({"open":true});').waitFor();
    assert.equal(await page.locator("h2#open-on-initialization").isVisible(), true);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
