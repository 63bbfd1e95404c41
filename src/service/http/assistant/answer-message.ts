import {
  type AssistantMessage,
  aiSdk4Format,
  aiSdk5Format,
  createReply,
  type Question,
  quotedMessages,
  readThread,
  type TextChunks,
  textOf,
  threadIdIn,
} from "../../assistant/index.js";
import type { ApiKey, Project, Thread } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { invalidRequest } from "../request-body.js";
import type { ReceivedRequest } from "../request-log.js";
import type { AssistantDeps } from "./assistant-deps.js";
import { tooMany } from "./assistant-metrics.js";
import { type AssistantRequest, assistantRequestSchema, longestMessage } from "./schemas.js";
import { checkFilter, indexOf, projectOf } from "./site-lookup.js";
import texts from "./texts.json" with { type: "json" };

const { faults, problems } = texts;
const defaultPassages = 5;
const mostPassages = 20;

/** A message whose key and limits have been checked. */
export interface MessageCall extends Pick<ReceivedRequest, "requestId" | "clientAddress"> {
  readonly version: "v1" | "v2";
  readonly domain: string;
  /** JSON. */
  readonly body: unknown;
  readonly key: ApiKey;
  /** @param name in lower case. */
  header(name: string): string | undefined;
  /** Aborts when the reader leaves, also before the answer begins. */
  readonly signal?: AbortSignal;
}

export interface MessageAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: TextChunks;
}

/**
 * The answer to a message, which begins when its chunks are taken.
 *
 * @throws {ApiError} if the message cannot be answered.
 */
export async function answerMessage(deps: AssistantDeps, call: MessageCall): Promise<MessageAnswer> {
  const { data: request, error } = assistantRequestSchema.safeParse(call.body);
  if (error) throw invalidRequest(error.issues, call.body, []);
  const project = await projectOf(deps, call.key, call.domain, call.header("origin"));
  const index = await indexOf(deps, project, call.key, request.filter?.groups);
  const messages = request.messages.filter(({ role }) => role === "user" || role === "assistant");
  const text = checkMessages(messages);
  const filter = checkFilter(request.filter, index);
  const { organizationId } = call.key;
  const thread = await threadOf(deps, call, project, request, messages);
  const question: Question = {
    text,
    turns: thread?.turns ?? [],
    quoted: quotedMessages(messages.slice(0, -1), thread?.turns ?? []),
    context: (request.context ?? []).map(({ type, value, path }) => ({
      value,
      ...(type ? { type } : {}),
      ...(path ? { path } : {}),
    })),
    ...(request.currentPath ? { currentPath: request.currentPath } : {}),
    passageCount: Math.min(mostPassages, Math.max(1, Math.round(request.retrievalPageSize ?? defaultPassages))),
    ...(filter ? { filter } : {}),
  };
  const overBudget = await deps.counter.tokens(organizationId);
  if (overBudget) throw tooMany(overBudget, deps.metrics);
  const slot = deps.counter.stream(call.clientAddress);
  if (typeof slot !== "function") throw tooMany(slot, deps.metrics);

  const leaving = new AbortController();
  const leave = (): void => leaving.abort(readerLeft);
  if (call.signal?.aborted) leave();
  call.signal?.addEventListener("abort", leave, { once: true });
  const started = performance.now();
  const reply = createReply(
    {
      answerer: deps.answerer,
      writer: deps.writer,
      now: deps.now,
      onFault: (error) => deps.onFault(call.requestId, error),
      onFirstText: () => deps.metrics?.firstText((performance.now() - started) / 1000),
      onEnd(outcome, usage) {
        deps.metrics?.end(call.version, outcome, usage);
        const tokens = usage.promptTokens + usage.completionTokens;
        void deps.counter.addTokens(organizationId, tokens).catch(() => {});
      },
    },
    {
      question,
      index,
      projectId: project.projectId,
      thread,
      fingerprint: request.fp,
      caller: callerOf(call.header("origin")),
      signal: leaving.signal,
    },
  );
  const format = call.version === "v1" ? aiSdk4Format : aiSdk5Format;
  const onClose = (): void => {
    leave();
    slot();
  };
  const { keepAlive } = format;
  const ofThread = { "X-Thread-Id": reply.threadId, ...(reply.threadKey && { "X-Thread-Key": reply.threadKey }) };
  return {
    headers: { ...format.headers, ...ofThread },
    text: { chunks: reply.texts(format), keepAlive, keepAliveMs: deps.keepAliveMs, onClose },
  };
}

/** Made once: an abort without a reason makes an error with its stack. */
const readerLeft = new DOMException("The reader has left.", "AbortError");

/** The text of the question. */
function checkMessages(messages: readonly AssistantMessage[]): string {
  const last = messages.at(-1);
  if (last?.role !== "user") throw new ApiError(400, faults.lastMessage);
  // The reader cannot shorten an answer of ours that the client sends back.
  if (messages.some((message) => message.role === "user" && textOf(message).length > longestMessage))
    throw new ApiError(400, faults.longMessage);
  const text = textOf(last).trim();
  if (text === "") throw new ApiError(400, faults.noText);
  return text;
}

/** A thread that the request names must exist. One that only an answer in the history names may have been deleted. */
async function threadOf(
  { threads }: AssistantDeps,
  call: MessageCall,
  { projectId }: Project,
  { threadId, fp: fingerprint }: AssistantRequest,
  messages: readonly AssistantMessage[],
): Promise<Thread | undefined> {
  const wanted = threadId ?? threadIdIn(messages);
  if (wanted === undefined || threads.retentionMs === 0) return undefined;
  const threadKey = call.header("x-thread-key");
  const thread = await readThread(threads, { threadId: wanted, projectId, fingerprint, threadKey });
  if (!thread && threadId) throw new ApiError(404, problems.noThread);
  return thread;
}

const callerOf = (origin: string | undefined) => (origin === undefined ? "api" : origin === "null" ? "other" : "web");
