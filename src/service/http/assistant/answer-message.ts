import { fieldsOf } from "../../../lib/json/index.js";
import * as assistant from "../../assistant/index.js";
import type { Project, Thread } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { invalidRequest } from "../request-body.js";
import type { ApiContext } from "../request-context.js";
import { streamText } from "../stream-text.js";
import { type AssistantDeps, tooMany } from "./assistant-deps.js";
import { type AssistantRequest, assistantRequestSchema, longestMessage, maxMessages } from "./routes.js";
import { checkFilter, indexOf, projectOf } from "./site-lookup.js";
import texts from "./texts.json" with { type: "json" };

const { faults, problems } = texts;
const defaultPassages = 5;
const maxPassages = 20;

/** Answers a message, from the client's first read on. @throws {ApiError} if it cannot be answered. */
export async function answerMessage(
  deps: AssistantDeps,
  c: ApiContext,
  version: "v1" | "v2",
  domain: string,
): Promise<Response> {
  const body = withNewestMessages(c.get("json"));
  const { data: request, error } = assistantRequestSchema.safeParse(body);
  if (error) throw invalidRequest(error.issues, body, []);
  const key = c.get("key")!;
  const origin = c.req.header("Origin");
  const project = await projectOf(deps, key, domain, origin);
  const index = await indexOf(deps, project, key, request.filter?.groups);
  const messages = request.messages.filter(({ role }) => role === "user" || role === "assistant");
  const text = questionText(messages);
  const filter = checkFilter(request.filter, index);
  const thread = await findThread(deps, c, project, request, messages);
  const question: assistant.Question = {
    text,
    turns: thread?.turns ?? [],
    quoted: assistant.quotedMessages(messages.slice(0, -1), thread?.turns ?? []),
    context: (request.context ?? []).map(({ type, value, path }) => ({
      value,
      ...(type ? { type } : {}),
      ...(path ? { path } : {}),
    })),
    ...(request.currentPath ? { currentPath: request.currentPath } : {}),
    passageCount: Math.min(maxPassages, Math.round(request.retrievalPageSize ?? defaultPassages)),
    ...(filter ? { filter } : {}),
  };
  const overBudget = await deps.counter.tokens(key.organizationId);
  if (overBudget) throw tooMany(overBudget, deps.metrics);
  const closeStream = deps.counter.stream(c.get("clientAddress"));
  if (typeof closeStream !== "function") throw tooMany(closeStream, deps.metrics);

  const leaving = new AbortController();
  const leave = (): void => leaving.abort(readerLeft);
  const { signal } = c.req.raw;
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  const started = performance.now();
  const reply = assistant.createReply(
    {
      answerer: deps.answerer,
      writer: deps.writer,
      now: deps.now,
      onFault: (fault) => deps.onFault(c.get("requestId"), fault),
      onFirstText: () => deps.metrics?.firstText((performance.now() - started) / 1000),
      onEnd(outcome, usage) {
        deps.metrics?.end(version, outcome, usage);
        const tokens = usage.promptTokens + usage.completionTokens;
        void deps.counter.addTokens(key.organizationId, tokens).catch(() => {});
      },
    },
    {
      question,
      index,
      projectId: project.projectId,
      thread,
      fingerprint: request.fp,
      caller: origin === undefined ? "api" : origin === "null" ? "other" : "web",
      signal: leaving.signal,
    },
  );
  const format = version === "v1" ? assistant.aiSdk4Format : assistant.aiSdk5Format;
  const { threadId, threadKey } = reply;
  const answer = streamText({
    ...reply.texts(format),
    keepAlive: format.keepAlive,
    keepAliveMs: deps.keepAliveMs,
    onClose() {
      leave();
      closeStream();
    },
  });
  return new Response(answer, {
    headers: { ...format.headers, "X-Thread-Id": threadId, ...(threadKey && { "X-Thread-Key": threadKey }) },
  });
}

/** Clients send the whole conversation, however long it is. The thread has what the service needs of the older part. */
function withNewestMessages(body: unknown): unknown {
  const { messages } = fieldsOf(body);
  return Array.isArray(messages) && messages.length > maxMessages
    ? { ...fieldsOf(body), messages: messages.slice(-maxMessages) }
    : body;
}

/** Created once, since an abort without a reason creates an error with a stack each time. */
const readerLeft = new DOMException("The reader has left.", "AbortError");

/** The text of the question, which is the last message. */
function questionText(messages: readonly assistant.AssistantMessage[]): string {
  const last = messages.at(-1);
  if (last?.role !== "user") throw new ApiError(400, faults.lastMessage);
  // Answers may be longer: the client sends ours back, and the reader cannot shorten them.
  if (messages.some((message) => message.role === "user" && assistant.textOf(message).length > longestMessage))
    throw new ApiError(400, faults.longMessage);
  const text = assistant.textOf(last).trim();
  if (text === "") throw new ApiError(400, faults.noText);
  return text;
}

/** The thread that the request names must exist. A thread that only the history names may have been deleted. */
async function findThread(
  { threads }: AssistantDeps,
  c: ApiContext,
  { projectId }: Project,
  { threadId, fp: fingerprint }: AssistantRequest,
  messages: readonly assistant.AssistantMessage[],
): Promise<Thread | undefined> {
  const namedId = threadId ?? assistant.threadIdIn(messages);
  if (namedId === undefined || threads.retentionMs === 0) return undefined;
  const threadKey = c.req.header("X-Thread-Key");
  const thread = await assistant.readThread(threads, { threadId: namedId, projectId, fingerprint, threadKey });
  if (!thread && threadId) throw new ApiError(404, problems.noThread);
  return thread;
}
