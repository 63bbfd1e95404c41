import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statfsSync, statSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { loadSite } from "../../index.js";
import { cacheUse } from "../../lib/cache/index.js";
import { nodeProblem } from "../../lib/check-node.js";
import { builtFile, engineVersion } from "../../lib/package-root.js";
import { command, type Input } from "../command.js";
import type { Environment } from "../environment.js";
import { type Colorize, colorizer, count } from "../print/terminal.js";
import { cacheFolder } from "../settings/cache.js";
import type texts from "./texts/doctor.json";

export const commands = { doctor: command(parse, run) };

function parse({ argument, values }: Input<typeof texts, "doctor">) {
  return { folder: argument || ".", json: values.json ?? false };
}

/** Prints a line for each thing that an export needs; exit code 1 if one of them is missing. */
async function run({ folder, json }: ReturnType<typeof parse>, environment: Environment): Promise<number> {
  const { stdout, env } = environment;
  const color = colorizer(stdout, env);
  let hasFailed = false;
  for await (const check of checksOf(folder, environment)) {
    hasFailed ||= check.status === "fail";
    stdout.write(json ? `${JSON.stringify(check)}\n` : lineOf(check, color));
  }
  return hasFailed ? 1 : 0;
}

/** One line. Fail: an export does not work here. Warn: it may be slow or lack something. */
interface Check {
  readonly status: "ok" | "warn" | "fail";
  readonly name: string;
  readonly what: string;
  readonly fix?: string;
}

const colors = { ok: "green", warn: "yellow", fail: "red" } as const;

function lineOf({ status, name, what, fix }: Check, color: Colorize): string {
  const line = `${color(status, colors[status])}${" ".repeat(6 - status.length)}${name.padEnd(14)}${what}\n`;
  return fix === undefined ? line : `${line}${" ".repeat(20)}fix: ${fix}\n`;
}

const ok = (name: string, what: string): Check => ({ status: "ok", name, what });
const warn = (name: string, what: string, fix: string): Check => ({ status: "warn", name, what, fix });
const fail = (name: string, what: string, fix: string): Check => ({ status: "fail", name, what, fix });
const gigabyte = 2 ** 30;
const inGigabytes = (bytes: number): string => `${(bytes / gigabyte).toFixed(1)} GB`;

/** @param folder of the site */
async function* checksOf(folder: string, environment: Environment): AsyncGenerator<Check> {
  yield ok("Offprint", engineVersion());
  yield checkNode();
  yield checkMemory();
  yield checkCache(cacheFolder(environment));
  const tmpdirFault = writeFault(tmpdir());
  yield tmpdirFault === undefined
    ? ok("Temporary", tmpdir())
    : fail("Temporary", tmpdirFault, "set TMPDIR to a folder that you can write to.");
  yield checkFreeSpace(folder);
  yield checkLetterCase(folder);
  yield checkProxies(environment.env);
  yield* checkPrograms();
  yield await checkSite(folder);
}

function checkNode(): Check {
  const problem = nodeProblem();
  return problem
    ? fail("Node", problem, "install the current LTS from nodejs.org.")
    : ok("Node", process.versions.node);
}

/** Below 1 GB, exports of some thousand pages fail or swap. */
function checkMemory(): Check {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const what = `${inGigabytes(bytes)}, ${count(availableParallelism(), "core")}`;
  if (bytes >= gigabyte) return ok("Memory", what);
  return warn("Memory", what, "give the machine or container 1 GB for sites with more than 1,000 pages.");
}

function checkCache(folder: string): Check {
  const fault = writeFault(folder);
  if (fault !== undefined)
    return warn("Cache", fault, "set XDG_CACHE_HOME to a folder that you can write to, or export with --no-cache.");
  const bytes = cacheUse(folder).reduce((sum, kind) => sum + kind.bytes, 0);
  return ok("Cache", `${folder}; ${inGigabytes(bytes)} in use`);
}

/** The reason why the folder is not writable; undefined if it is. */
function writeFault(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function checkFreeSpace(folder: string): Check {
  const { bavail, bsize } = statfsSync(existsSync(folder) ? folder : ".");
  const what = `${inGigabytes(bavail * bsize)} free`;
  if (bavail * bsize >= gigabyte) return ok("Disk", what);
  return warn("Disk", what, "free some space: a new bundle is written next to the previous one before it replaces it.");
}

/** Looks for a file of the folder by its name in upper case. */
function checkLetterCase(folder: string): Check {
  const name = existsSync(folder) ? readdirSync(folder).find((entry) => entry !== entry.toUpperCase()) : undefined;
  if (name === undefined)
    return ok("File names", "unknown whether the disk distinguishes upper and lower case: the folder is empty");
  const other = statSync(join(folder, name.toUpperCase()), { throwIfNoEntry: false });
  if (other?.ino !== statSync(join(folder, name), { throwIfNoEntry: false })?.ino)
    return ok("File names", "upper and lower case are distinguished");
  return warn(
    "File names",
    "this disk ignores upper and lower case, but most servers do not",
    'watch for LINK_CASE_DIFFERS: "offprint explain LINK_CASE_DIFFERS".',
  );
}

function checkProxies(env: NodeJS.ProcessEnv): Check {
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].filter((name) => env[name]).join(", ");
  if (names === "") return ok("Network", "no proxy is set");
  if (env["NODE_USE_ENV_PROXY"] === "1") return ok("Network", `through ${names}`);
  return warn(
    "Network",
    `${names} is set, but Node does not use it by default`,
    "set NODE_USE_ENV_PROXY=1 for --embed-remote and remote specifications.",
  );
}

const reinstall = "reinstall Offprint on this system, without --omit=optional.";

async function* checkPrograms(): AsyncGenerator<Check> {
  const nativeModules = [
    { name: "Markdown", load: () => import("satteri"), report: warn, without: "pages are parsed by a slower parser" },
    { name: "Styles", load: () => import("lightningcss"), report: fail, without: "style sheets cannot be built" },
    { name: "Scripts", load: () => import("esbuild"), report: fail, without: "live components cannot be built" },
  ];
  for (const { name, load, report, without } of nativeModules)
    yield await load().then(
      () => ok(name, "native module found"),
      (error: Error) => report(name, `${without}: ${error.message.split("\n")[0]}`, reinstall),
    );
  yield existsSync(builtFile("diagram-worker.js"))
    ? ok("Diagrams", "rendered without a browser")
    : warn("Diagrams", "the program that renders them is missing", reinstall);
  const git = spawnSync("git", ["--version"], { encoding: "utf8" });
  yield git.status === 0
    ? ok("Git", git.stdout.trim().replace(/^git version /, ""))
    : warn("Git", "not found", "install git, if the service exports repositories.");
}

async function checkSite(folder: string): Promise<Check> {
  if (!existsSync(join(folder, "docs.json")) && !existsSync(join(folder, "mint.json")))
    return ok("Site", `${resolve(folder)} has no docs.json`);
  const { site, diagnostics } = await loadSite({ source: folder });
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const pages = `${site?.pages.length ?? 0} pages`;
  if (diagnostics.length === 0) return ok("Site", pages);
  const what = `${pages}, ${errors} errors and ${diagnostics.length - errors} warnings in its settings and navigation`;
  return (errors > 0 ? fail : warn)("Site", what, `offprint check ${folder}`);
}
