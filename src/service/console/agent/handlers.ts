import { agentEvents, agentLimits, agentTarget, agentUse } from "../../agent/index.js";
import type { AgentJob, AgentStarted, Project } from "../../jobs/index.js";
import { createPageStreams, eventStream } from "../event-stream.js";
import { hourMs } from "../format.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { listAgentJobs } from "./job-list.js";
import { agentJobPage } from "./job-page.js";

const streams = createPageStreams();

export async function startAgentJob(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, store, form, organizationId, person } = context;
  const mode = form.get("mode") === "repair" ? "repair" : undefined;
  const prompt = form.get("prompt") ?? (mode === "repair" ? "Repair the faults of the site." : "");
  const project = await findProject(context, form.get("site") ?? "");
  if (!project) return listAgentJobs(context, { site: "Choose a site." });
  // Without a model, the form has no field for a prompt.
  const field = deps.agent?.model === undefined ? "site" : "prompt";
  const fault = promptFault(prompt);
  if (fault !== undefined) return listAgentJobs(context, { [field]: fault });
  const target = await agentTarget(project, store.credentials, deps.agent ?? {}, mode);
  if ("fault" in target) return listAgentJobs(context, { site: target.fault });
  const { projectId, domain } = project;
  const asDraft = form.get("draft") === "yes";
  const job = { organizationId, projectId, domain, asDraft, requestedBy: person.name, ...target };
  const started = await start(context, projectId, () => store.agents.create(job, prompt, undefined, context.by));
  if ("fault" in started) return listAgentJobs(context, { [field]: started.fault });
  return { redirect: `/console/agent/${started.agentJobId}`, notice: "The agent has the job." };
}

export async function sendMessage(context: ConsoleContext, job: AgentJob): Promise<ConsoleAnswer> {
  const { deps, store, form, person } = context;
  const { agentJobId } = job;
  const prompt = form.get("prompt") ?? "";
  const project = await findProject(context, job.projectId);
  const fault = promptFault(prompt);
  if (fault !== undefined || !project) return agentJobPage(context, job, fault ?? "The site has been removed.");
  const target = await agentTarget(project, store.credentials, deps.agent ?? {}, job.mode);
  if ("fault" in target) return agentJobPage(context, job, target.fault);
  const message = { prompt, domain: project.domain, requestedBy: person.name };
  const started = await start(context, job.projectId, () =>
    store.agents.addMessage(agentJobId, message, undefined, context.by),
  );
  if ("fault" in started) return agentJobPage(context, job, started.fault);
  return { redirect: `/console/agent/${agentJobId}`, notice: "The agent works on it." };
}

export async function cancelAgentJob(
  { store, person, by }: ConsoleContext,
  { agentJobId, status }: AgentJob,
): Promise<ConsoleAnswer> {
  const redirect = `/console/agent/${agentJobId}`;
  if (status !== "active") return { redirect, notice: "The job had ended already." };
  await store.agents.cancel(agentJobId, `The job was cancelled by ${person.name}.`, by);
  return { redirect, notice: "The job is cancelled." };
}

export async function archiveAgentJob({ store, by }: ConsoleContext, job: AgentJob): Promise<ConsoleAnswer> {
  await store.agents.archive(job.agentJobId, by);
  return { redirect: "/console/agent", notice: "The job is archived." };
}

/** Server-sent events that tell the page of a job when it has something new to show. */
export function agentJobEvents(context: ConsoleContext, { agentJobId }: AgentJob): ConsoleAnswer {
  const last = context.request.headers.get("Last-Event-ID") ?? undefined;
  const view = ({ status, ref, pullRequest }: AgentJob) => ({ status, ref, pullRequest });
  return eventStream(context, streams, (signal) => agentEvents(context.store.agents, agentJobId, last, view, signal));
}

async function findProject({ store, organizationId }: ConsoleContext, projectId: string): Promise<Project | undefined> {
  const projects = await store.accounts.projects(organizationId);
  return projects.find((project) => project.projectId === projectId);
}

function promptFault(prompt: string): string | undefined {
  if (prompt.trim() === "") return "Say what the agent is to do.";
  const { promptLength } = agentLimits;
  return prompt.length > promptLength ? `Use at most ${promptLength} characters.` : undefined;
}

/** Creates a job or message, within the limit that it shares with the API. */
async function start(
  { store }: ConsoleContext,
  projectId: string,
  create: () => Promise<AgentStarted | undefined>,
): Promise<AgentJob | { readonly fault: string }> {
  const { useId } = await store.accounts.countUse(agentUse(projectId), agentLimits.jobsPerHour, hourMs);
  if (useId === undefined)
    return { fault: `A site may have ${agentLimits.jobsPerHour} jobs and messages an hour. Try again later.` };
  const started = await create();
  if (!started) return { fault: "The job is archived. Start a new one." };
  if ("job" in started) return started.job;
  return { fault: "Too many jobs wait in the queue. Try again once some of them have run." };
}
