// What does Offprint cost compared with other tools, on the same pages, in one run? Prints a Markdown table for the README.
//
//   npm run compare-tools                    1,000 distinct pages, five rounds
//   npm run compare-tools -- --pages 4000 --rounds 3 --only offprint,hugo
//
// In each round, every tool runs once, so that a machine that becomes slower slows all of them. Other tools come from the
// npm registry into a temporary folder, Hugo from the PATH; a missing one is left out, with a message. Needs GNU time for
// the processor time and memory of whole processes.
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeMarkdownSite } from "./synthetic-site.ts";

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
    only: { type: "string" },
  },
});
const pageCount = Number(values.pages);
const work = mkdtempSync(join(tmpdir(), "offprint-tools-"));
const site = join(work, "site");
writeMarkdownSite(site, pageCount);
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

interface Tool {
  readonly name: string;
  /** Short name for `--only`. */
  readonly key: string;
  /** What it makes besides the pages. */
  readonly makes: string;
  /** Packages of the npm registry. */
  readonly packages?: readonly string[];
  /** Folder of the pages, in the folder of the tool. Default: the site itself is read. */
  readonly pages?: string;
  /** Other files that the tool needs, by their paths in its folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Command that writes the pages into the folder `output`. */
  readonly command: (output: string) => readonly string[];
}

const offprint = (name: string, flags: readonly string[]): Tool => ({
  name,
  key: "offprint",
  makes: "navigation, search, Markdown of each page, works from disk",
  command: (output) => [process.execPath, cli, "export", site, "--output", output, "--no-cache", ...flags],
});

const documentOf = (title: string, content: string): string =>
  `<!DOCTYPE html><html><head><title>{{ ${title} }}</title></head><body>{{ ${content} }}</body></html>\n`;
const settings = (value: object): string => `export default ${JSON.stringify(value)};\n`;

const tools: readonly Tool[] = [
  offprint("Offprint, one thread", ["--concurrency", "1"]),
  offprint("Offprint, as it decides itself", []),
  {
    name: "Hugo",
    key: "hugo",
    makes: "title and text only",
    pages: "content",
    files: {
      "config.toml": 'baseURL = "https://example.com/"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]\n',
      "layouts/_default/single.html": documentOf(".Title", ".Content"),
      "layouts/_default/list.html": documentOf(".Title", ".Content"),
    },
    command: (output) => ["hugo", "--quiet", "--destination", output],
  },
  {
    name: "Eleventy",
    key: "eleventy",
    makes: "title and text only",
    packages: ["@11ty/eleventy", "@11ty/eleventy-plugin-syntaxhighlight"],
    pages: "content",
    files: {
      "eleventy.config.mjs":
        'import highlight from "@11ty/eleventy-plugin-syntaxhighlight";\n' +
        "export default (config) => { config.addPlugin(highlight); };\n" +
        'export const config = { dir: { input: "content" }, markdownTemplateEngine: false };\n',
      "content/content.json": '{ "layout": "page.njk" }',
      "content/_includes/page.njk": documentOf("title", "content | safe"),
    },
    command: (output) => ["node_modules/.bin/eleventy", "--quiet", `--output=${output}`],
  },
  {
    name: "VitePress",
    key: "vitepress",
    makes: "navigation, search",
    packages: ["vitepress"],
    pages: "docs",
    files: {
      "docs/.vitepress/config.mjs": settings({
        title: "Pages",
        ignoreDeadLinks: true,
        themeConfig: { search: { provider: "local" } },
      }),
    },
    command: (output) => ["node_modules/.bin/vitepress", "build", "docs", "--outDir", output],
  },
  {
    name: "Starlight",
    key: "starlight",
    makes: "navigation, search",
    packages: ["astro", "@astrojs/starlight"],
    pages: "src/content/docs",
    files: {
      "astro.config.mjs":
        'import { defineConfig } from "astro/config";\nimport starlight from "@astrojs/starlight";\n' +
        'export default defineConfig({ integrations: [starlight({ title: "Pages" })] });\n',
      "src/content.config.ts":
        'import { defineCollection } from "astro:content";\nimport { docsLoader } from "@astrojs/starlight/loaders";\n' +
        'import { docsSchema } from "@astrojs/starlight/schema";\n' +
        "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n",
    },
    command: (output) => ["node_modules/.bin/astro", "build", "--outDir", output],
  },
  {
    name: "Docusaurus",
    key: "docusaurus",
    makes: "navigation",
    packages: ["@docusaurus/core", "@docusaurus/preset-classic", "react@19", "react-dom@19"],
    pages: "docs",
    files: {
      "docusaurus.config.mjs": settings({
        title: "Pages",
        url: "https://example.com",
        baseUrl: "/",
        onBrokenLinks: "ignore",
        presets: [["classic", { docs: { routeBasePath: "/" }, blog: false }]],
      }),
    },
    command: (output) => ["node_modules/.bin/docusaurus", "build", "--out-dir", output],
  },
];

