import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { agentEvents, agentLimits, agentTarget, agentUse } from "../../agent/index.js";
import { type AgentJob, type AgentMessage, type AgentStarted, includesRole, type Project } from "../../jobs/index.js";
import * as ui from "../components/index.js";
import { createPageStreams, eventStream } from "../event-stream.js";
import { hourMs } from "../format.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";
import { AgentBadge, listAgentJobs } from "./agent-job-list.js";

const shownEvents = 1000;
const shownPatch = 200_000;
const streams = createPageStreams();

/** A handler for the agent job of the address. */
export const forAgentJob = forObject(async ({ store, params, organizationId }): Promise<AgentJob | undefined> => {
  const job = await store.agents.get(params["id"]!);
  return job?.organizationId === organizationId ? job : undefined;
});

/** @param fault what is wrong with the message that was sent. */
export async function agentJobPage(context: ConsoleContext, job: AgentJob, fault?: string): Promise<ConsoleAnswer> {
  const { role } = context;
  const { agents } = context.store;
  const { agentJobId, status } = job;
  const [{ events }, messages, patch] = await Promise.all([
    agents.events(agentJobId, { limit: shownEvents }),
    agents.messages(agentJobId),
    agents.patch(job.runId),
  ]);
  const path = `/console/agent/${agentJobId}`;
  const mayAct = includesRole(role, "editor");
  return {
    title: "Agent job",
    status: fault === undefined ? undefined : 400,
    page: (
      <div class="page" data-follow={status === "active" ? `${path}/events` : undefined}>
        <div class="page" data-part="head">
          <ui.PageHead
            back={["Agent", "/console/agent"]}
            title={
              <span class="title-badge">
                Agent job <AgentBadge job={job} />
              </span>
            }
          >
            {mayAct && status === "active" && (
              <ui.Action action={`${path}/cancel`} context={context} kind="danger" label="Cancel" />
            )}
            {mayAct && status !== "archived" && (
              <ui.Action action={`${path}/archive`} context={context} label="Archive" />
            )}
          </ui.PageHead>
        </div>
        <div class="page" data-part="facts">
          {job.error !== undefined && <ui.Notice kind="bad">{job.error}</ui.Notice>}
          <JobFacts job={job} />
          <Messages messages={messages} />
        </div>
        {fault !== undefined && status === "archived" && <ui.Notice kind="bad">{fault}</ui.Notice>}
        {mayAct && status !== "archived" && (
          <ui.Form
            action={`${path}/message`}
            context={context}
            fields={[{ name: "prompt", label: "Message to the agent", rows: 3 }]}
            errors={fault === undefined ? undefined : { prompt: fault }}
            submit="Send"
          />
        )}
        <div class="page" data-part="events">
          {patch !== undefined && <Patch text={patch} />}
          <ui.EventTable title="Events" events={events} />
        </div>
      </div>
    ),
  };
}

function JobFacts({ job }: { readonly job: AgentJob }): JsxNode {
  const { ref, pullRequest, archivedAt } = job;
  return (
    <ui.Facts
      facts={[
        ["Repository", <a href={job.repository}>{job.repository}</a>],
        ["Branch", ref === undefined ? "none yet" : <code>{ref}</code>],
        ["Pull request", pullRequest === undefined ? "none" : <a href={pullRequest}>{pullRequest}</a>],
        ["Model", job.model],
        ["Asked by", job.requestedBy ?? "unknown"],
        ["Requested", <ui.Time at={job.createdAt} />],
        archivedAt !== undefined && ["Archived", <ui.Time at={archivedAt} />],
        ["Job", <code>{job.agentJobId}</code>],
      ]}
    />
  );
}

const Messages = ({ messages }: { readonly messages: readonly AgentMessage[] }): JsxNode => (
  <ui.Section title="Messages">
    <ui.Table
      label="Messages"
      rows={messages}
      columns={[
        { title: "Time", of: ({ createdAt }) => <ui.Time at={createdAt} exact /> },
        { title: "From", of: ({ requestedBy }) => requestedBy ?? <span class="faint">unknown</span> },
        {
          title: "Message",
          kind: "wide",
          of: ({ prompt, reply }) =>
            prompt === "" ? (
              <span class="faint">No longer kept.</span>
            ) : (
              <>
                <p>{prompt}</p>
                {reply !== undefined && <p class="faint">The model: {reply}</p>}
              </>
            ),
        },
      ]}
    />
  </ui.Section>
);

/** The changes of the last run, also before they are pushed. */
function Patch({ text }: { readonly text: string }): JsxNode {
  const lines = text.slice(0, shownPatch).split("\n");
  return (
    <ui.Section title="Changes" lead="What the last message changed.">
      <pre class="patch" tabindex="0" aria-label="Changes">
        {lines.map((line) => (
          <span class={lineClass(line)}>{`${line}\n`}</span>
        ))}
        {text.length > shownPatch && "…"}
      </pre>
    </ui.Section>
  );
}

function lineClass(line: string): string | undefined {
  if (/^(diff |index |--- |\+\+\+ |@@)/.test(line)) return "patch-head";
  return line.startsWith("+") ? "patch-added" : line.startsWith("-") ? "patch-removed" : undefined;
}

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
  if (status !== "active") return { redirect, notice: "The job had already ended." };
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
  if (prompt.trim() === "") return "Describe what the agent should do.";
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
  return { fault: "Too many jobs are waiting in the queue. Try again when some of them have run." };
}
