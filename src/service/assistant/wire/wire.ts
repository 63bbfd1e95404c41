import type { AnswerEvent, Passage } from "../answer.js";

/** The events of an answer, or its failure as the last one. */
export type ReplyEvent = AnswerEvent | { readonly kind: "failure"; readonly message: string };

export interface ReplyFacts {
  readonly threadId: string;
  /** Only of a new thread. */
  readonly threadKey?: string;
  readonly messageId: string;
  /** Whether a model writes the answer. Without one it consists of passages. */
  readonly hasModel: boolean;
}

/** How the events of a reply are written for a kind of client. */
export interface Wire {
  readonly headers: Readonly<Record<string, string>>;
  /** What a client skips. */
  readonly keepAlive: string;
  /** Each text is complete: clients read a line or an event only once it has ended. */
  encode(reply: ReplyFacts): ReplyEncoder;
}

export interface ReplyEncoder {
  /** What comes before all events. */
  readonly start: string;
  textOf(event: ReplyEvent): string;
}

/** The headers of both wires: nothing between us and the client may hold back parts of the stream. */
export const streamHeaders = { "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no" };

export const toolCall = { toolCallId: "s1", toolName: "search" };

/** The result of the search as clients show it. */
export const shownPassages = (passages: readonly Passage[]) =>
  passages.map((passage) => {
    const { url, title, heading } = passage;
    return { path: shownPath(passage), url, metadata: heading === "" ? { title } : { title, heading } };
  });

/** `/guides/install#requirements` */
export const shownPath = ({ path, anchor }: Passage): string => (anchor === "" ? path : `${path}#${anchor}`);
