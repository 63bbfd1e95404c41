import { setTimeout as sleep } from "node:timers/promises";
import { type AgentJob, type AgentStore, isCursor } from "../jobs/index.js";

const pollMs = 1000;
const pageSize = 100;

/**
 * What happens to a job, as server-sent events, until it is not active any more or `signal` aborts.
 *
 * @param viewOf what is shown of the job whenever it changes.
 */
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
