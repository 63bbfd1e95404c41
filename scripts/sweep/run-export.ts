// Runs an export in a process of its own, and measures it.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface ExportRun {
  readonly exitCode: number | null;
  readonly isTimedOut: boolean;
  readonly seconds: number;
  /** Processor time of the process and all its children. */
  readonly cpuMs: number;
  /** The largest sum of memory of its processes at one time; 0 if the system does not report it. */
  readonly peakBytes: number;
  /** Diagnostics by code. */
  readonly codes: Readonly<Record<string, number>>;
  readonly lastLines: string;
  readonly site: string;
  readonly bundle: string;
}

/** Exports the site into `folder`, which exists. */
export async function runExport(site: string, folder: string, timeoutSeconds: number): Promise<ExportRun> {
  const bundle = join(folder, "bundle");
  const report = join(folder, "report.json");
  const started = performance.now();
  const script = `"$@"; code=$?; times >&3; exit $code`;
  const args = [command, "export", site, "--output", bundle, "--no-cache", "--report", report, "--quiet"];
  const child = spawn("sh", ["-c", script, "sh", process.execPath, ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: "" },
    detached: true,
  });
  let said = "";
  let times = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
    });
  child.stdio[3]!.on("data", (chunk: Buffer) => {
    times += chunk.toString();
  });
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, memoryOfGroup(child.pid!));
  }, 250);
  let isTimedOut = false;
  const limit = setTimeout(() => {
    isTimedOut = true;
    process.kill(-child.pid!, "SIGKILL");
  }, timeoutSeconds * 1_000);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  clearInterval(watch);
  clearTimeout(limit);
  return {
    exitCode,
    isTimedOut,
    seconds: (performance.now() - started) / 1_000,
    cpuMs: cpuOf(times),
    peakBytes,
    codes: codesIn(report),
    lastLines: said.trim().split("\n").slice(-3).join("\n"),
    site,
    bundle,
  };
}

/** The second line of `times` is what the shell's children used: minutes and seconds, in user and system mode. */
function cpuOf(times: string): number {
  const line = times.trim().split("\n")[1] ?? "";
  let ms = 0;
  for (const [, minutes, seconds] of line.matchAll(/(\d+)m([\d.]+)s/g))
    ms += Number(minutes) * 60_000 + Number(seconds) * 1_000;
  return ms;
}

/** Bytes that the processes of a group hold now, by the files of Linux. */
function memoryOfGroup(group: number): number {
  let bytes = 0;
  try {
    for (const pid of readdirSync("/proc")) {
      if (!/^\d+$/.test(pid)) continue;
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const [, , groupId] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (Number(groupId) !== group) continue;
        bytes += Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4_096;
      } catch {
        // The process has ended.
      }
    }
  } catch {
    return 0;
  }
  return bytes;
}

function codesIn(report: string): Record<string, number> {
  const codes: Record<string, number> = {};
  try {
    const { diagnostics = [] } = JSON.parse(readFileSync(report, "utf8")) as { diagnostics?: { code: string }[] };
    for (const { code } of diagnostics) codes[code] = (codes[code] ?? 0) + 1;
  } catch {
    // Nothing was exported; the exit code says so.
  }
  return codes;
}
