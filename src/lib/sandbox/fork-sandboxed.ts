import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Access } from "./access.js";
import { type Background, yieldToOthers } from "./background.js";
import type { Namespace } from "./namespace.js";
import { permissionFlags } from "./permission-flags.js";

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

/**
 * Starts a Node process with a channel for JSON messages and a pipe for stderr. With a namespace, `pid` is that of the
 * program that makes it; it ends with the process.
 */
export function forkSandboxed(script: string, options: ForkOptions): ChildProcess {
  const { access, native, sandbox, flags, env, detached } = options;
  const permissions = sandbox.permissions ? permissionFlags(access, native) : [];
  const [execPath, ...words] = [
    ...limits(),
    ...(sandbox.background?.prefix ?? []),
    ...(sandbox.namespace?.prefix(access) ?? []),
    process.execPath,
  ];
  const child = fork(script, {
    execPath: execPath!,
    execArgv: [...words, ...permissions, ...flags],
    env,
    cwd: dirname(script),
    detached,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "json",
  });
  if (sandbox.background !== undefined && child.pid !== undefined) yieldToOthers(child.pid);
  return child;
}

/** The system writes no image of the memory, and when memory runs out, it ends this process rather than its parent. */
const limits = (): readonly string[] =>
  process.platform === "linux" && existsSync("/bin/sh")
    ? [
        "/bin/sh",
        "-c",
        'ulimit -c 0; (echo 500 > /proc/self/oom_score_adj) 2>/dev/null; unset PWD OLDPWD; exec "$@"',
        "sandbox",
      ]
    : [];
