import { randomBytes } from "node:crypto";
import { cutWords } from "../../bundle/search/index.js";
import type { NewTurn, ThreadOwner, TurnOutcome } from "../jobs/index.js";
import { type Answerer, AnswerFailure, noUsage, type Question, type SiteIndex, type Usage } from "./answer.js";
import { estimateTokens } from "./model/tokens.js";
import type { ReplyEvent, ReplyFacts, StreamFormat } from "./stream-formats.js";
import { keyHashOf, newUlid, readerHashOf, type TurnWriter } from "./threads.js";

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

/** Characters before a mark in which its statement begins. */
const maxStatement = 400;
const maxSentence = 300;
/** Fewer words in common may be chance. */
const fewestShared = 2;

/**
 * The sentence of a passage that an answer relies on where it cites it, for readers who check the answer: the one with
 * most words of the statements before the marks.
 *
 * @param answer Markdown; a mark is a link with the number of the source: `[1](https://…)`.
 * @param text of the passage, plain or Markdown.
 * @returns at most 300 characters. Undefined: no sentence has enough of the words, or the answer quotes the passage.
 */
export function usedSentence(answer: string, id: string, text: string): string | undefined {
  const cited = wordsOf(statementsBefore(answer, id).join(" "));
  const quotedIn = lettersOf(plainOf(answer));
  let best: string | undefined;
  let highest = 0;
  for (const sentence of sentencesOf(text)) {
    const words = wordsOf(sentence);
    const shared = [...words].filter((word) => cited.has(word)).length;
    // A long sentence has more words by chance.
    const score = shared / Math.sqrt(words.size);
    if (shared < fewestShared || score <= highest) continue;
    [best, highest] = [sentence, score];
  }
  return best === undefined || quotedIn.includes(lettersOf(best)) ? undefined : best;
}

function statementsBefore(answer: string, id: string): string[] {
  const statements: string[] = [];
  for (const { index } of answer.matchAll(new RegExp(`\\[${id.replace(/\D/g, "")}\\]\\(`, "g"))) {
    const before = plainOf(answer.slice(Math.max(0, index - maxStatement), index));
    statements.push(sentencesOf(before).at(-1) ?? "");
  }
  return statements;
}

/** Marks of sources go, links and emphasis become their text. */
const plainOf = (markdown: string): string =>
  markdown
    .replace(/\[\d{1,3}\]\([^()\s]*\)/g, "")
    .replace(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, "$1")
    .replace(/[*`]+|^#{1,6} |^> /gm, "");

function sentencesOf(text: string): string[] {
  return plainOf(text)
    .split(/\n+|(?<=[.!?]) +(?=\S)|(?<=[。！？])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length <= maxSentence && /[\p{L}\p{N}]/u.test(sentence));
}

function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  // Short words of alphabets are mostly "the" and "in".
  cutWords(text, (word) => {
    if (word.length > 3 || /[^\p{Script=Latin}]/u.test(word)) words.add(word);
  });
  return words;
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
