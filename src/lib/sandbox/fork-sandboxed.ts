import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Access } from "./access.js";
import { permissionFlags } from "./access.js";
import { type Background, lowestPriority, yieldToOthers } from "./background.js";
import { channelOptions, channelVariables, emitMessages } from "./messages.js";
import type { Namespace } from "./namespace.js";

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
