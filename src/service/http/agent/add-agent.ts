import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { type AgentSetup, agentEvents, agentLimits, agentTarget, agentUse, branchOf } from "../../agent/index.js";
import type { Actor, AgentJob, AgentStarted, IdempotencyKey, Project } from "../../jobs/index.js";
import { ApiError, tryLater } from "../api-error.js";
import { authenticate, isValid } from "../authenticate.js";
import { readIdempotencyKey, refuseStart, replayedHeader } from "../idempotency.js";
import { rateLimit, rateLimitHeaders } from "../rate-limit.js";
import { readJson } from "../request-body.js";
import { type ApiContext, type ApiEnvironment, ownProject, type RouteDeps } from "../request-context.js";
import { createEventStreams } from "../stream-text.js";
import { agentView } from "../views.js";
import * as routes from "./routes.js";
import texts from "./texts.json" with { type: "json" };

const hourMs = 60 * 60_000;
const pollSeconds = "5";

type AgentParts = ReturnType<typeof createParts>;

/** What the routes of both versions share. */
function createParts({ store, options, now }: RouteDeps, setup: AgentSetup) {
  const { accounts, agents, credentials, jobs } = store;
  const openStream = createEventStreams(options.maxWaiting);
  const ofRequest = (c: ApiContext, projectId: string): Promise<Project> =>
    ownProject(accounts, c, projectId, noSuchJob);
  const ownJob = async (c: ApiContext, { projectId, id }: { readonly projectId: string; readonly id: string }) => {
    const project = await ofRequest(c, projectId);
    const job = /^aj_[0-9a-f]{32}$/.test(id) ? await agents.get(id) : undefined;
    if (job?.projectId !== projectId) throw noSuchJob();
    return { project, job };
  };
  const keyOf = (c: ApiContext): Actor => ({ keyId: c.get("key")!.keyId });

  /** Creates a job or message within the limit of the hour. A repeated Idempotency-Key does not count. */
  const start = async (
    c: ApiContext,
    { projectId, organizationId }: Project,
    once: IdempotencyKey | undefined,
    create: () => Promise<AgentStarted>,
  ): Promise<AgentJob> => {
    const { jobsPerHour } = agentLimits;
    const use = await accounts.countUse(agentUse(projectId), jobsPerHour, hourMs);
    const { useId, resetsAt } = use;
    const started = useId === undefined ? await repeated(organizationId, once) : await create();
    const headers = rateLimitHeaders(options.rateLimitHeaders, [rateLimit("agent", jobsPerHour, hourMs, use, now())]);
    if (!started) throw tooMany(resetsAt, now(), headers);
    refuseStart(started);
    const isRepeated = started.kind === "repeated";
    if (isRepeated && useId !== undefined) await accounts.releaseUse(useId);
    if (isRepeated) c.header(replayedHeader, "true");
    else for (const [name, value] of Object.entries(headers)) c.header(name, value);
    c.header("Retry-After", pollSeconds);
    return started.job;
  };
  const repeated = async (organizationId: string, once: IdempotencyKey | undefined) => {
    const created = once && (await jobs.repeated(organizationId, once));
    if (!created || !("job" in created)) return created;
    const job = await agents.get(created.job.agentJobId!);
    return job && { kind: "repeated" as const, job };
  };

  const createJob = async (
    c: ApiContext,
    route: string,
    projectId: string,
    { prompt, asDraft = false, mode, branch }: routes.AgentRequest,
  ): Promise<AgentJob> => {
    const once = readIdempotencyKey(c, route, { prompt, asDraft, mode, branch });
    const project = await ofRequest(c, projectId);
    const target = await agentTarget(project, credentials, setup, mode);
    if ("fault" in target) throw new ApiError(409, target.fault);
    const { organizationId, name: requestedBy } = c.get("key")!;
    const { domain } = project;
    return start(c, project, once, () =>
      agents.create(
        { organizationId, projectId, domain, asDraft, branch, requestedBy, ...target },
        prompt,
        once,
        keyOf(c),
      ),
    );
  };
  /** Follows a job with server-sent events. */
  const follow = (c: ApiContext, { agentJobId }: AgentJob, viewOf: (job: AgentJob) => object): Response => {
    const { organizationId, keyId } = c.get("key")!;
    const stream = openStream({
      events: (signal) => agentEvents(agents, agentJobId, c.req.header("Last-Event-ID"), viewOf, signal),
      signals: [c.req.raw.signal, c.env.closing],
      isAllowed: async () =>
        (await accounts.keys(organizationId)).some((key) => key.keyId === keyId && isValid(key, now())),
      keepAliveMs: options.keepAliveMs,
    });
    if (stream) return stream;
    throw tryLater(503, "Too many clients are following jobs. Try again in a few seconds.", 5);
  };
  return { ofRequest, ownJob, keyOf, start, createJob, follow };
}

