// Exports one site as the command line does and prints its cost as one JSON line. It runs as a child process, so that
// start-up counts.
import { parseArgs } from "node:util";
import { exportSite } from "offprint";
import { tuneProcess } from "../src/export/tune-process.js";
import type * as OpenRemote from "./open-remote.js";

tuneProcess();

const { values, positionals } = parseArgs({
  options: { archive: { type: "boolean" }, bucket: { type: "string" }, remote: { type: "string" } },
  allowPositionals: true,
});
const [source, output, cacheFolder] = positionals;
if (source === undefined || output === undefined)
  throw new Error(
    "usage: measure-export.ts [--archive] [--bucket <JSON> --remote <module>] <site> <output> [cache folder]",
  );
const { bucket, remote } = values;
const archive = values.archive ? `${output}.zip` : undefined;
// The client of the object store is a module of its own: loading it costs more than 30 pages.
const opened: typeof OpenRemote | undefined = remote === undefined ? undefined : await import(remote);
const shared = opened && bucket ? { cacheName: "site", remoteCache: opened.openRemote(JSON.parse(bucket)) } : {};

const started = performance.now();
const result = await exportSite({ source, output, archive, cacheFolder, ...shared });
const elapsedMs = performance.now() - started;
if (!result.ok) throw new Error(`Nothing was exported: ${JSON.stringify(result.diagnostics.slice(0, 3))}`);

const { user, system } = process.cpuUsage();
const cpuMs = (user + system) / 1000;
const perPage = (ms: number): number => Number((ms / result.pageCount).toFixed(3));
const highlightMs = result.timings["highlight"] ?? 0;
console.log(
  JSON.stringify({
    pages: result.pageCount,
    pagesMade: result.pagesMade,
    files: result.manifest?.files.length,
    megabytes: Number(((result.manifest?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0) / 1e6).toFixed(1)),
    cpuMsPerPage: perPage(cpuMs),
    highlightMsPerPage: perPage(highlightMs),
    otherMsPerPage: perPage(cpuMs - highlightMs),
    pagesPerSecond: Math.round((result.pageCount / elapsedMs) * 1000),
    seconds: Number((elapsedMs / 1000).toFixed(2)),
    peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    errors: result.diagnostics.filter((each) => each.severity === "error").length,
    warnings: result.diagnostics.filter((each) => each.severity === "warning").length,
    stagesMsPerPage: Object.fromEntries(Object.entries(result.timings).map(([stage, ms]) => [stage, perPage(ms)])),
    node: process.version,
  }),
);
