import { setTimeout as sleep } from "node:timers/promises";
import { rememberedFor } from "../../../lib/memo.js";
import { isFinished, type Job, type JobStore } from "../../jobs/index.js";
import { createPageStreams, eventStream } from "../event-stream.js";
import { followFirstCalls } from "../first-calls.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const maxJobs = 50;
/** A browser gets at most two events a second. */
const gapMs = 500;
const waitMs = 30_000;
const pauseAfterErrorMs = 2_000;

const watchOf = rememberedFor(createJobWatch);
const streams = createPageStreams();

/** The state of jobs as server-sent events; `once`: as JSON; `calls`: news about the first calls of the API. */
export async function jobEvents(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { store, query, organizationId } = context;
  if (query.has("calls")) return followFirstCalls(context);
  const ids = (query.get("jobs") ?? "").split(",").slice(0, maxJobs);
  const requestedJobs = await Promise.all(ids.map((jobId) => store.jobs.get(jobId)));
  const jobs = requestedJobs.filter((job) => job?.organizationId === organizationId) as Job[];
  if (query.has("once"))
    return { response: Response.json(jobs.map(jobState), { headers: { "Cache-Control": "no-store" } }) };
  return eventStream(context, streams, (signal) => jobChanges(jobs, watchOf(store.jobs), signal));
}

async function* jobChanges(jobs: readonly Job[], watch: JobWatch, signal: AbortSignal): AsyncGenerator<string> {
  const open = new Set(jobs.filter((job) => !isFinished(job)).map(({ jobId }) => jobId));
  const changed = new Map(jobs.map((job) => [job.jobId, job]));
  let change = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => change.resolve(), { once: true });
  for (const job of jobs)
    watch(
      job,
      (current) => {
        changed.set(current.jobId, current);
        change.resolve();
      },
      signal,
    );
  yield "retry: 3000\n\n";
  while (!signal.aborted) {
    const states = [...changed.values()];
    changed.clear();
    for (const job of states) if (isFinished(job)) open.delete(job.jobId);
    if (states.length > 0) yield `data: ${JSON.stringify(states.map(jobState))}\n\n`;
    if (open.size === 0) {
      yield "event: end\ndata: \n\n";
      return;
    }
    await sleep(gapMs, undefined, { signal }).catch(() => {});
    if (changed.size === 0) await change.promise;
    if (!signal.aborted) change = Promise.withResolvers<void>();
  }
}

const jobState = ({ jobId, status, progress, pageCount, updatedAt }: Job) => ({
  id: jobId,
  status,
  progress: Math.floor(progress),
  pageCount,
  updatedAt: updatedAt.toISOString(),
});

type Listener = (job: Job) => void;

/** Calls `listener` with each change of the job, until it has ended or `signal` aborts. */
type JobWatch = (job: Job, listener: Listener, signal: AbortSignal) => void;

/** Watches jobs for any number of streams: a process asks for the changes of each job once. */
function createJobWatch(jobs: Pick<JobStore, "waitForChange">): JobWatch {
  const watched = new Map<string, { readonly listeners: Set<Listener>; readonly stop: AbortController; last: Job }>();

  async function follow(jobId: string): Promise<void> {
    for (let entry = watched.get(jobId); entry; entry = watched.get(jobId)) {
      const { stop, listeners } = entry;
      try {
        const job = await jobs.waitForChange(entry.last, waitMs, stop.signal);
        if (stop.signal.aborted || !job) break;
        if (!isSame(job, entry.last)) for (const listener of listeners) listener(job);
        entry.last = job;
        if (isFinished(job)) break;
      } catch {
        // The database may be back soon.
        await sleep(pauseAfterErrorMs, undefined, { ref: false, signal: stop.signal }).catch(() => {});
      }
    }
    watched.delete(jobId);
  }

  return (job, listener, signal) => {
    if (isFinished(job) || signal.aborted) return;
    const earlier = watched.get(job.jobId);
    const entry = earlier ?? { listeners: new Set<Listener>(), stop: new AbortController(), last: job };
    entry.listeners.add(listener);
    if (!earlier) {
      watched.set(job.jobId, entry);
      void follow(job.jobId);
    }
    signal.addEventListener(
      "abort",
      () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size > 0) return;
        entry.stop.abort();
        if (watched.get(job.jobId) === entry) watched.delete(job.jobId);
      },
      { once: true },
    );
  };
}

const isSame = (a: Job, b: Job): boolean =>
  a.status === b.status &&
  a.progress === b.progress &&
  a.pageCount === b.pageCount &&
  a.updatedAt.getTime() === b.updatedAt.getTime();
