import type { Question } from "./answer.js";
import { isUlid } from "./ulid.js";

/** A message as clients send it: those of `ai` 4 have `content` and annotations, later ones have parts and metadata. */
export interface AssistantMessage {
  readonly role: "user" | "assistant" | "system" | "data";
  readonly content?: string | null;
  readonly parts?: readonly { readonly type: string; readonly text?: unknown }[] | null;
  readonly annotations?: unknown;
  readonly metadata?: unknown;
}

/** Longest text of an earlier message that is quoted, in characters. */
const maxQuoted = 8_000;

export const textOf = ({ content, parts }: AssistantMessage): string =>
  content ||
  (parts ?? []).map(({ type, text }) => (type === "text" && typeof text === "string" ? text : "")).join("") ||
  "";

/** What the client says was said before, without what the thread has stored. */
export function quotedMessages(
  messages: readonly AssistantMessage[],
  turns: Question["turns"],
): { role: "user" | "assistant"; text: string }[] {
  const stored = {
    user: new Set(turns.map(({ question }) => question.trim())),
    assistant: new Set(turns.map(({ answer }) => answer.trim())),
  };
  return messages.flatMap((message) => {
    const { role } = message;
    const text = textOf(message).trim();
    if ((role !== "user" && role !== "assistant") || text === "" || stored[role].has(text)) return [];
    return [{ role, text: text.slice(0, maxQuoted) }];
  });
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
