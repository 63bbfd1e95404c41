import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { JobRules, NewJob } from "../../../src/service/jobs/index.js";
import { bundleModule } from "../../support/bundle-module.js";

/** Task of a process: take jobs and work, create the same job repeatedly, or maintain the queue. */
export interface ProcessTask {
  readonly address: string;
  readonly workerId: string;
  readonly rules: Partial<JobRules>;
  /** Factor by which its time runs faster than ours, from `epoch` on. */
  readonly speed: number;
  readonly epoch: number;
  /** Parts of a job, with a heartbeat after each. */
  readonly parts: number;
  readonly partMs: number;
  /** Number of concurrent jobs; default 1. */
  readonly concurrency?: number;
  /** Id of a job that kills the process which runs it. */
  readonly poison?: string;
  readonly create?: NewJob;
  readonly maintains?: true;
}

interface Take {
  readonly jobId: string;
  readonly fence: number;
}
export interface Said {
  readonly opened?: true;
  readonly maintained?: true;
  readonly took?: Take & { readonly alone: boolean };
  readonly reported?: Take;
  readonly completed?: Take;
  readonly lost?: Take;
  readonly creating?: string;
  readonly created?: string;
  readonly jobId?: string;
}

export interface TestProcess {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly said: readonly Said[];
  /** Resolves with the first line from now on that matches. */
  hears(is: (said: Said) => boolean): Promise<Said>;
  readonly ended: Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

const script = bundleModule(fileURLToPath(new URL("./worker-process.ts", import.meta.url)));

/**
 * Starts a process that ends with the test.
 *
 * @param largestFile in blocks of 512 bytes: a larger write fails as on a full disk.
 */
export function startProcess(task: ProcessTask, largestFile?: number): TestProcess {
  const limit = largestFile === undefined ? "" : `trap "" XFSZ; ulimit -f ${largestFile}; exec 2>/dev/null;`;
  const words = [process.execPath, script, JSON.stringify(task)];
  const child = spawn("sh", ["-c", `${limit} exec "$@"`, "sh", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const said: Said[] = [];
  const listeners = new Set<(line: Said) => void>();
  createInterface({ input: child.stdout! }).on("line", (line) => {
    said.push(JSON.parse(line) as Said);
    for (const listener of listeners) listener(said.at(-1)!);
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return {
    child,
    said,
    ended,
    hears: (is) =>
      new Promise((resolve, reject) => {
        const listener = (line: Said): void => {
          if (!is(line)) return;
          listeners.delete(listener);
          resolve(line);
        };
        listeners.add(listener);
        void ended.then(() => reject(new Error("The process has ended.")));
      }),
    kill,
  };
}
