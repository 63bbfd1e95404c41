import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { type AgentJob, includesRole } from "../../jobs/index.js";
import * as ui from "../components/index.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const perPage = 30;

/** The agent jobs of the organization, newest first, and the form for another one. */
export async function listAgentJobs(context: ConsoleContext, errors?: ui.FieldErrors): Promise<ConsoleAnswer> {
  const { deps, store, organizationId, query, role } = context;
  const [list, projects] = await Promise.all([
    store.agents.list({ organizationId, limit: perPage, cursor: query.get("after") ?? undefined }),
    store.accounts.projects(organizationId),
  ]);
  const model = deps.agent?.model;
  const domains = new Map(projects.map(({ projectId, domain }) => [projectId, domain]));
  return {
    title: "Agent",
    status: errors && 400,
    page: [
      <ui.PageHead title="Agent" lead="Each job changes a site on a branch and opens a pull request." />,
      includesRole(role, "editor") && projects.length > 0 && (
        <ui.Section title="Start a job" wide>
          <ui.Form
            action="/console/agent"
            context={context}
            fields={[
              { name: "site", label: "Site", options: [...domains] },
              ...(model === undefined ? [] : [{ name: "prompt", label: "What to do", rows: 4 }]),
              {
                name: "mode",
                label: "How",
                options: [
                  ...(model === undefined ? [] : [["model", `With ${model}`] as const]),
                  ["repair", "Repair, without a prompt"],
                ],
              },
              {
                name: "draft",
                label: "Pull request",
                options: [
                  ["no", "Ready for review"],
                  ["yes", "Draft"],
                ],
              },
            ]}
            errors={errors}
            submit="Start"
          />
        </ui.Section>
      ),
      list.jobs.length > 0 ? (
        jobTable(list.jobs, domains)
      ) : (
        <ui.EmptyState icon="agent" title="No jobs yet">
          Jobs appear here as soon as someone starts one, here or through the API.
        </ui.EmptyState>
      ),
      <ui.Pager path="/console/agent" query={query} next={list.next} />,
    ],
  };
}

const jobTable = (jobs: readonly AgentJob[], domains: ReadonlyMap<string, string>): JsxNode => (
  <ui.Table
    label="Agent jobs"
    rows={jobs}
    columns={[
      {
        title: "Site",
        kind: "wide",
        of: (job) => (
          <ui.RowText href={`/console/agent/${job.agentJobId}`} below={shortPrompt(job)}>
            {domains.get(job.projectId) ?? job.repository}
          </ui.RowText>
        ),
      },
      { title: "State", of: (job) => <AgentBadge job={job} /> },
      {
        title: "Pull request",
        of: ({ pullRequest, ref }) =>
          pullRequest !== undefined ? (
            <a href={pullRequest}>{pullRequest.replace(/^https?:\/\/[^/]+\//, "")}</a>
          ) : (
            <span class="faint">{ref ?? "none"}</span>
          ),
      },
      { title: "Asked by", of: ({ requestedBy }) => requestedBy ?? <span class="faint">unknown</span> },
      { title: "Requested", kind: "number", of: (job) => <ui.Time at={job.createdAt} /> },
    ]}
  />
);

const shownPrompt = 120;

/** The prompt of the last run in one line, unless the job carries out none. */
function shortPrompt({ prompt, mode }: AgentJob): string | undefined {
  if (mode === "repair") return "Repair, without a prompt";
  const line = prompt?.replaceAll(/\s+/g, " ").trim();
  return line && line.length > shownPrompt ? `${line.slice(0, shownPrompt)}…` : line || undefined;
}

const badges = {
  active: ["run", "Active"],
  completed: ["good", "Completed"],
  failed: ["bad", "Failed"],
  archived: ["wait", "Archived"],
} as const;

export function AgentBadge({ job }: { readonly job: AgentJob }): JsxNode {
  const [kind, text] = badges[job.status];
  return <ui.Badge kind={kind}>{text}</ui.Badge>;
}
