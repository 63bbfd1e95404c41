import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statfsSync, statSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { loadSite } from "../../index.js";
import { cacheUse } from "../../lib/cache/index.js";
import { nodeProblem } from "../../lib/check-node.js";
import { builtFile, engineVersion } from "../../lib/package-root.js";
import type { Environment } from "../environment.js";
import { painter } from "../print/terminal.js";
import { cacheFolder } from "../settings/cache.js";
import type { DoctorArguments } from "./doctor-options.js";

const ok = (name: string, what: string): Check => ({ status: "ok", name, what });

const colors = { ok: "green", warn: "yellow", fail: "red" } as const;

/** `offprint doctor`: a line for each thing that an export needs; exit code 1 if one of them is missing. */
export async function run({ folder, json }: DoctorArguments, environment: Environment): Promise<number> {
  const { stdout, env } = environment;
  const paint = painter(stdout, env);
  let hasFailed = false;
  for await (const check of examine(folder, environment)) {
    hasFailed ||= check.status === "fail";
    stdout.write(json ? `${JSON.stringify(check)}\n` : lineOf(check, paint));
  }
  return hasFailed ? 1 : 0;
}

function lineOf({ status, name, what, fix }: Check, paint: ReturnType<typeof painter>): string {
  const line = `${paint(status, colors[status])}${" ".repeat(6 - status.length)}${name.padEnd(14)}${what}\n`;
  return fix === undefined ? line : `${line}${" ".repeat(20)}fix: ${fix}\n`;
}

/** One line of `offprint doctor`. Fail: an export does not work here. Warn: it may be slow or lack something. */
interface Check {
  readonly status: "ok" | "warn" | "fail";
  readonly name: string;
  readonly what: string;
  /** Absent if nothing is to be done. */
  readonly fix?: string;
}
const gigabyte = 2 ** 30;
const inGigabytes = (bytes: number): string => `${(bytes / gigabyte).toFixed(1)} GB`;

/** @param folder of the site */
async function* examine(folder: string, environment: Environment): AsyncGenerator<Check> {
  yield ok("Offprint", engineVersion());
  yield node();
  yield memory();
  const cache = cacheFolder(environment);
  yield writable("Cache", cache, `; ${inGigabytes(cacheUse(cache).reduce((sum, { bytes }) => sum + bytes, 0))} in use`);
  yield writable("Temporary", tmpdir(), "");
  yield freeSpace(folder);
  yield letterCase(folder);
  yield* proxies(environment.env);
  yield* parts();
  yield await site(folder);
}

function node(): Check {
  const problem = nodeProblem();
  if (problem) return { status: "fail", name: "Node", what: problem, fix: "install the current LTS from nodejs.org." };
  return ok("Node", process.versions.node);
}

/** Below this, exports of some thousand pages fail or swap. */
const littleMemory = gigabyte;

function memory(): Check {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const cores = availableParallelism();
  const what = `${inGigabytes(bytes)}, ${cores} ${cores === 1 ? "core" : "cores"}`;
  if (bytes >= littleMemory) return ok("Memory", what);
  return {
    status: "warn",
    name: "Memory",
    what,
    fix: "give the machine or container 1 GB for sites above 1,000 pages.",
  };
}

function writable(name: string, folder: string, more: string): Check {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return ok(name, `${folder}${more}`);
  } catch (error) {
    const fix =
      name === "Cache"
        ? "set XDG_CACHE_HOME to a folder that you may write, or export with --no-cache."
        : "set TMPDIR to a folder that you may write.";
    return { status: name === "Cache" ? "warn" : "fail", name, what: (error as Error).message, fix };
  }
}

function freeSpace(folder: string): Check {
  const { bavail, bsize } = statfsSync(existsSync(folder) ? folder : ".");
  const what = `${inGigabytes(bavail * bsize)} free`;
  if (bavail * bsize >= gigabyte) return ok("Disk", what);
  return { status: "warn", name: "Disk", what, fix: "free some space: a bundle is written next to the previous one." };
}

/** Looks for a file of the folder by a name in other letters. */
function letterCase(folder: string): Check {
  const name = existsSync(folder) ? readdirSync(folder).find((each) => each !== each.toUpperCase()) : undefined;
  if (name === undefined) return ok("File names", "not known whether upper and lower case differ: the folder is empty");
  const other = statSync(join(folder, name.toUpperCase()), { throwIfNoEntry: false });
  if (other?.ino !== statSync(join(folder, name), { throwIfNoEntry: false })?.ino)
    return ok("File names", "upper and lower case differ");
  const what = "upper and lower case are the same on this disk, but not on most servers";
  return {
    status: "warn",
    name: "File names",
    what,
    fix: 'mind LINK_CASE_DIFFERS: "offprint explain LINK_CASE_DIFFERS".',
  };
}

function* proxies(env: NodeJS.ProcessEnv): Generator<Check> {
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].filter((name) => env[name]);
  if (names.length === 0) return void (yield ok("Network", "no proxy is set"));
  if (env["NODE_USE_ENV_PROXY"] === "1") return void (yield ok("Network", `through ${names.join(", ")}`));
  const what = `${names.join(", ")} is set, but Node does not use it by itself`;
  yield {
    status: "warn",
    name: "Network",
    what,
    fix: "set NODE_USE_ENV_PROXY=1 for --embed-remote and remote specifications.",
  };
}

const reinstall = "install Offprint again, without --omit=optional and on this system.";

async function* parts(): AsyncGenerator<Check> {
  const native: readonly (readonly [name: string, load: () => Promise<unknown>, without: string])[] = [
    ["Markdown", () => import("satteri"), "pages are read by a slower parser"],
    ["Styles", () => import("lightningcss"), "style sheets cannot be made"],
    ["Scripts", () => import("esbuild"), "live components cannot be built"],
  ];
  for (const [name, load, without] of native) {
    const problem = await load().then(
      () => undefined,
      (error: Error) => error.message.split("\n")[0]!,
    );
    if (problem === undefined) yield ok(name, "native parser found");
    else {
      const status = name === "Markdown" ? "warn" : "fail";
      yield { status, name, what: `${without}: ${problem}`, fix: reinstall };
    }
  }
  if (existsSync(builtFile("diagram-worker.js"))) yield ok("Diagrams", "drawn without a browser");
  else yield { status: "warn", name: "Diagrams", what: "the program that draws them is missing", fix: reinstall };
  const git = spawnSync("git", ["--version"], { encoding: "utf8" });
  if (git.status === 0) yield ok("Git", git.stdout.trim().replace(/^git version /, ""));
  else
    yield { status: "warn", name: "Git", what: "not found", fix: "install git, if the service exports repositories." };
}
async function site(folder: string): Promise<Check> {
  const name = "Site";
  if (!existsSync(join(folder, "docs.json")) && !existsSync(join(folder, "mint.json")))
    return ok(name, `${resolve(folder)} has no docs.json`);
  const { site: plan, diagnostics } = await loadSite({ source: folder });
  const count = (severity: string): number => diagnostics.filter((each) => each.severity === severity).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const pages = `${plan?.pages.length ?? 0} pages`;
  if (errors + warnings === 0) return ok(name, pages);
  const what = `${pages}, ${errors} errors and ${warnings} warnings in its settings and navigation`;
  return { status: errors > 0 ? "fail" : "warn", name, what, fix: `offprint check ${folder}` };
}