export function addAgent(app: OpenAPIHono<ApiEnvironment>, deps: RouteDeps, setup: AgentSetup): void {
  const { store, options } = deps;
  const { agents, credentials } = store;
  for (const path of ["/v1/agent/*", "/v2/agent/*"]) app.use(path, authenticate(deps));
  for (const { getRoutingPath } of [routes.createAgentJob, routes.addAgentMessage, routes.createAgentJobV1])
    app.post(getRoutingPath(), readJson(options.maxBodyBytes));
  const parts = createParts(deps, setup);
  const { ofRequest, ownJob, keyOf, start, createJob, follow } = parts;

  app.openapi(routes.createAgentJob, async (c) => {
    const { projectId } = c.req.valid("param");
    const job = await createJob(c, `POST /v2/agent/${projectId}/job`, projectId, c.req.valid("json"));
    c.header("Location", `/v2/agent/${projectId}/job/${job.agentJobId}`);
    return c.json(agentView(job), 201);
  });

  app.openapi(routes.addAgentMessage, async (c) => {
    const { prompt } = c.req.valid("json");
    const { project, job } = await ownJob(c, c.req.valid("param"));
    const { agentJobId, mode } = job;
    const route = `POST /v2/agent/${project.projectId}/job/${agentJobId}/message`;
    const once = readIdempotencyKey(c, route, { prompt });
    if (job.status === "archived") throw archived();
    const target = await agentTarget(project, credentials, setup, mode);
    if ("fault" in target) throw new ApiError(409, target.fault);
    const message = { prompt, domain: project.domain, requestedBy: c.get("key")!.name };
    const active = await start(c, project, once, async () => {
      const said = await agents.addMessage(agentJobId, message, once, keyOf(c));
      if (!said) throw archived();
      return said;
    });
    return c.json(agentView(active), 200);
  });

  app.openapi(routes.getAgentJob, async (c) => {
    const { job } = await ownJob(c, c.req.valid("param"));
    if (job.status === "active") c.header("Retry-After", pollSeconds);
    return c.json(agentView(job), 200);
  });
  app.openapi(routes.listAgentJobs, async (c) => {
    const { projectId, organizationId } = await ofRequest(c, c.req.valid("param").projectId);
    const { limit = 20, ...page } = c.req.valid("query");
    const list = await agents.list({ organizationId, projectId, limit, ...page });
    return c.json({ jobs: list.jobs.map(agentView), nextCursor: list.next ?? null }, 200);
  });
  app.openapi(routes.cancelAgentJob, async (c) => {
    const { job } = await ownJob(c, c.req.valid("param"));
    const ended = await agents.cancel(job.agentJobId, "The job was cancelled by request.", keyOf(c));
    if (!ended) throw noSuchJob();
    return c.json(agentView(ended), 200);
  });
  app.openapi(routes.archiveAgentJob, async (c) => {
    const { job } = await ownJob(c, c.req.valid("param"));
    const ended = await agents.archive(job.agentJobId, keyOf(c));
    if (!ended) throw noSuchJob();
    return c.json(agentView(ended), 200);
  });

  app.openapi(routes.streamAgentEvents, async (c) => {
    const { job } = await ownJob(c, c.req.valid("param"));
    return follow(c, job, agentView) as never;
  });
  addAgentV1(app, deps, parts);
}

