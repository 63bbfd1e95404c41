import { agentEvents } from "../../agent/index.js";
import { streamText } from "../../assistant/index.js";
import { endOfSession } from "../end-of-session.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { ownAgentJob } from "./agent-job.js";

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
