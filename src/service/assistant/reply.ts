import { randomBytes } from "node:crypto";
import type { NewTurn, ThreadOwner, TurnOutcome } from "../jobs/index.js";
import { type Answerer, AnswerFailure, noUsage, type Question, type SiteIndex, type Usage } from "./answer.js";
import { estimateTokens } from "./model/tokens.js";
import type { ReplyEvent, ReplyFacts, StreamFormat } from "./stream-formats.js";
import { keyHashOf, newUlid, readerHashOf, type TurnWriter } from "./threads.js";
import { usedSentence } from "./used-sentence.js";

export interface ReplyRequest {
  readonly question: Question;
  readonly index: SiteIndex;
  readonly projectId: string;
  /** Undefined: the reply begins a thread. */
  readonly thread?: ThreadOwner;
  readonly fingerprint: string;
  readonly caller: NewTurn["caller"];
  /** Aborts when the reader leaves. */
  readonly signal: AbortSignal;
}

export interface ReplyDeps {
  readonly answerer: Answerer;
  readonly writer: TurnWriter;
  readonly now: () => number;
  /** An unexpected error. It is not shown to the reader. */
  readonly onFault: (error: unknown) => void;
  readonly onFirstText?: () => void;
  readonly onEnd?: (outcome: TurnOutcome, usage: Usage) => void;
}

const unexpected = "The assistant could not answer. Try again in a moment.";

/** Answers a question within a thread. A reader who leaves ends it, and the part that was sent is stored. */
export function createReply(deps: ReplyDeps, request: ReplyRequest) {
  const askedAt = deps.now();
  const random = takeRandom(randomOfReply);
  const messageId = `msg_${random.toString("hex", 48)}`;
  const { thread, threadKey } = request.thread ? { thread: request.thread } : newThread(request, askedAt, random);
  const hasModel = deps.answerer.model !== "none";
  const facts: ReplyFacts = { threadId: thread.threadId, threadKey, messageId, hasModel };
  let answer = "";
  const sources: { url: string; title: string }[] = [];
  /** Texts of the passages that were found, by their URLs. */
  const passages = new Map<string, string>();
  let usage = noUsage;
  let stored: Promise<void> | undefined;

  const end = (outcome: TurnOutcome): Promise<void> => {
    if (stored) return stored;
    request.signal.removeEventListener("abort", onAbort);
    const { text: question } = request.question;
    // The count of tokens comes at the end of an answer. Leaving early must not be free.
    if (hasModel && (outcome === "stopped" || outcome === "failed")) usage = estimatedUsage(question, answer);
    deps.onEnd?.(outcome, usage);
    stored = deps.writer.add({
      thread,
      messageId,
      askedAt,
      question,
      answer,
      sources,
      outcome,
      caller: request.caller,
      ...usage,
    });
    return stored;
  };
  const onAbort = (): void => void end("stopped");

  /** The answer in the format of a client, after its start. Never throws. The turn is stored before the last text. */
  async function* write(textOf: (event: ReplyEvent) => string): AsyncGenerator<string> {
    try {
      if (request.signal.aborted) return onAbort();
      request.signal.addEventListener("abort", onAbort, { once: true });
      for await (const event of deps.answerer.answer(request.question, request.index, request.signal)) {
        if (request.signal.aborted) return;
        if (event.kind === "text") {
          if (answer === "") deps.onFirstText?.();
          answer += event.text;
        } else if ("passages" in event) for (const { url, text } of event.passages) passages.set(url, text);
        else if (event.kind === "source") sources.push({ url: event.url, title: event.title });
        else if (event.kind === "end") {
          usage = event.usage;
          await end(event.outcome);
        }
        const quote = event.kind === "source" && usedSentence(answer, event.id, passages.get(event.url) ?? "");
        yield textOf(quote ? { ...event, quote } : event);
        if (event.kind === "end") return;
      }
      if (!request.signal.aborted) throw new Error("The answer ended before its last event.");
    } catch (error) {
      if (request.signal.aborted) return;
      if (!(error instanceof AnswerFailure) || error.cause !== undefined) deps.onFault(error);
      await end("failed");
      yield textOf({ kind: "failure", message: error instanceof AnswerFailure ? error.message : unexpected });
    } finally {
      await end("stopped");
    }
  }
  return {
    ...facts,
    /** The answer in the format of a client. It begins when its chunks are read. */
    texts(format: StreamFormat): { readonly start: string; readonly chunks: AsyncGenerator<string> } {
      const { start, textOf } = format.encode(facts);
      return { start, chunks: write(textOf) };
    },
  };
}

const randomOfReply = 60;
/** Random bytes for the next replies, fetched in bulk since each call is slow. None is used twice. */
let unused = Buffer.alloc(0);

function takeRandom(count: number): Buffer {
  if (unused.length < count) unused = randomBytes(64 * count);
  const taken = unused.subarray(0, count);
  unused = unused.subarray(count);
  return taken;
}

const estimatedUsage = (question: string, answer: string): Usage => ({
  promptTokens: 3000 + estimateTokens(question),
  completionTokens: estimateTokens(answer),
});

function newThread({ projectId, fingerprint }: ReplyRequest, now: number, random: Buffer) {
  const threadId = newUlid(now, random.subarray(0, 16));
  const threadKey = random.toString("base64url", 16, 48);
  const readerHash = readerHashOf(threadId, fingerprint);
  return { threadKey, thread: { threadId, projectId, readerHash, keyHash: keyHashOf(threadKey) } };
}
