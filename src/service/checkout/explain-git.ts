import type { GitSource } from "./git-source.js";
import { GitFailure } from "./run-git.js";
import { SourceFault } from "./source-fault.js";

/** Converts an error of git into a message for API clients. */
export function explainGit({ url, ref }: GitSource, cause: unknown): Error {
  if ((cause as NodeJS.ErrnoException).code === "ENOENT")
    return new SourceFault("The worker has no git: install it there.", false, { cause, ofWorker: true });
  if (!(cause instanceof GitFailure)) return cause as Error;
  const at = url.protocol === "file:" ? "the repository" : `the repository at ${url.host}`;
  for (const { pattern, retry = false, explain } of reasons)
    if (pattern.test(cause.message)) return new SourceFault(explain(at, ref), retry, { cause });
  return new SourceFault(`Git could not fetch "${ref}" from ${at}.`, true, { cause });
}

interface Reason {
  readonly pattern: RegExp;
  readonly retry?: boolean;
  explain(at: string, ref: string): string;
}

/** The first match wins. */
const reasons: readonly Reason[] = [
  {
    pattern: /couldn't find remote ref|not our ref|no such remote ref/i,
    explain: (at, ref) =>
      `There is no branch, tag or commit "${ref}" in ${at}.${/^[0-9a-f]{4,39}$/.test(ref) ? " A commit is written with all of its 40 digits." : ""}`,
  },
  {
    pattern:
      /Authentication failed|could not read (Username|Password)|returned error: 40[13]|Permission denied|Host key verification failed/i,
    explain: (at) => `The worker may not read ${at}: it has no credential that may, or not the key of the host.`,
  },
  {
    pattern: /dubious ownership/i,
    explain: (at) =>
      `The worker may not read ${at}: its files belong to another user of that machine. Give them to the worker's.`,
  },
  {
    pattern: /repository .*not found|does not appear to be a git repository|does not exist|returned error: 404/i,
    explain: (at) => `There is no git repository where the site's source says, or the worker may not see it (${at}).`,
  },
  {
    pattern: /SSL|certificate/i,
    explain: (at) =>
      `The certificate of ${at} is not trusted. Give the worker its authority: GIT_SSL_CAINFO names a file of PEM.`,
  },
  { pattern: /No space left|Disk quota/i, retry: true, explain: () => "The disk of the worker is full." },
  {
    pattern:
      /Could not resolve|Failed to connect|Connection (refused|reset|timed out)|timed out|returned error: 5\d\d|early EOF|RPC failed|hung up|Operation too slow/i,
    retry: true,
    explain: (at) => `The worker could not reach ${at}.`,
  },
];
