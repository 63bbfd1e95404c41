// What does Offprint cost beside other tools, on the same pages, in one run? Prints a table in Markdown for the README.
//
//   npm run compare-tools                    1,000 distinct pages, five rounds
//   npm run compare-tools -- --pages 4000 --rounds 3 --only offprint,hugo
//
// In each round every tool runs once, in turn, so that a machine that gets slower does so for all of them. Other tools come from
// the npm registry into a temporary folder, Hugo from the PATH; one that is not there is left out, and that is said. Needs
// GNU time for the processor time and memory of whole processes.
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
  /** What it makes beside the pages. */
  readonly makes: string;
  /** Packages of the npm registry. */
  readonly packages?: readonly string[];
  /** Writes what the tool needs into its folder. */
  readonly prepare?: (folder: string) => void;
  /** Command that writes the pages into the folder `output`. */
  readonly command: (folder: string, output: string) => readonly string[];
  /** Where the pages are, if not in `output`. */
  readonly output?: string;
}

const offprint = (name: string, flags: readonly string[]): Tool => ({
  name,
  key: "offprint",
  makes: "navigation, search, Markdown of each page, works from disk",
  command: (_, output) => [process.execPath, cli, "export", site, "--output", output, "--no-cache", ...flags],
});

const copyPages = (folder: string, inside: string): void =>
  cpSync(site, join(folder, inside), { recursive: true, filter: (path) => !path.endsWith("docs.json") });

const tools: readonly Tool[] = [
  offprint("Offprint, one thread", ["--concurrency", "1"]),
  offprint("Offprint, as it decides itself", []),
  {
    name: "Hugo",
    key: "hugo",
    makes: "title and text only",
    prepare(folder) {
      copyPages(folder, "content");
      const document =
        "<!DOCTYPE html><html><head><title>{{ .Title }}</title></head><body>{{ .Content }}</body></html>\n";
      mkdirSync(join(folder, "layouts/_default"), { recursive: true });
      for (const name of ["single", "list"]) writeFileSync(join(folder, `layouts/_default/${name}.html`), document);
      const kinds = 'disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]\n';
      writeFileSync(join(folder, "config.toml"), `baseURL = "https://example.com/"\n${kinds}`);
    },
    command: (_, output) => ["hugo", "--quiet", "--destination", output],
  },
  {
    name: "Eleventy",
    key: "eleventy",
    makes: "title and text only",
    packages: ["@11ty/eleventy", "@11ty/eleventy-plugin-syntaxhighlight"],
    prepare(folder) {
      copyPages(folder, "content");
      const layout =
        "<!DOCTYPE html><html><head><title>{{ title }}</title></head><body>{{ content | safe }}</body></html>\n";
      mkdirSync(join(folder, "content/_includes"), { recursive: true });
      writeFileSync(join(folder, "content/_includes/page.njk"), layout);
      writeFileSync(join(folder, "content/content.json"), '{ "layout": "page.njk" }');
      const config =
        'import highlight from "@11ty/eleventy-plugin-syntaxhighlight";\n' +
        "export default (config) => { config.addPlugin(highlight); };\n" +
        'export const config = { dir: { input: "content" }, markdownTemplateEngine: false };\n';
      writeFileSync(join(folder, "eleventy.config.mjs"), config);
    },
    command: (_, output) => ["node_modules/.bin/eleventy", "--quiet", `--output=${output}`],
  },
  {
    name: "VitePress",
    key: "vitepress",
    makes: "navigation, search",
    packages: ["vitepress"],
    prepare(folder) {
      copyPages(folder, "docs");
      mkdirSync(join(folder, "docs/.vitepress"), { recursive: true });
      const theme = { search: { provider: "local" } };
      const config = `export default ${JSON.stringify({ title: "Pages", ignoreDeadLinks: true, themeConfig: theme })};\n`;
      writeFileSync(join(folder, "docs/.vitepress/config.mjs"), config);
    },
    command: (_, output) => ["node_modules/.bin/vitepress", "build", "docs", "--outDir", output],
  },
  {
    name: "Starlight",
    key: "starlight",
    makes: "navigation, search",
    packages: ["astro", "@astrojs/starlight"],
    prepare(folder) {
      copyPages(folder, "src/content/docs");
      const config =
        'import { defineConfig } from "astro/config";\nimport starlight from "@astrojs/starlight";\n' +
        'export default defineConfig({ integrations: [starlight({ title: "Pages" })] });\n';
      writeFileSync(join(folder, "astro.config.mjs"), config);
      const content =
        'import { defineCollection } from "astro:content";\nimport { docsLoader } from "@astrojs/starlight/loaders";\n' +
        'import { docsSchema } from "@astrojs/starlight/schema";\n' +
        "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n";
      writeFileSync(join(folder, "src/content.config.ts"), content);
    },
    command: (_, output) => ["node_modules/.bin/astro", "build", "--outDir", output],
  },
  {
    name: "Docusaurus",
    key: "docusaurus",
    makes: "navigation",
    packages: ["@docusaurus/core", "@docusaurus/preset-classic", "react@19", "react-dom@19"],
    prepare(folder) {
      copyPages(folder, "docs");
      const preset = ["classic", { docs: { routeBasePath: "/" }, blog: false }];
      const config = {
        title: "Pages",
        url: "https://example.com",
        baseUrl: "/",
        onBrokenLinks: "ignore",
        presets: [preset],
      };
      writeFileSync(join(folder, "docusaurus.config.mjs"), `export default ${JSON.stringify(config)};\n`);
    },
    command: (_, output) => ["node_modules/.bin/docusaurus", "build", "--out-dir", output],
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
  tool.prepare?.(folder);
  return undefined;
}

/** Runs a tool once, from nothing. @throws {Error} if it fails, or leaves out pages */
function run(tool: Tool): Run {
  const folder = folderOf(tool);
  const output = join(folder, "bench-output");
  const times = join(folder, "bench-times");
  for (const old of [
    output,
    ...["node_modules/.astro", "node_modules/.cache", "docs/.vitepress/cache", ".astro", ".docusaurus"].map((name) =>
      join(folder, name),
    ),
  ])
    rmSync(old, { recursive: true, force: true });
  spawnSync("sync");
  // Programs of packages take the Node.js of this process, not another one.
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, ASTRO_TELEMETRY_DISABLED: "1", NO_UPDATE_NOTIFIER: "1", CI: "1" };
  const measured = ["-f", "%U %S %e %M", "-o", times, ...tool.command(folder, output)];
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
