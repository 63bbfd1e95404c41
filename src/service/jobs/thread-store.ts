/** Conversations with the assistant. Every call is one transaction. */
export interface ThreadStore {
  /** How long turns are kept, in milliseconds; 0: nothing is stored. */
  readonly retentionMs: number;
  find(threadId: string): Promise<Thread | undefined>;
  /** Adds turns, in order, and the threads that do not exist yet. */
  add(turns: readonly NewTurn[]): Promise<void>;
  /** Stores what the reader thinks of an answer. False: the thread has no such answer. */
  rate(threadId: string, messageId: string, rating: Rating): Promise<boolean>;
  /** Deletes a thread with its turns. False: the project has no such thread. */
  remove(projectId: string, threadId: string): Promise<boolean>;
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

/** `stopped`: the reader left; `failed`: the answer ended with an error. */
export type TurnOutcome = "answered" | "unanswered" | "stopped" | "failed";

export interface Rating {
  readonly helpful: boolean;
  readonly comment?: string;
}
