import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { dirname } from "node:path";
import { attempt } from "../attempt.js";
import { builtFile } from "../package-root.js";
import { type Access, permissionFlags } from "./access.js";
import { channelOptions, channelVariables, emitMessages } from "./messages.js";
import { findProgram, type Namespace, tryOut } from "./namespace.js";

/** The restrictions of a process, besides its empty environment. */
export interface Sandbox {
  readonly permissions: boolean;
  readonly namespace?: Namespace | undefined;
  /** Absent: the process has normal priority. */
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

/** Limits that the system enforces, even on a process that an attacker controls. */
export interface SystemLimits {
  readonly processorSeconds: number;
  readonly fileBytes: number;
}

/**
 * Starts a Node process with a pipe for stderr and a channel for JSON messages: "message" events, and `sendMessage`. With a
 * namespace, `pid` belongs to the program that makes it, which ends with the process. See `requireStarted`.
 */
export function forkSandboxed(script: string, options: ForkOptions): ChildProcess {
  const child = start([script], { ...options, env: { ...options.env, ...channelVariables } }, channelOptions);
  if (child.pid !== undefined) emitMessages(child);
  return child;
}

/** Starts a script that only reads these files, and package.json, from which Node knows the type of modules. */
export function forkReader(script: string, files: readonly string[], memoryMb: number, sandbox: Sandbox): ChildProcess {
  const child = forkSandboxed(script, {
    access: { read: [...files, realpathSync.native(builtFile("../package.json"))], write: [] },
    native: false,
    sandbox,
    flags: [`--max-old-space-size=${memoryMb}`, "--no-warnings"],
    env: { TZ: "UTC" },
  });
  child.stderr?.resume();
  return child;
}

/** Starts a Node process with arguments, which has only the given files and pipes. */
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

/** Must be called right after the start: a process that the system cannot start has no pipes. @throws {Error} the reason */
export async function requireStarted(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) throw (await once(child, "error"))[0];
}

/** Turns off core dumps, and makes the system end this process rather than its parent when memory runs out. */
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

/** Starts processes that only get processor time that no other process needs. */
export interface Background {
  /** The words to put before a program and its arguments. If empty, only `yieldToOthers` applies. */
  readonly prefix: readonly string[];
}

/** Finds out whether Linux's scheduling class for background processes can be used: some containers forbid it. */
export async function findBackground(): Promise<Background> {
  const chrt = process.platform === "linux" ? findProgram("chrt") : undefined;
  const prefix = chrt === undefined ? [] : [chrt, "-i", "0"];
  return { prefix: chrt !== undefined && (await tryOut(prefix)) === undefined ? prefix : [] };
}

/** Null if the program does not exist. */
let nice: string | null | undefined;

/** Words before a program that give it the lowest priority from its start, before `yieldToOthers` can. */
export function lowestPriority(): readonly string[] {
  nice ??= findProgram("nice") ?? null;
  return nice === null ? [] : [nice, "-n", String(constants.priority.PRIORITY_LOW)];
}

/** Gives a process the lowest priority. Must be called right after the start: later threads and children inherit it. */
export function yieldToOthers(pid: number): void {
  const lowered = new Set<number>();
  // On Linux, each thread has its own priority. Repeat, since a thread with normal priority may have started others.
  for (let threads = [pid]; threads.length > 0; threads = threadsOf(pid).filter((thread) => !lowered.has(thread)))
    for (const thread of threads) {
      lowered.add(thread);
      // The thread may have ended.
      attempt(() => setPriority(thread, constants.priority.PRIORITY_LOW));
    }
}

const threadsOf = (pid: number): number[] => attempt(() => readdirSync(`/proc/${pid}/task`).map(Number)) ?? [];
