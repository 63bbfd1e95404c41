import type { ChildProcess } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import mermaidPackage from "mermaid/package.json" with { type: "json" };
import PQueue from "p-queue";
import { builtFile } from "../../lib/package-root.js";
import { forkSandboxed, type Sandbox, sendMessage } from "../../lib/sandbox/index.js";
import { ready, type WorkerReply, type WorkerRequest } from "./messages.js";

/** Why the process gave no answer: it was killed at its time limit, it ended by itself, or it never started. */
export interface Lost {
  readonly lost: "slow" | "ended" | "unstarted";
}

export interface WorkerOptions {
  /** Processor time for one diagram: a busy machine draws the same ones as an idle one. */
  readonly deadlineMs?: number;
  /** Diagrams after which the process is replaced, because Mermaid leaks memory. */
  readonly diagramsPerProcess?: number;
  readonly sandbox?: Sandbox;
}
export const workerDefaults = {
  deadlineMs: 10_000,
  diagramsPerProcess: 200,
  sandbox: { permissions: true },
} as const satisfies Required<WorkerOptions>;

/** The first diagram also waits for the packages to load. */
const startMs = 30_000;
/** Times that a process is given more wall time because it got too little processor time. */
const maxExtensions = 8;

/**
 * Draws diagrams in a process of its own, one at a time. Mermaid is a large parser and its input is untrusted. So the
 * process gets no environment, may read only what the build made, may not write or start anything, and is killed after
 * its time limit.
 */
export function createDiagramWorker(options: WorkerOptions = {}) {
  const { deadlineMs, diagramsPerProcess, sandbox } = { ...workerDefaults, ...options };
  const queue = new PQueue({ concurrency: 1 });
  const stop = new AbortController();
  let child: ChildProcess | undefined;
  let hasStarted = false;
  let drawn = 0;
  let nextId = 1;

  const end = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };

  const begin = (): ChildProcess => {
    end();
    drawn = 0;
    const fresh = start(sandbox);
    fresh.on("error", () => {});
    fresh.on("exit", () => {
      if (child === fresh) child = undefined;
    });
    child = fresh;
    return fresh;
  };

  const ask = (source: string): Promise<WorkerReply | Lost> =>
    new Promise((resolve, reject) => {
      const isFresh = child === undefined || drawn >= diagramsPerProcess;
      const own = isFresh ? begin() : child!;
      drawn++;
      const id = nextId++;
      const leave = (): void => {
        clearTimeout(timer);
        stop.signal.removeEventListener("abort", onStop);
        own.off("message", onMessage).off("exit", onEnd).off("error", onEnd);
      };
      const onMessage = (reply: unknown): void => {
        if (reply === ready) hasStarted = true;
        else if (isReplyTo(id, reply)) {
          leave();
          resolve(reply);
        } else lose("ended");
      };
      const lose = (lost: Lost["lost"]): void => {
        leave();
        if (child === own) end();
        resolve({ lost });
      };
      const onEnd = (): void => lose(hasStarted ? "ended" : "unstarted");
      const onStop = (): void => {
        leave();
        end();
        reject(stop.signal.reason);
      };
      const allowedMs = deadlineMs + (isFresh ? startMs : 0);
      const usedBefore = processorMs(own.pid) ?? 0;
      let extensions = 0;
      const checkTime = (): void => {
        const used = processorMs(own.pid);
        const leftMs = used === undefined || ++extensions > maxExtensions ? 0 : allowedMs - (used - usedBefore);
        if (leftMs > 0) timer = setTimeout(checkTime, leftMs);
        else lose("slow");
      };
      let timer = setTimeout(checkTime, allowedMs);
      stop.signal.addEventListener("abort", onStop);
      own.on("message", onMessage).on("exit", onEnd).on("error", onEnd);
      const request: WorkerRequest = { id, source };
      sendMessage(own, request);
    });

  return {
    draw: (source: string) => queue.add(() => ask(source), { signal: stop.signal }) as Promise<WorkerReply | Lost>,
    /** Ends the process; waiting diagrams are rejected. */
    async close(): Promise<void> {
      stop.abort(new Error("The diagram renderer was closed before the diagram was drawn."));
      queue.clear();
      end();
    },
  };
}

export type DiagramWorker = Pick<ReturnType<typeof createDiagramWorker>, "draw" | "close">;

/** Milliseconds of processor time that a process and its children have used; undefined if the system does not report it. */
function processorMs(pid: number | string | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ");
    return childrenOf(pid).reduce(
      (sum, child) => sum + (processorMs(child) ?? 0),
      (Number(fields[11]) + Number(fields[12])) * 10,
    );
  } catch {
    return undefined;
  }
}

/** Not every kernel lists them. */
function childrenOf(pid: number | string | undefined): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean);
  } catch {
    return [];
  }
}

/** The reply is untrusted, so its shape is checked. */
function isReplyTo(id: number, reply: unknown): reply is WorkerReply {
  if (typeof reply !== "object" || reply === null) return false;
  const { svg, message, line, ...rest } = reply as Record<string, unknown>;
  const isText = typeof svg === "string" ? svg.length <= maxSvgLength : typeof message === "string";
  return rest["id"] === id && isText && (line === undefined || Number.isSafeInteger(line));
}
const maxSvgLength = 8_000_000;

function start(sandbox: Sandbox): ChildProcess {
  const script = realpathSync(builtFile("diagram-worker.js"));
  const child = forkSandboxed(script, {
    // Our files are found by package.json.
    access: { read: [dirname(script), realpathSync(builtFile("../package.json"))], write: [] },
    native: false,
    sandbox,
    flags: ["--max-old-space-size=768", "--no-warnings"],
    env: { TZ: "UTC" },
  });
  child.stderr?.resume();
  return child;
}

export const mermaidVersion = (): string => mermaidPackage.version;
