import type { ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import mermaidPackage from "mermaid/package.json" with { type: "json" };
import { builtFile } from "../../lib/package-root.js";
import { forkReader, type Sandbox } from "../../lib/sandbox/fork-sandboxed.js";
import { createProcessClient, type Lost } from "../../lib/sandbox/process-client.js";

interface WorkerOptions {
  /** Limit of processor time for one diagram, which does not depend on how busy the machine is. */
  readonly deadlineMs?: number;
  /** Diagrams after which the process is replaced, because Mermaid leaks memory. */
  readonly diagramsPerProcess?: number;
  readonly sandbox?: Sandbox;
}
const workerDefaults = {
  deadlineMs: 10_000,
  diagramsPerProcess: 200,
  sandbox: { permissions: true },
} as const satisfies Required<WorkerOptions>;

export interface DiagramWorker {
  draw(source: string): Promise<WorkerReply | Lost>;
  /** Ends the process; waiting diagrams are rejected. */
  close(): Promise<void>;
}

/**
 * Draws diagrams one at a time in a separate process, because Mermaid is a large parser of untrusted input. The process
 * has no environment, can read only files of the build, cannot write or start anything, and is killed after its time
 * limit.
 */
export function createDiagramWorker(options: WorkerOptions = {}): DiagramWorker {
  const { deadlineMs, diagramsPerProcess, sandbox } = { ...workerDefaults, ...options };
  const { ask, close } = createProcessClient<Omit<WorkerRequest, "id">, WorkerReply>({
    start: () => start(sandbox),
    isReply: isWorkerReply,
    deadlineMs,
    requestsPerProcess: diagramsPerProcess,
    closedMessage: "The diagram renderer was closed before the diagram was drawn.",
  });
  return { draw: (source) => ask(() => ({ source })), close };
}

function isWorkerReply({ svg, message, line }: Readonly<Record<string, unknown>>): boolean {
  const isText = typeof svg === "string" ? svg.length <= maxSvgLength : typeof message === "string";
  return isText && (line === undefined || Number.isSafeInteger(line));
}
const maxSvgLength = 8_000_000;

function start(sandbox: Sandbox): ChildProcess {
  const script = realpathSync.native(builtFile("diagram-worker.js"));
  return forkReader(script, [dirname(script)], 768, sandbox);
}

export const mermaidVersion = (): string => mermaidPackage.version;

/** Messages between the diagram renderer and its worker process. */
export interface WorkerRequest {
  readonly id: number;
  readonly source: string;
}

/** `svg` is Mermaid's output, as untrusted as the source. */
export type WorkerReply = { readonly id: number } & (
  | { readonly svg: string }
  | { readonly message: string; readonly line?: number; readonly unsupported?: true }
);
