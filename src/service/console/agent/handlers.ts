import { agentEvents, agentLimits, agentTarget, agentUse } from "../../agent/index.js";
import { streamText } from "../../assistant/index.js";
import type { AgentJob, AgentStarted, Project } from "../../jobs/index.js";
import { endOfSession } from "../end-of-session.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { listAgentJobs } from "./job-list.js";
import { ownAgentJob, showAgentJob } from "./job-page.js";

const hourMs = 60 * 60_000;

export async function startAgentJob(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, form, organization, person } = context;
  const { agents } = deps.store;
  const { organizationId } = organization;
  const prompt = form.get("prompt") ?? "";
  const project = await projectOf(context, form.get("site") ?? "");
  const values = Object.fromEntries(form);
  const fault = promptFault(prompt);
  if (!project) return listAgentJobs(context, values, { site: "Choose a site." });
  if (fault !== undefined) return listAgentJobs(context, values, { prompt: fault });
  const mode = form.get("mode") === "repair" ? "repair" : undefined;
  const target = await agentTarget(project, deps.store.credentials, deps.agent ?? {}, mode);
  if ("fault" in target) return listAgentJobs(context, values, { site: target.fault });
  const { projectId, domain } = project;
  const asDraft = form.get("draft") === "yes";
  const job = { organizationId, projectId, domain, asDraft, requestedBy: person.name, ...target };
  const started = await start(context, projectId, () => agents.create(job, prompt, undefined, context.by));
  if ("fault" in started) return listAgentJobs(context, values, { prompt: started.fault });
  return { redirect: `/console/agent/${started.agentJobId}`, notice: "The agent has the job." };
}

export async function sendMessage(context: ConsoleContext): Promise<ConsoleAnswer> {
  const job = await ownAgentJob(context);
  if (!job) return "not-found";
  const { deps, form, person } = context;
  const { agentJobId } = job;
  const prompt = form.get("prompt") ?? "";
  const project = await projectOf(context, job.projectId);
  const fault = promptFault(prompt);
  if (fault !== undefined || !project) return showAgentJob(context, fault ?? "The site has been removed.");
  const target = await agentTarget(project, deps.store.credentials, deps.agent ?? {}, job.mode);
  if ("fault" in target) return showAgentJob(context, target.fault);
  const message = { prompt, domain: project.domain, requestedBy: person.name };
  const started = await start(context, job.projectId, () =>
    deps.store.agents.addMessage(agentJobId, message, undefined, context.by),
  );
  if ("fault" in started) return showAgentJob(context, started.fault);
  return { redirect: `/console/agent/${agentJobId}`, notice: "The agent works on it." };
}

export async function cancelAgentJob(context: ConsoleContext): Promise<ConsoleAnswer> {
  const job = await ownAgentJob(context);
  if (!job) return "not-found";
  const redirect = `/console/agent/${job.agentJobId}`;
  if (job.status !== "active") return { redirect, notice: "The job had ended already." };
  await context.deps.store.agents.cancel(
    job.agentJobId,
    `The job was cancelled by ${context.person.name}.`,
    context.by,
  );
  return { redirect, notice: "The job is cancelled." };
}

export async function archiveAgentJob(context: ConsoleContext): Promise<ConsoleAnswer> {
  const job = await ownAgentJob(context);
  if (!job) return "not-found";
  await context.deps.store.agents.archive(job.agentJobId, context.by);
  return { redirect: "/console/agent", notice: "The job is archived." };
}

async function projectOf({ deps, organization }: ConsoleContext, projectId: string): Promise<Project | undefined> {
  const projects = await deps.store.accounts.projects(organization.organizationId);
  return projects.find((project) => project.projectId === projectId);
}

function promptFault(prompt: string): string | undefined {
  if (prompt.trim() === "") return "Say what the agent is to do.";
  const { promptLength } = agentLimits;
  return prompt.length > promptLength ? `Use at most ${promptLength} characters.` : undefined;
}

/** Counts a job or message, as the API does. */
async function start(
  { deps }: ConsoleContext,
  projectId: string,
  create: () => Promise<AgentStarted | undefined>,
): Promise<AgentJob | { readonly fault: string }> {
  const { useId } = await deps.store.accounts.countUse(agentUse(projectId), agentLimits.jobsPerHour, hourMs);
  if (useId === undefined)
    return { fault: `A site may have ${agentLimits.jobsPerHour} jobs and messages an hour. Try again later.` };
  const started = await create();
  if (!started) return { fault: "The job is archived. Start a new one." };
  if ("job" in started) return started.job;
  return { fault: "Too many jobs wait in the queue. Try again once some of them have run." };
}

const maxStreams = 100;
const longestMs = 15 * 60_000;
let streams = 0;

/** Says when a job has something new to show, as server-sent events, until it or the session has ended, or for 15 minutes. */
export async function agentJobEvents(context: ConsoleContext): Promise<ConsoleAnswer> {
  const job = await ownAgentJob(context);
  if (!job) return "not-found";
  if (streams >= maxStreams)
    return { response: new Response("Too many streams.", { status: 503, headers: { "Retry-After": "5" } }) };
  const { deps, request, closing } = context;
  const left = new AbortController();
  const signals = [left.signal, request.signal, closing, AbortSignal.timeout(longestMs)];
  const end = AbortSignal.any(signals.filter((each) => each !== undefined));
  const signal = AbortSignal.any([end, endOfSession(context, end)]);
  const last = request.headers.get("Last-Event-ID") ?? undefined;
  const viewOf = ({ status, ref, pullRequest }: typeof job) => ({ status, ref, pullRequest });
  streams++;
  const body = streamText({
    chunks: agentEvents(deps.store.agents, job.agentJobId, last, viewOf, signal),
    keepAlive: ": open\n\n",
    onClose() {
      streams--;
      left.abort();
    },
  });
  const headers = { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" };
  return { response: new Response(body, { headers }) };
}
