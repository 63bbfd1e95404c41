import type { Actor } from "../people/person-store.js";
import type { DayRange } from "../views/view-store.js";

/** Conversations with the assistant. Every call is one transaction. */
export interface ThreadStore {
  /** How long turns are kept, in milliseconds; 0: nothing is stored. */
  readonly retentionMs: number;
  find(threadId: string): Promise<Thread | undefined>;
  /** Adds turns, in order, and the threads that do not exist yet. */
  add(turns: readonly NewTurn[]): Promise<void>;
  /** Stores what the reader thinks of an answer. False: the thread has no such answer. */
  rate(threadId: string, messageId: string, rating: Rating): Promise<boolean>;
  /** Deletes a thread with its turns; `by` is for the audit log. False: the project has no such thread. */
  remove(projectId: string, threadId: string, by?: Actor): Promise<boolean>;
  /** Threads of an organization's sites: those with an unanswered question first, then the newest. */
  list(organizationId: string, page: ThreadListPage): Promise<readonly ThreadSummary[]>;
  /** All turns of a thread, oldest first. */
  turns(threadId: string): Promise<readonly StoredTurn[]>;
  /** The questions of a site, each with its answer, newest first. */
  conversations(projectId: string, range: DayRange, page: ConversationPage): Promise<readonly Conversation[]>;
  /** A whole thread of the project. */
  transcript(projectId: string, threadId: string): Promise<ThreadTranscript | undefined>;
  /** Questions by who asked. */
  callers(projectId: string, range: DayRange): Promise<CallerCounts>;
}

/** A thread belongs to a project and to the reader who began it. */
export interface ThreadOwner {
  /** A ULID. */
  readonly threadId: string;
  readonly projectId: string;
  /** Hash of the reader's fingerprint; empty for an anonymous reader. */
  readonly readerHash: string;
  /** Hash of the thread's key. */
  readonly keyHash: string;
}

export interface Thread extends ThreadOwner {
  /** The newest 20, oldest first. */
  readonly turns: readonly { readonly question: string; readonly answer: string }[];
}

export interface ThreadListPage {
  readonly limit: number;
  /** `position` of the last thread of the previous page. */
  readonly after?: string;
  readonly projectId?: string;
  /** Only threads with an unanswered question, or with an answer that did not help. */
  readonly only?: "unanswered" | "unhelpful";
}

export interface ThreadSummary {
  readonly threadId: string;
  readonly projectId: string;
  readonly domain: string;
  readonly updatedAt: Date;
  /** The first one. */
  readonly question: string;
  readonly turnCount: number;
  readonly isUnanswered: boolean;
  readonly helpfulCount: number;
  readonly unhelpfulCount: number;
  readonly position: string;
}

export interface NewTurn {
  readonly thread: ThreadOwner;
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly question: string;
  /** What the reader received, also of an answer that ended early. */
  readonly answer: string;
  readonly sources: readonly { readonly url: string; readonly title: string }[];
  readonly outcome: TurnOutcome;
  readonly caller: "web" | "api" | "other";
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type StoredTurn = Omit<NewTurn, "thread"> & { readonly rating?: Rating };

/** `stopped`: the reader left; `failed`: the answer ended with an error. */
export type TurnOutcome = "answered" | "unanswered" | "stopped" | "failed";

export interface ConversationPage {
  readonly limit: number;
  /** Only turns with a lower `turnId`. */
  readonly before?: number;
}

/** A question with its answer. */
export interface Conversation extends TranscriptTurn {
  /** Grows with each turn of the database. */
  readonly turnId: number;
  readonly threadId: string;
  readonly sources: NewTurn["sources"];
  readonly outcome: TurnOutcome;
}

export interface ThreadTranscript {
  readonly threadId: string;
  /** Oldest first; at least one. */
  readonly turns: readonly TranscriptTurn[];
}

interface TranscriptTurn {
  readonly messageId: string;
  readonly askedAt: Date;
  readonly question: string;
  readonly answer: string;
}

export type CallerCounts = Readonly<Record<NewTurn["caller"], number>>;

export interface Rating {
  readonly helpful: boolean;
  readonly comment?: string;
}
