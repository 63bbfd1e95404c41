import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { dirname } from "node:path";
import { type Access, permissionFlags } from "./access.js";
import { channelOptions, channelVariables, emitMessages } from "./messages.js";
import { findProgram, type Namespace, tryOut } from "./namespace.js";

/** The walls around a process, besides its empty environment. */
export interface Sandbox {
  readonly permissions: boolean;
  readonly namespace?: Namespace | undefined;
  /** Absent: the process competes with all others. */
  readonly background?: Background | undefined;
}

export interface ForkOptions {
  readonly access: Access;
  /** Allows threads and native addons. */
  readonly native: boolean;
  readonly sandbox: Sandbox;
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Starts its own process group. */
  readonly detached?: boolean;
}

/** Limits that the system enforces, also if the process was broken into. */
export interface SystemLimits {
  readonly processorSeconds: number;
  readonly fileBytes: number;
}

/**
 * Starts a Node process with a pipe for stderr and a channel for JSON messages: "message" events, and `sendMessage`. With a namespace, `pid` is that of the
 * program that makes it; it ends with the process. See `requireStarted`.
 */
export function forkSandboxed(script: string, options: ForkOptions): ChildProcess {
  const child = start([script], { ...options, env: { ...options.env, ...channelVariables } }, channelOptions);
  if (child.pid !== undefined) emitMessages(child);
  return child;
}

/** Starts a Node process with these arguments that has only the given files and pipes. */
export const spawnSandboxed = (
  script: string,
  args: readonly string[],
  options: ForkOptions & { readonly stdio: NonNullable<SpawnOptions["stdio"]>; readonly limits: SystemLimits },
): ChildProcess => start([script, ...args], options, { stdio: options.stdio }, options.limits);

function start(
  [script, ...args]: readonly string[],
  { access, native, sandbox, flags, env, detached }: ForkOptions,
  channels: SpawnOptions,
  limits?: SystemLimits,
): ChildProcess {
  const [command, ...words] = [
    ...limited(limits),
    ...(sandbox.background ? lowestPriority() : []),
    ...(sandbox.background?.prefix ?? []),
    ...(sandbox.namespace?.prefix(access) ?? []),
    process.execPath,
    ...(sandbox.permissions ? permissionFlags(access, native) : []),
    ...flags,
    script!,
    ...args,
  ];
  const child = spawn(command!, words, { env, cwd: dirname(script!), detached, ...channels });
  // An error without a listener would end this process.
  child.on("error", () => {});
  if (sandbox.background !== undefined && child.pid !== undefined) yieldToOthers(child.pid);
  return child;
}

/** Call it at once for a new process: one that the system cannot start has no pipes. @throws {Error} that says why. */
export async function requireStarted(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) throw (await once(child, "error"))[0];
}

/** The system writes no image of the memory, and when memory runs out, it ends this process rather than its parent. */
function limited(limits: SystemLimits | undefined): readonly string[] {
  if (process.platform !== "linux" || !existsSync("/bin/sh")) return [];
  const lines = [
    "ulimit -c 0",
    ...(limits ? [`ulimit -t ${limits.processorSeconds}`, `ulimit -f ${Math.ceil(limits.fileBytes / 512)}`] : []),
    "(echo 500 > /proc/self/oom_score_adj) 2>/dev/null",
    "unset PWD OLDPWD",
    'exec "$@"',
  ];
  return ["/bin/sh", "-c", lines.join("; "), "sandbox"];
}

/** Starts processes that get the processor time that no other process wants. */
export interface Background {
  /** The words to put before a program and its arguments. Empty: `yieldToOthers` alone. */
  readonly prefix: readonly string[];
}

/**
 * Linux has a scheduling class for this. With the lowest priority alone, a process that wakes up still waits for the
 * running one. Some containers forbid the class, so it is tried.
 */
export async function findBackground(): Promise<Background> {
  const chrt = process.platform === "linux" ? findProgram("chrt") : undefined;
  const prefix = chrt === undefined ? [] : [chrt, "-i", "0"];
  return { prefix: chrt !== undefined && (await tryOut(prefix)) === undefined ? prefix : [] };
}

/** Null: there is none. */
let nice: string | null | undefined;

/** Words before a program that give it the lowest priority: on a busy machine it may start others before `yieldToOthers`. */
export function lowestPriority(): readonly string[] {
  nice ??= findProgram("nice") ?? null;
  return nice === null ? [] : [nice, "-n", String(constants.priority.PRIORITY_LOW)];
}

/** Gives a process the lowest priority. Call it right after the start: later threads and children inherit it. */
export function yieldToOthers(pid: number): void {
  const lowered = new Set<number>();
  // On Linux each thread has a priority of its own. One that has not got it yet may start others meanwhile.
  for (let found = [pid]; found.length > 0; found = threadsOf(pid).filter((thread) => !lowered.has(thread)))
    for (const thread of found) {
      lowered.add(thread);
      try {
        setPriority(thread, constants.priority.PRIORITY_LOW);
      } catch {
        // It has ended.
      }
    }
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
