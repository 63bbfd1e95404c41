import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { agentLimits, branchOf } from "../../agent/index.js";
import type { AgentJob, Project } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import type { ApiContext, ApiEnvironment, RouteDeps } from "../request-context.js";
import * as routes from "./routes.js";
import type { AgentRequest, agentRequestV1Schema, agentSessionSchema } from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

type Session = z.infer<typeof agentSessionSchema>;

/** What the routes of both versions share. */
interface AgentParts {
  ofRequest(c: ApiContext, projectId: string): Promise<Project>;
  ownJob(
    c: ApiContext,
    ids: { readonly projectId: string; readonly id: string },
  ): Promise<{ readonly project: Project; readonly job: AgentJob }>;
  createJob(c: ApiContext, route: string, projectId: string, request: AgentRequest): Promise<AgentJob>;
  follow(c: ApiContext, job: AgentJob, viewOf: (job: AgentJob) => object): Response;
}

/** Adds the first version of the routes of agent jobs, which older clients use. */
export function addAgentV1(
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
function promptOf(messages: z.infer<typeof agentRequestV1Schema>["messages"]): string {
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
