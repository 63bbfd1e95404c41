import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { type AgentJob, type AgentMessage, includesRole } from "../../jobs/index.js";
import { Action, EventTable, Facts, Form, Notice, PageHead, Section, Table, Time } from "../components/index.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";
import { AgentBadge } from "./job-list.js";

const shownEvents = 1000;
const shownPatch = 200_000;

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
          <PageHead
            back={["Agent", "/console/agent"]}
            title={
              <span class="title-badge">
                Agent job <AgentBadge job={job} />
              </span>
            }
          >
            {mayAct && status === "active" && (
              <Action action={`${path}/cancel`} context={context} kind="danger">
                Cancel
              </Action>
            )}
            {mayAct && status !== "archived" && (
              <Action action={`${path}/archive`} context={context}>
                Archive
              </Action>
            )}
          </PageHead>
        </div>
        <div class="page" data-part="facts">
          {job.error !== undefined && <Notice kind="bad">{job.error}</Notice>}
          <JobFacts job={job} />
          <Messages messages={messages} />
        </div>
        {fault !== undefined && status === "archived" && <Notice kind="bad">{fault}</Notice>}
        {mayAct && status !== "archived" && (
          <Form
            action={`${path}/message`}
            context={context}
            fields={[{ name: "prompt", label: "Message to the agent", rows: 3 }]}
            errors={fault === undefined ? undefined : { prompt: fault }}
            submit="Send"
          />
        )}
        <div class="page" data-part="events">
          {patch !== undefined && <Patch text={patch} />}
          <EventTable title="Events" events={events} />
        </div>
      </div>
    ),
  };
}

function JobFacts({ job }: { readonly job: AgentJob }): JsxNode {
  const { ref, pullRequest, archivedAt } = job;
  return (
    <Facts
      facts={[
        ["Repository", <a href={job.repository}>{job.repository}</a>],
        ["Branch", ref === undefined ? "none yet" : <code>{ref}</code>],
        ["Pull request", pullRequest === undefined ? "none" : <a href={pullRequest}>{pullRequest}</a>],
        ["Model", job.model],
        ["Asked by", job.requestedBy ?? "unknown"],
        ["Started", <Time at={job.createdAt} />],
        archivedAt !== undefined && ["Archived", <Time at={archivedAt} />],
        ["Job", <code>{job.agentJobId}</code>],
      ]}
    />
  );
}

const Messages = ({ messages }: { readonly messages: readonly AgentMessage[] }): JsxNode => (
  <Section title="Messages">
    <Table
      label="Messages"
      rows={messages}
      columns={[
        { title: "Time", of: ({ createdAt }) => <Time at={createdAt} exact /> },
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
  </Section>
);

/** The changes of the last run, also before they are pushed. */
function Patch({ text }: { readonly text: string }): JsxNode {
  const lines = text.slice(0, shownPatch).split("\n");
  return (
    <Section title="Changes" lead="What the last message has changed.">
      <pre class="patch" tabindex="0" aria-label="Changes">
        {lines.map((line) => (
          <span class={lineClass(line)}>{`${line}\n`}</span>
        ))}
        {text.length > shownPatch && "…"}
      </pre>
    </Section>
  );
}

function lineClass(line: string): string | undefined {
  if (/^(diff |index |--- |\+\+\+ |@@)/.test(line)) return "patch-head";
  return line.startsWith("+") ? "patch-added" : line.startsWith("-") ? "patch-removed" : undefined;
}
