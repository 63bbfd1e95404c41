import type { Context } from "hono";
import {
  type AssistantMessage,
  createReply,
  type Question,
  quotedMessages,
  readThread,
  type SiteIndex,
  streamText,
  textOf,
  threadIdIn,
  v1Wire,
  v2Wire,
} from "../../assistant/index.js";
import type { Project, Thread } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import type { ApiEnvironment } from "../request-context.js";
import type { AssistantDeps } from "./assistant-deps.js";
import { checkFilter } from "./check-filter.js";
import { type AssistantRequest, longestMessage } from "./schemas.js";
import texts from "./texts.json" with { type: "json" };
import { tooMany } from "./too-many.js";

const { faults, problems } = texts;
const defaultPassages = 5;
const mostPassages = 20;

export interface Asked {
  readonly project: Project;
  readonly index: SiteIndex;
  readonly request: AssistantRequest;
}

/** The response to a message: an error before any stream, or the stream. */
export async function handleMessage(
  deps: AssistantDeps,
  c: Context<ApiEnvironment>,
  version: "v1" | "v2",
  { project, index, request }: Asked,
): Promise<Response> {
  const messages = request.messages.filter(({ role }) => role === "user" || role === "assistant");
  const text = checkMessages(messages);
  const filter = checkFilter(request.filter, index);
  const { organizationId } = c.get("key")!;
  const thread = await threadOf(deps, c, project, request, messages);
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
  const slot = deps.counter.stream(c.get("clientAddress"));
  if (typeof slot !== "function") throw tooMany(slot, deps.metrics);

  const leaving = new AbortController();
  const { signal: left } = c.req.raw;
  const leave = (): void => leaving.abort(readerLeft);
  if (left.aborted) leave();
  left.addEventListener("abort", leave, { once: true });
  const started = performance.now();
  const reply = createReply(
    {
      answerer: deps.answerer,
      writer: deps.writer,
      now: deps.now,
      onFault: (error) => deps.onFault(c.get("requestId"), error),
      onFirstText: () => deps.metrics?.firstText((performance.now() - started) / 1000),
      onEnd(outcome, usage) {
        deps.metrics?.end(version, outcome, usage);
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
      caller: callerOf(c.req.header("Origin")),
      signal: leaving.signal,
    },
  );
  const wire = version === "v1" ? v1Wire : v2Wire;
  const onClose = (): void => {
    leave();
    slot();
  };
  const body = streamText(wire.encode(reply), { ...wire, keepAliveMs: deps.keepAliveMs, onClose });
  const ofThread = { "X-Thread-Id": reply.threadId, ...(reply.threadKey && { "X-Thread-Key": reply.threadKey }) };
  return new Response(body, { status: 200, headers: { ...wire.headers, ...ofThread } });
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
  c: Context<ApiEnvironment>,
  { projectId }: Project,
  { threadId, fp: fingerprint }: AssistantRequest,
  messages: readonly AssistantMessage[],
): Promise<Thread | undefined> {
  const wanted = threadId ?? threadIdIn(messages);
  if (wanted === undefined || threads.retentionMs === 0) return undefined;
  const threadKey = c.req.header("X-Thread-Key");
  const thread = await readThread(threads, { threadId: wanted, projectId, fingerprint, threadKey });
  if (!thread && threadId) throw new ApiError(404, problems.noThread);
  return thread;
}

const callerOf = (origin: string | undefined) => (origin === undefined ? "api" : origin === "null" ? "other" : "web");
