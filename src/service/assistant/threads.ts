import { hash, timingSafeEqual } from "node:crypto";
import type { Log } from "../../lib/log.js";
import type { NewTurn, Thread, ThreadStore } from "../jobs/index.js";
import type { Question } from "./answer.js";

const sha256 = (text: string): string => hash("sha256", text);

/** Empty for anonymous readers. Two threads of one reader have different hashes. */
export const readerHashOf = (threadId: string, fingerprint: string): string =>
  fingerprint === "anonymous" ? "" : sha256(`${threadId}\n${fingerprint}`);

export const keyHashOf = sha256;

/** What a client says about a thread. */
interface ThreadClaim {
  readonly threadId: string;
  readonly projectId: string;
  /** Undefined if the route does not request it. */
  readonly fingerprint?: string;
  /** Must match if it is sent. */
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

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeLength = 10;
const numberLength = 16;

/** Sorts by time; 80 of its bits are random. @param random 16 bytes. */
export const newUlid = (now: number, random: Uint8Array): string =>
  inBase32(now, timeLength) + Array.from(random, (byte) => digits[byte % 32]).join("");

/** A ULID with the time of a turn, and its number in place of the random part. */
export const ulidOfTurn = (turnId: number, askedAt: number): string =>
  inBase32(askedAt, timeLength) + inBase32(turnId, numberLength);

/** The number of the turn; undefined if the text is not such a ULID. */
export function turnOfUlid(ulid: string): number | undefined {
  if (!isUlid(ulid)) return undefined;
  const turnId = [...ulid.slice(timeLength).toUpperCase()].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0);
  return Number.isSafeInteger(turnId) ? turnId : undefined;
}

function inBase32(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = digits[rest % 32]! + text;
  return text;
}

export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(text);

/** A message as clients send it: those of `ai` 4 have `content` and annotations, later ones have parts and metadata. */
export interface AssistantMessage {
  readonly role: "user" | "assistant" | "system" | "data";
  readonly content?: string | null;
  readonly parts?: readonly { readonly type: string; readonly text?: unknown }[] | null;
  readonly annotations?: unknown;
  readonly metadata?: unknown;
}

/** Longest text of an earlier message that is quoted, in characters. */
const maxQuotedCharacters = 8_000;

export const textOf = ({ content, parts }: AssistantMessage): string =>
  content ||
  (parts ?? []).map(({ type, text }) => (type === "text" && typeof text === "string" ? text : "")).join("") ||
  "";

/** Messages that are quoted, at most: the newest. */
const maxQuoted = 20;

/**
 * Earlier messages that only the client reports: those that the thread has stored are left out. So are those before:
 * they are of the thread, too, which has more turns than are read.
 */
export function quotedMessages(
  messages: readonly AssistantMessage[],
  turns: Question["turns"],
): { role: "user" | "assistant"; text: string }[] {
  const stored = {
    user: new Set(turns.map(({ question }) => question.trim())),
    assistant: new Set(turns.map(({ answer }) => answer.trim())),
  };
  const isStored = (message: AssistantMessage): boolean =>
    (message.role === "user" || message.role === "assistant") && stored[message.role].has(textOf(message).trim());
  const oldest = Math.max(0, messages.findIndex(isStored));
  const reported = messages.slice(oldest).flatMap((message) => {
    const { role } = message;
    const text = textOf(message).trim();
    if ((role !== "user" && role !== "assistant") || text === "" || isStored(message)) return [];
    return [{ role, text: text.slice(0, maxQuotedCharacters) }];
  });
  return reported.slice(-maxQuoted);
}

/** The thread of the newest answer among the messages, which the client got from this service. */
export function threadIdIn(messages: readonly AssistantMessage[]): string | undefined {
  for (const { role, annotations, metadata } of messages.toReversed()) {
    if (role !== "assistant") continue;
    for (const each of [metadata, ...(Array.isArray(annotations) ? annotations.toReversed() : [])]) {
      const threadId = (each as { readonly threadId?: unknown } | null | undefined)?.threadId;
      if (typeof threadId === "string" && isUlid(threadId)) return threadId.toUpperCase();
    }
  }
  return undefined;
}

/**
 * Time in which turns are collected, in milliseconds. Each commit of SQLite blocks the process until the disk has it,
 * and with it the first words of other answers. Only the end of an answer waits, which a reader does not see.
 */
const collectMs = 25;

/** If the timer fires this late, the process is busy with other answers, which take precedence for a while. */
const lateMs = 10;
const maxCollects = 8;

export type TurnWriter = ReturnType<typeof createTurnWriter>;

/** Stores turns, several in one transaction if many answers end at once. */
export function createTurnWriter(threads: Pick<ThreadStore, "add" | "retentionMs">, log: Log) {
  let next: { readonly turns: NewTurn[]; readonly stored: Promise<void> } | undefined;
  const write = async (turns: readonly NewTurn[]): Promise<void> => {
    for (let at = 0; at < maxCollects; at++) {
      const started = performance.now();
      await new Promise((resolve) => setTimeout(resolve, collectMs));
      if (performance.now() - started < collectMs + lateMs) break;
    }
    next = undefined;
    await threads
      .add(turns)
      .catch((error: unknown) => log("error", "failed to store answers of the assistant", { error: String(error) }));
  };
  return {
    /** Resolves once the turn is stored. Never rejects: an answer does not fail because it cannot be stored. */
    add(turn: NewTurn): Promise<void> {
      if (threads.retentionMs === 0) return Promise.resolve();
      if (next) next.turns.push(turn);
      else {
        const turns = [turn];
        next = { turns, stored: write(turns) };
      }
      return next.stored;
    },
  };
}
