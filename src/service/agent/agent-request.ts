import { setTimeout as sleep } from "node:timers/promises";
import type { Credentials } from "../git/credentials/index.js";
import { repositoryOf } from "../git/forge/index.js";
import { type AgentJob, type AgentMode, type AgentStore, isCursor, type Project } from "../jobs/index.js";

/** What agent jobs may be asked for. */
export interface AgentSetup {
  /** `vendor/id` of the language model; undefined without one. */
  readonly model?: string;
}

export const agentLimits = { promptLength: 20_000, jobsPerHour: 100 } as const;

/** Names the uses that `agentLimits.jobsPerHour` counts. */
export const agentUse = (projectId: string): string => `agent:${projectId}`;
export const repairModel = "offprint/repair";

export interface AgentTarget {
  /** Web address without credentials. */
  readonly repository: string;
  readonly mode: AgentMode;
  readonly model: string;
}

/** What a new job of a site is about. @returns `fault` if there can be none: a sentence with the command that helps. */
export async function agentTarget(
  { organizationId, domain, source }: Pick<Project, "organizationId" | "domain" | "source">,
  credentials: Pick<Credentials, "agentFault">,
  { model }: AgentSetup,
  mode: AgentMode = "model",
): Promise<AgentTarget | { readonly fault: string }> {
  if (source.kind === "folder")
    return {
      fault: `The site ${domain} comes from a folder, but agent jobs need a git repository. Change its source: offprint site remove ${domain}, then offprint site add ${domain} --git <url>.`,
    };
  const fault = await credentials.agentFault(organizationId, source.url);
  if (fault !== undefined) return { fault };
  if (mode === "model" && model === undefined)
    return {
      fault:
        'The service has no language model, so it cannot carry out a prompt. Start it with a model: OFFPRINT_MODEL=qwen3:32b offprint service. Or send "mode": "repair": such a job repairs faults in the site without a prompt.',
    };
  return { repository: repositoryOf(source.url).webUrl, mode, model: mode === "model" ? model! : repairModel };
}

const pollMs = 1000;
const pageSize = 100;

/** Server-sent events of a job, until it ends or `signal` aborts. @param viewOf what a change shows. */
export async function* agentEvents(
  agents: AgentStore,
  agentJobId: string,
  lastEventId: string | undefined,
  viewOf: (job: AgentJob) => object,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let cursor = lastEventId !== undefined && isCursor(lastEventId) ? lastEventId : undefined;
  let shown = "";
  for (;;) {
    // Read before its events, so that the last ones are sent.
    const job = await agents.get(agentJobId);
    if (!job) return;
    for (let more = true; more; ) {
      const { events, next } = await agents.events(agentJobId, {
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
      });
      for (const event of events) {
        const { time, level, message, runId } = event;
        cursor = event.cursor;
        yield eventText("log", { time: time.toISOString(), level, message, runId }, cursor);
      }
      more = next !== undefined;
    }
    const view = viewOf(job);
    const text = JSON.stringify(view);
    if (text !== shown) yield eventText("job", view);
    shown = text;
    if (job.status !== "active") return;
    await sleep(pollMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}

const eventText = (event: string, data: object, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
