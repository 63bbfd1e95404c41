import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { WorkerProcessOptions } from "./worker-process.js";

const script = fileURLToPath(new URL("./worker-process.ts", import.meta.url));

export interface WorkerProcess {
  readonly pid: number;
  /** The log so far. */
  log(): string;
  /** Resolves with the signal or the exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a worker in its own process, killed when the test ends. */
export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const child = spawn(process.execPath, ["--no-warnings", script, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.on("exit", (code, signal) => resolve(signal ?? code)),
  );
  onTestFinished(async () => {
    child.kill("SIGCONT");
    child.kill("SIGKILL");
    await ended;
  });
  return { pid: child.pid!, log: () => log, ended, kill: (signal) => void child.kill(signal) };
}

/** Running child processes of a process. Polls call it: to look at all processes would take fifty times as long. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((thread) => read(pid, `task/${thread}/children`).split(" ").filter(Boolean))
      .map(Number)
      .filter(isAlive);
  } catch {
    return [];
  }
}

export const isAlive = (pid: number): boolean => /.*\) [^Z]/s.test(read(pid, "stat"));

/** Whether the process is an export child. */
export const isExport = (pid: number): boolean => read(pid, "cmdline").includes("export-child.js");

/** The process that runs Node, of a process that may first make namespaces for it; undefined until it runs. */
export function nodeInside(pid: number): number | undefined {
  const [child] = childrenOf(pid);
  if (child !== undefined) return nodeInside(child);
  return read(pid, "cmdline").startsWith(process.execPath) ? pid : undefined;
}

/** Names of the environment variables of a process, sorted. */
export const environmentOf = (pid: number): string[] =>
  read(pid, "environ")
    .split("\0")
    .filter(Boolean)
    .map((variable) => variable.split("=")[0]!)
    .toSorted();

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}