interface Run {
  readonly cpu: number;
  readonly wall: number;
  readonly megabytes: number;
}

const folderOf = ({ name }: Tool): string => join(work, name.toLowerCase().replaceAll(/[^a-z]+/g, "-"));

/** Why a tool cannot run; undefined once it is ready. */
function prepare(tool: Tool): string | undefined {
  const folder = folderOf(tool);
  mkdirSync(folder, { recursive: true });
  if (tool.key === "hugo" && spawnSync("hugo", ["version"]).status !== 0) return "not on the PATH";
  if (tool.packages) {
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
    const installed = spawnSync("npm", [...flags, ...tool.packages], { cwd: folder, encoding: "utf8" });
    if (installed.status !== 0) return installed.stderr.slice(-200);
  }
  const isPage = (path: string): boolean => !path.endsWith("docs.json");
  if (tool.pages) cpSync(site, join(folder, tool.pages), { recursive: true, filter: isPage });
  for (const [path, text] of Object.entries(tool.files ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return undefined;
}

/** Files that the tools cache for their next run. */
const caches = ["node_modules/.astro", "node_modules/.cache", "docs/.vitepress/cache", ".astro", ".docusaurus"];

/** Runs a tool once, from scratch. @throws {Error} if it fails, or leaves out pages */
function run(tool: Tool): Run {
  const folder = folderOf(tool);
  const output = join(folder, "bench-output");
  const times = join(folder, "bench-times");
  for (const old of [output, ...caches.map((name) => join(folder, name))])
    rmSync(old, { recursive: true, force: true });
  spawnSync("sync");
  // Programs of packages take the Node.js of this process, not another one.
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, ASTRO_TELEMETRY_DISABLED: "1", NO_UPDATE_NOTIFIER: "1", CI: "1" };
  const measured = ["-f", "%U %S %e %M", "-o", times, ...tool.command(output)];
  const { status, stdout, stderr } = spawnSync("time", measured, {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`${tool.name} failed: ${(stdout + stderr).slice(0, 2000)}`);
  const made = globSync("**/*.html", { cwd: output }).length;
  if (made < pageCount) throw new Error(`${tool.name} made ${made} of ${pageCount} pages.`);
  const [user, system, wall, kilobytes] = readFileSync(times, "utf8").trim().split("\n").at(-1)!.split(" ").map(Number);
  return { cpu: user! + system!, wall: wall!, megabytes: kilobytes! / 1024 };
}

const asked = values.only?.split(",");
const runs = new Map<Tool, Run[]>();
for (const tool of tools.filter(({ key }) => asked?.includes(key) ?? true)) {
  const missing = prepare(tool);
  if (missing === undefined) runs.set(tool, []);
  else console.error(`${tool.name} is left out: ${missing}`);
}
for (let round = 1; round <= Number(values.rounds); round++)
  for (const [tool, done] of runs)
    try {
      const result = run(tool);
      done.push(result);
      console.error(JSON.stringify({ round, tool: tool.name, ...result }));
    } catch (error) {
      console.error(`${tool.name} is left out: ${(error as Error).message}`);
      runs.delete(tool);
    }
rmSync(work, { recursive: true });

const sorted = (of: readonly number[]): number[] => of.toSorted((a, b) => a - b);
const median = (of: readonly number[]): number => sorted(of)[Math.floor(of.length / 2)]!;
const spread = (of: readonly number[]): string => `${sorted(of)[0]!.toFixed(1)} to ${sorted(of).at(-1)!.toFixed(1)} s`;
const [machine] = cpus();
console.log(
  `${pageCount} distinct pages, ${values.rounds} rounds, ${cpus().length} cores (${machine!.model}), Node ${process.version}\n`,
);
console.log("| | processor time | spread | wall time | spread | memory | beside the pages |");
console.log("|---|--:|--:|--:|--:|--:|---|");
for (const [{ name, makes }, done] of runs) {
  const [cpu, wall] = [done.map((each) => each.cpu), done.map((each) => each.wall)];
  const memory = `${Math.round(median(done.map(({ megabytes }) => megabytes)))} MB`;
  const cells = [
    name,
    `${median(cpu).toFixed(1)} s`,
    spread(cpu),
    `${median(wall).toFixed(1)} s`,
    spread(wall),
    memory,
    makes,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
