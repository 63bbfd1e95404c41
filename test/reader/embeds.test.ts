/** Content of other hosts loads on a click, over http and from disk; elements fixed to the screen are not printed. */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { policyOf } from "../../src/serve/served-bundle.js";
import { newFolder, writeSite } from "../security/site-folder.js";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { actsAsReader, sharedBrowser } from "../support/shared-browser.js";

/** A tenth of a second of silence. */
const sound = Buffer.concat([
  Buffer.from(
    "RIFF\x44\x03\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x20\x03\x00\x00",
    "latin1",
  ),
  Buffer.alloc(800, 128),
]);
const circle =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><path d="M3 3h3v3H3z"/></svg>';

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const chromium = findChromium();
describe.skipIf(chromium === undefined)("content of other hosts", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  const folder = newFolder("embeds");
  const output = join(folder, "out");
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(200, { "Content-Type": request.url!.endsWith(".wav") ? "audio/wav" : "text/html" });
    response.end(request.url!.endsWith(".wav") ? sound : "<p>Loaded</p>");
  });
  const server = createServer((request, response) => {
    const path = request.url!.slice(1) || "index.html";
    const bytes = readFileSync(join(output, path));
    const type =
      { js: "text/javascript", css: "text/css", svg: "image/svg+xml" }[path.split(".").at(-1)!] ?? "text/html";
    const policy = type === "text/html" ? policyOf(bytes.toString()) : undefined;
    response.writeHead(200, {
      "Content-Type": type,
      ...(policy !== undefined && { "Content-Security-Policy": policy }),
    });
    response.end(bytes);
  });
  const places: Record<string, string> = {};
  let page: Page;

  beforeAll(async () => {
    const host = await listening(other);
    const closed = createServer();
    const gone = await listening(closed);
    closed.close();
    const source = writeSite(join(folder, "site"), {
      "docs.json": {
        theme: "mint",
        name: "Acme",
        colors: { primary: "#0a6c5b" },
        logo: `${gone}/logo.svg`,
        navigation: { pages: ["index", "marks", "live", "later"] },
      },
      "index.mdx": `<iframe src="${host}/form" title="Form" />\n\n<iframe src="${gone}/x" title="Gone" />\n\n<audio src="${host}/talk.wav" title="Talk" />\n\n<video autoPlay muted src="${gone}/a.mp4" title="Loop" />\n`,
      "live.mdx": `export const Demo = () => {
  const [step, setStep] = useState(0);
  return (
    <div>
      <button id="next" onClick={() => setStep(step + 1)}>Step {step}</button>
      <iframe src={"${host}/demo" + (step > 1 ? 2 : 0)} title={step > 1 ? "Second" : "First"} height="300" />
      {step === 1 && <iframe src="${host}/late" className="late" />}
    </div>
  );
};\n\n<Demo />\n`,
      "later.mdx": `export const Demo = () => {
  const [shown, show] = useState(false);
  return <div><button onClick={() => show(true)}>Show</button>{shown && <iframe src="${host}/later" />}</div>;
};\n\n<Demo />\n`,
      "marks.mdx": `<i className="mark" /><i className="bolt" /><div id="cookies">We use cookies</div>\n\n<div id="tile" style={{ width: 40 }}><img src="${gone}/ornament.svg" alt="" /></div>\n\n<div id="chart"><img src="${gone}/chart.svg" alt="" /></div>\n\n<div style={{ height: 9000 }} />\n\n![Far below](${gone}/below.svg)`,
      "chat.js": `if (/marks/.test(location.pathname)) addEventListener("load", () => {
  for (const [id, src] of [["answers", "${host}/chat"], ["silent", "${gone}/chat"]])
    document.body.append(Object.assign(document.createElement("iframe"), { id, src }));
});\n`,
      "own.css": `.mark,.bolt{display:inline-block;width:30px;height:30px;background:#f00}.mark{mask:url(/mark.svg) center/30px no-repeat}.bolt{mask:url(https://icons.invalid/v6/solid/bolt.svg)}.gone{background:url(/none.png)}#cookies{position:fixed;bottom:0}`,
      "mark.svg": circle,
    });
    const { diagnostics } = await exportInProcess({ source, output });
    expect(diagnostics.map(({ code, location }) => `${code} ${location?.sourcePath}`)).toEqual([
      "ISLAND_NETWORK later.mdx",
      "ISLAND_NETWORK live.mdx",
      // Pictures of a host of this machine.
      ...Array(3).fill("MEDIA_UNUSABLE marks.mdx"),
      "FILE_NOT_FOUND own.css",
    ]);
    places["http"] = `${await listening(server)}/`;
    places["disk"] = `${pathToFileURL(output).href}/`;
    page = await browser().newPage();
  });
  afterAll(() => {
    other.close();
    server.close();
  });

  const open = (place: string, name: string) => page.goto(`${places[place]}${name}.html`, { waitUntil: "load" });
  const link = (title: string) => page.locator(".embed-link", { hasText: title });

  for (const place of ["http", "disk"]) {
    test(`over ${place}, nothing is requested before a click, which loads it; if the host does not answer, the link stays`, async () => {
      asked.length = 0;
      await open(place, "index");
      expect(await page.locator("iframe, video, audio").count()).toBe(0);
      expect(asked).toEqual([]);
      await link("Form").click();
      await page.frameLocator("iframe").getByText("Loaded").waitFor();
      expect(await link("Form").isVisible()).toBe(true);
      await link("Gone").click();
      await page.getByText("This cannot be loaded here").waitFor();
      expect(await page.locator("iframe").count()).toBe(1);
      await link("Talk").click();
      await page.locator("audio[controls]").waitFor();
      await link("Loop").scrollIntoViewIfNeeded();
      expect(await link("Loop").isVisible()).toBe(true);
    });

    test(`over ${place}, a live component has such links, too, whenever it shows a frame`, async () => {
      asked.length = 0;
      await open(place, "live");
      const next = page.locator("#next");
      await link("First").waitFor();
      await next.click();
      await page.getByText("Step 1").waitFor();
      expect(await page.locator(".embed").count()).toBe(2);
      expect(asked).toEqual([]);
      const late = page.locator(".embed.late");
      expect((await late.boundingBox())!.height).toBeGreaterThan(60);
      await late.locator(".embed-link").click();
      await page.frameLocator(".late iframe").getByText("Loaded").waitFor();
      await link("First").click();
      await page.frameLocator(".embed iframe >> nth=0").getByText("Loaded").waitFor();
      await next.click();
      await link("Second").waitFor();
      expect(await page.locator(".embed").count()).toBe(1);
      expect(await page.locator("iframe").count()).toBe(0);
      expect(asked).not.toContain("/demo2");
    });

    test(`over ${place}, masks are painted`, async () => {
      await open(place, "marks");
      for (const [name, edge] of [
        ["mark", 2],
        ["bolt", 2],
      ] as const) {
        const { x, y } = (await page.locator(`.${name}`).boundingBox())!;
        const colorAt = async (dx: number): Promise<string> => {
          const shot = await page.screenshot({ clip: { x: x + dx, y: y + dx, width: 1, height: 1 } });
          return shot.toString("base64");
        };
        expect(await colorAt(15), name).not.toBe(await colorAt(edge));
      }
    });
  }

  test("a frame that the site's script adds stays hidden if its host does not answer", async () => {
    await open("disk", "marks");
    await page.locator("#silent").waitFor({ state: "hidden" });
    await page.frameLocator("#answers").getByText("Loaded").waitFor();
    expect(await page.locator("#answers").isVisible()).toBe(true);
  });

  test("once a picture of another host fails, those further down fail before the reader reaches them", async () => {
    await open("disk", "marks");
    await page.locator(".missing-image", { hasText: "Far below" }).waitFor({ state: "attached" });
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test("from disk, the first paint has the font of the text", async () => {
    const other = await browser().newPage();
    await other.addInitScript(() => {
      const look = (): unknown =>
        document.body && getComputedStyle(document.body).visibility === "visible"
          ? Object.assign(document.documentElement.dataset, { painted: document.fonts.check("1em Inter") })
          : requestAnimationFrame(look);
      requestAnimationFrame(look);
    });
    await other.goto(`${places["disk"]}marks.html`);
    await other.locator("html[data-painted=true]").waitFor();
    await other.close();
  });

  test("a page whose live component shows a frame later has the style of its link", async () => {
    await open("disk", "later");
    await page.getByText("Show").click();
    const box = page.locator(".embed");
    await box.waitFor();
    expect(await box.evaluate((each) => getComputedStyle(each).borderTopWidth)).toBe("1px");
  });

  test("a logo that fails to load becomes the site's name, a picture a box with text, and an ornament nothing", async () => {
    await open("http", "marks");
    await expect.poll(() => page.locator(".nav-home").textContent()).toBe("Acme");
    await expect.poll(() => page.locator("#chart").textContent()).toBe("Picture not available");
    expect(await page.locator("#tile").textContent()).toBe("");
    expect(await page.locator("#tile img").isVisible()).toBe(false);
  });

  test("a cookie bar is shown on screen but not in print", async () => {
    await open("disk", "marks");
    expect(await page.locator("#cookies").isVisible()).toBe(true);
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => page.locator("#cookies").isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
  });
});
