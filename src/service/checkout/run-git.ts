import { spawn } from "node:child_process";

/** Environment variables for git, and the secrets in them. */
export interface GitEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** Git failed. The message is its stderr without credentials. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
}

const maxOutputBytes = 16 * 1024;

/**
 * Runs git in `folder` without a shell and returns its stdout.
 *
 * Fails: throws a `GitFailure`, or the system's error if git cannot be started.
 * Stops: once `signal` aborts, kills git's process group and rejects with the signal's reason once it has ended.
 */
export function runGit(
  folder: string,
  args: readonly string[],
  environment: GitEnvironment,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // In its own group, so that its helpers end with it.
    const child = spawn("git", args, {
      cwd: folder,
      env: environment.variables,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const stop = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    signal.addEventListener("abort", stop, { once: true });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout = (stdout + text).slice(0, maxOutputBytes);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-maxOutputBytes);
    });
    child.once("error", (error) => {
      signal.removeEventListener("abort", stop);
      reject(error);
    });
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason as Error);
      else if (code === 0) resolve(stdout);
      else
        reject(
          new GitFailure(
            redacted(stderr.trim(), environment.secrets) || `git ended with ${killedBy ?? `code ${code}`}`,
          ),
        );
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}

/** Removes secrets, and user names and passwords in URLs. */
function redacted(text: string, secrets: readonly string[]): string {
  const cleaned = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  return cleaned.replace(/(\w+:\/\/)[^\s/@]+@/g, "$1…@");
}
