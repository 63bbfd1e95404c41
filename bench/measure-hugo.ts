// How long does Hugo take for the same Markdown, with a theme of nothing but title and text? Hugo highlights code with its
// default style. Runs `hugo` from the PATH; prints one JSON line, like the other scripts. Linux only: the processor time
// of the child comes from /proc.
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [source, output] = process.argv.slice(2);
if (source === undefined || output === undefined) throw new Error("usage: measure-hugo.ts <site> <output>");

const project = `${output}-hugo`;
const layouts = join(project, "layouts", "_default");
mkdirSync(layouts, { recursive: true });
cpSync(source, join(project, "content"), { recursive: true });
writeFileSync(
  join(project, "config.toml"),
  'baseURL = "https://example.com/"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]\n',
);
const document =
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head>' +
  "<body><h1>{{ .Title }}</h1>{{ .Content }}</body></html>\n";
for (const name of ["single", "list"]) writeFileSync(join(layouts, `${name}.html`), document);

spawnSync("sync");
const run = spawnSync("hugo", ["--quiet", "--destination", output], { cwd: project, encoding: "utf8" });
if (run.status !== 0) throw new Error(`hugo failed: ${run.stderr}`);
// The 16th and 17th fields are the hundredths of a second of all children that have ended, in user and system mode; only
// `sync` was another one.
const fields = readFileSync("/proc/self/stat", "latin1").split(") ")[1]!.split(" ");
const cpuMs = 10 * (Number(fields[13]) + Number(fields[14]));
const pages = globSync("**/*.{md,mdx}", { cwd: source }).length;
if (globSync("**/*.html", { cwd: output }).length < pages) throw new Error("hugo left out pages.");
rmSync(project, { recursive: true });
const version = spawnSync("hugo", ["version"], { encoding: "utf8" }).stdout.split(" ")[1];
console.log(JSON.stringify({ pages, cpuMsPerPage: Number((cpuMs / pages).toFixed(3)), version }));
