import { spawn } from "node:child_process";
import type { GitEnvironment } from "./git-environment.js";

/** Git ended with an error; the message is what it said, without credentials. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
}

const maxSaidBytes = 16 * 1024;

/**
 * Runs git in `folder`, without a shell, and gives what it printed.
 *
 * Fails: throws a `GitFailure`; what the system says if git cannot be started.
 * Stops: once `signal` aborts, git and all that it started are killed, and rejects with its reason after they have gone.
 */
export function runGit(
  folder: string,
  words: readonly string[],
  environment: GitEnvironment,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // A group of its own, so that its helpers end with it.
    const child = spawn("git", words, {
      cwd: folder,
      env: environment.variables,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const stop = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    signal.addEventListener("abort", stop, { once: true });
    let printed = "";
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(0, maxSaidBytes);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-maxSaidBytes);
    });
    child.once("error", (error) => {
      signal.removeEventListener("abort", stop);
      reject(error);
    });
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason as Error);
      else if (code === 0) resolve(printed);
      else
        reject(
          new GitFailure(redacted(said.trim(), environment.secrets) || `git ended with ${killedBy ?? `code ${code}`}`),
        );
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Also of an address that holds a user name or password, wherever git has that from. */
function redacted(text: string, secrets: readonly string[]): string {
  const cleaned = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  return cleaned.replace(/(\w+:\/\/)[^\s/@]+@/g, "$1…@");
}
