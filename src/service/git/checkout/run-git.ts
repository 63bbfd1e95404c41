import { spawn } from "node:child_process";
import type { GitCredential } from "./git-credential.js";
import { type GitSource, SourceFault } from "./git-source.js";

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
            redacted(stderr.trim(), environment.secrets) || `git exited with ${killedBy ?? `code ${code}`}`,
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

/** Converts an error of git into a message for API clients. */
export function explainGit({ url, ref }: GitSource, cause: unknown, credential?: GitCredential): Error {
  if ((cause as NodeJS.ErrnoException).code === "ENOENT")
    return new SourceFault("Git is not installed on the worker. Install it there.", false, { cause, ofWorker: true });
  if (!(cause instanceof GitFailure)) return cause as Error;
  const at = url.protocol === "file:" ? "the repository" : `the repository at ${url.host}`;
  for (const { pattern, retry = false, explain, ...facts } of reasons)
    if (pattern.test(cause.message)) return new SourceFault(explain(at, ref, credential), retry, { cause, ...facts });
  return new SourceFault(`Git could not fetch "${ref}" from ${at}.`, true, { cause });
}

interface Reason {
  readonly pattern: RegExp;
  readonly retry?: boolean;
  readonly isRedirect?: boolean;
  readonly isMissingRef?: boolean;
  explain(at: string, ref: string, credential: GitCredential | undefined): string;
}

/** The first match wins. */
const reasons: readonly Reason[] = [
  {
    pattern: /couldn't find remote ref|not our ref|no such remote ref/i,
    isMissingRef: true,
    explain: (at, ref) =>
      `There is no branch, tag or commit "${ref}" in ${at}.${/^[0-9a-f]{4,39}$/.test(ref) ? " For a commit, give all 40 digits." : ""}`,
  },
  {
    pattern: /Host key verification failed/i,
    explain: (at) =>
      `The host key of ${at} is unknown or has changed. Add the host's lines of known_hosts to the credential.`,
  },
  {
    pattern: /Authentication failed|could not read (Username|Password)|returned error: 40[13]|Permission denied/i,
    explain: (at, _, credential) =>
      credential
        ? `The worker cannot read ${at}: the host rejected the credential for ${credential.prefix}.`
        : `The worker cannot read ${at}, and has no credential for it. Add one to the service.`,
  },
  {
    pattern: /returned error: 30\d/,
    isRedirect: true,
    explain: (at) =>
      `${at} redirects to another URL, and credentials are sent only to the host they are for. Use the URL that it redirects to.`,
  },
  {
    pattern: /dubious ownership/i,
    explain: (at) =>
      `The worker cannot read ${at}: its files belong to another user. Change their owner to the worker's user.`,
  },
  {
    pattern: /repository .*not found|does not appear to be a git repository|does not exist|returned error: 404/i,
    explain: (at) => `The site's source is not a git repository, or the worker has no access to it (${at}).`,
  },
  {
    pattern: /SSL|certificate/i,
    explain: (at) =>
      `The certificate of ${at} is not trusted. Set GIT_SSL_CAINFO on the worker to a PEM file that contains its certificate authority.`,
  },
  { pattern: /No space left|Disk quota/i, retry: true, explain: () => "The worker's disk is full." },
  {
    pattern:
      /Could not resolve|Failed to connect|Connection (refused|reset|timed out)|timed out|returned error: 5\d\d|CONNECT tunnel failed|from proxy after CONNECT|early EOF|RPC failed|hung up|Operation too slow/i,
    retry: true,
    explain: (at) => `The worker could not reach ${at}.`,
  },
];
