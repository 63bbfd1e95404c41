// The handbook's tutorial, followed to the letter. scripts/tutorial-pictures.js takes its pictures here.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { exportSite } from "../../src/index.js";
import { callCli, temporaryFolder } from "../support/cli.js";

/** The folder of the handbook's pictures; `scripts/tutorial-pictures.js` sets it. */
const pictures = process.env["OFFPRINT_PICTURES"];

const page = readFileSync(
  fileURLToPath(new URL("../../fixtures/handbook/start/create-a-site.mdx", import.meta.url)),
  "utf8",
);
/** The code blocks of the page in order, by the text after their fence. */
const blocks = [...page.matchAll(/^( *)(`{3,})(\S+)(?: (.*))?\n([\s\S]*?)^\1\2$/gm)].map(
  ([, indent = "", , language, info = "", text = ""]) => ({
    kind: info.startsWith("What it prints") ? "output" : info || language!,
    text: text.replace(new RegExp(`^${indent}`, "gm"), ""),
  }),
);
const of = (kind: string): string[] => blocks.filter((block) => block.kind === kind).map(({ text }) => text);

test("the tutorial prints the output that it shows, reports its mistake, and ends with a site without faults", async () => {
  const place = temporaryFolder();
  const site = join(place, "docs");
  const [made, found, exported] = of("output");
  const printed = async (words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await callCli(words, { env: { XDG_CACHE_HOME: place } });
    expect(code).toBe(0);
    return `${stderr}${stdout}`.replaceAll(/\S*\/(?=docs(?:\s|\/))/g, "");
  };
  const commands = of("bash").flatMap((text) => text.trim().split("\n"));
  expect(commands.slice(0, 4)).toEqual([
    "offprint init docs --name Beacon",
    "offprint preview docs",
    "offprint check docs",
    "offprint export docs --output out --archive beacon.zip",
  ]);

  expect(await printed(["init", site, "--name", "Beacon"])).toBe(made);
  await take("tutorial-start", site, "index.html", "light");

  const settings = join(site, "docs.json");
  const change = (before: RegExp, line: string): void => {
    const text = readFileSync(settings, "utf8");
    expect(text).toMatch(before);
    writeFileSync(settings, text.replace(before, line.trim()));
  };
  const [added] = of("guides/limits.mdx");
  const written = join(site, "guides/limits.mdx");
  mkdirSync(dirname(written), { recursive: true });
  writeFileSync(written, added!);
  const [listed, ...looks] = of("docs.json");
  change(/"pages": \["guides\/concepts".*?\]/, listed!);
  expect(await printed(["check", site])).toContain(found);

  writeFileSync(written, added!.replace("(/guides/concept)", "(/guides/concepts)"));
  for (const line of looks.join("").trim().split("\n")) change(new RegExp(`${/^"\w+"/.exec(line)![0]}: .*`), line);
  const [headline] = exported!.split(" in ");
  const archive = join(place, "beacon.zip");
  const result = await printed(["export", site, "--archive", archive, "--output", join(place, "out")]);
  expect(result).toContain(headline);
  expect(result).not.toMatch(/warning|error/);
  await take("tutorial-end", site, "guides/limits.html", "dark");
});

async function take(name: string, source: string, path: string, colorScheme: "light" | "dark"): Promise<void> {
  if (!pictures) return;
  const { launchBrowser } = await import("../support/browser.js");
  const output = join(temporaryFolder(), "out");
  await exportSite({ source, output });
  const browser = await launchBrowser(process.env["CHROMIUM"] ?? "/usr/bin/chromium");
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
  await tab.goto(pathToFileURL(join(output, path)).href);
  await tab.evaluate(() => document.fonts.ready);
  await tab.screenshot({ path: join(pictures, `${name}.png`) });
  await browser.close();
}