/** The same error for unknown and for forbidden projects and jobs, so that clients cannot probe for ids. */
const noSuchJob = (): ApiError => new ApiError(404, texts.problems[404].error);

const archived = (): ApiError => new ApiError(409, "The job is archived and takes no messages. Create a new job.");

function tooMany(resetsAt: Date, now: number, headers: Readonly<Record<string, string>>): ApiError {
  const seconds = Math.max(1, Math.ceil((resetsAt.getTime() - now) / 1000));
  const what = `This project can have ${agentLimits.jobsPerHour} agent jobs and messages per hour.`;
  return tryLater(429, `${what} Try again in ${seconds} seconds.`, seconds, headers);
}

type Session = z.infer<typeof routes.agentSessionSchema>;

/** Adds the first version of the routes of agent jobs, which older clients use. */
function addAgentV1(
  app: OpenAPIHono<ApiEnvironment>,
  { store: { agents } }: RouteDeps,
  { ofRequest, ownJob, createJob, follow }: AgentParts,
): void {
  const viewOf = async (job: AgentJob, project: Project): Promise<Session> =>
    sessionView(job, project, await agents.messages(job.agentJobId));

  app.openapi(routes.createAgentJobV1, async (c) => {
    const { projectId } = c.req.valid("param");
    const { messages, branch, asDraft } = c.req.valid("json");
    const prompt = promptOf(messages);
    const project = await ofRequest(c, projectId);
    const job = await createJob(c, `POST /v1/agent/${projectId}/job`, projectId, { prompt, asDraft, branch });
    const prompts = [{ prompt }];
    const stream = follow(c, job, (changed) => sessionView(changed, project, prompts));
    stream.headers.set("X-Session-Id", job.agentJobId);
    stream.headers.set("X-Branch-Name", branch ?? branchOf(job.runId));
    return stream as never;
  });
  app.openapi(routes.getAgentJobV1, async (c) => {
    const { project, job } = await ownJob(c, c.req.valid("param"));
    if (job.status === "active") c.header("Retry-After", "5");
    return c.json(await viewOf(job, project), 200);
  });
  app.openapi(routes.listAgentJobsV1, async (c) => {
    const project = await ofRequest(c, c.req.valid("param").projectId);
    const { skip = 0, take = 12 } = c.req.valid("query");
    const { organizationId, projectId } = project;
    const { jobs } = await agents.list({ organizationId, projectId, limit: take, skip });
    return c.json({ allSessions: await Promise.all(jobs.map((job) => viewOf(job, project))) }, 200);
  });
}

/** @throws {ApiError} 400 if no user asks for anything at the end. */
function promptOf(messages: z.infer<typeof routes.agentRequestV1Schema>["messages"]): string {
  const last = messages.at(-1);
  if (last?.role !== "user" || last.content.trim() === "") throw new ApiError(400, texts.lastMessage);
  const earlier = messages.slice(0, -1).map(({ role, content }) => `\n\nEarlier message of the ${role}:\n${content}`);
  const prompt = last.content.trim() + earlier.join("");
  const { promptLength } = agentLimits;
  if (prompt.length <= promptLength) return prompt;
  throw new ApiError(400, `"messages" has more than ${promptLength} characters.`);
}

function sessionView(
  { agentJobId, status, ref, pullRequest, error, createdAt }: AgentJob,
  { identifier }: Project,
  messages: readonly { readonly prompt: string; readonly reply?: string }[],
): Session {
  const isInterrupted = status === "archived" || (error?.startsWith("The job was cancelled") ?? false);
  return {
    sessionId: agentJobId,
    subdomain: identifier,
    branch: ref ?? null,
    haulted: status !== "active",
    haultReason:
      status === "active"
        ? "processing"
        : status === "completed"
          ? "completed"
          : isInterrupted
            ? "interrupted"
            : "error",
    ...(pullRequest !== undefined && { pullRequestLink: pullRequest }),
    messageToUser: error ?? messages.at(-1)?.reply ?? "",
    todos: [],
    title: (messages[0]?.prompt ?? "").trim().split("\n")[0]!.slice(0, 100),
    createdAt: createdAt.toISOString(),
  };
}
