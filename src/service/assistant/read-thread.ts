import { hash, timingSafeEqual } from "node:crypto";
import type { Thread, ThreadStore } from "../jobs/index.js";

const sha256 = (text: string): string => hash("sha256", text);

/** Empty for anonymous readers. Two threads of one reader have different hashes. */
export const readerHashOf = (threadId: string, fingerprint: string): string =>
  fingerprint === "anonymous" ? "" : sha256(`${threadId}\n${fingerprint}`);

export const keyHashOf = sha256;

/** What a client says about a thread. */
export interface ThreadClaim {
  readonly threadId: string;
  readonly projectId: string;
  /** Undefined: not asked for on this route. */
  readonly fingerprint?: string;
  /** Must fit if it is sent. */
  readonly threadKey?: string;
}

/** The thread, if it belongs to the project, the reader and the key. */
export async function readThread(threads: ThreadStore, claim: ThreadClaim): Promise<Thread | undefined> {
  const thread = await threads.find(claim.threadId);
  if (!thread || thread.projectId !== claim.projectId) return undefined;
  const { fingerprint, threadKey } = claim;
  if (fingerprint !== undefined && !isEqual(thread.readerHash, readerHashOf(thread.threadId, fingerprint)))
    return undefined;
  if (threadKey !== undefined && !isEqual(thread.keyHash, keyHashOf(threadKey))) return undefined;
  return thread;
}

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
