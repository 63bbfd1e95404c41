import { setTimeout as sleep } from "node:timers/promises";
import { isFinished, type Job, type JobStore } from "../../jobs/index.js";
import { endOfSession } from "../end-of-session.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const maxStreams = 100;
const maxJobs = 50;

/** At most two events a second go to one browser. */
const gapMs = 500;
const commentMs = 15_000;
const longestMs = 15 * 60_000;

const watches = new WeakMap<JobStore, JobWatch>();
let streams = 0;

/**
 * The state of jobs as server-sent events, until they or the session have ended, or for 15 minutes. With `once`, one answer in JSON, for
 * a browser that gets no stream.
 */
export async function jobEvents(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, query, request, closing } = context;
  const ids = (query.get("jobs") ?? "").split(",").slice(0, maxJobs);
  const found = await Promise.all(ids.map((jobId) => deps.store.jobs.get(jobId)));
  const jobs = found.filter((job) => job?.organizationId === context.organization.organizationId) as Job[];
  if (query.has("once"))
    return { response: Response.json(jobs.map(viewOf), { headers: { "Cache-Control": "no-store" } }) };
  if (streams >= maxStreams)
    return { response: new Response("Too many streams.", { status: 503, headers: { "Retry-After": "5" } }) };
  const watch = watches.get(deps.store.jobs) ?? createJobWatch(deps.store.jobs);
  watches.set(deps.store.jobs, watch);
  const signals = [request.signal, closing, AbortSignal.timeout(longestMs)].filter((each) => each !== undefined);
  if (signals.some(({ aborted }) => aborted)) return { response: new Response(null, { status: 503 }) };
  const left = new AbortController();
  const end = AbortSignal.any([...signals, left.signal]);
  return { response: streamOf(jobs, watch, left, AbortSignal.any([end, endOfSession(context, end)])) };
}

function streamOf(jobs: readonly Job[], watch: JobWatch, left: AbortController, signal: AbortSignal): Response {
  const open = new Set(jobs.filter((job) => !isFinished(job)).map(({ jobId }) => jobId));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      streams += 1;
      const send = (text: string): void => {
        if (!signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const pending = new Map<string, Job>();
      let timer: NodeJS.Timeout | undefined;
      const flush = (): void => {
        timer = undefined;
        if (pending.size === 0) return;
        for (const job of pending.values()) if (isFinished(job)) open.delete(job.jobId);
        send(`data: ${JSON.stringify([...pending.values()].map(viewOf))}\n\n`);
        pending.clear();
        if (open.size === 0) end();
        else timer = setTimeout(flush, gapMs);
      };
      const comment = setInterval(() => send(": open\n\n"), commentMs);
      const end = (): void => {
        send("event: end\ndata: \n\n");
        left.abort();
      };
      signal.addEventListener(
        "abort",
        () => {
          streams -= 1;
          clearInterval(comment);
          clearTimeout(timer);
          try {
            controller.close();
          } catch {
            // The browser has gone.
          }
        },
        { once: true },
      );
      send("retry: 3000\n\n");
      for (const job of jobs) {
        pending.set(job.jobId, job);
        watch.watch(
          job,
          (changed) => {
            pending.set(changed.jobId, changed);
            timer ??= setTimeout(flush, 0);
          },
          signal,
        );
      }
      flush();
      if (jobs.length === 0) end();
    },
    cancel: () => left.abort(),
  });
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" },
  });
}

const viewOf = ({ jobId, status, progress, pageCount, updatedAt }: Job) => ({
  id: jobId,
  status,
  progress: Math.floor(progress),
  pageCount,
  updatedAt: updatedAt.toISOString(),
});

type Listener = (job: Job) => void;

/** Watches jobs for any number of streams: each job is watched once in a process. */
interface JobWatch {
  /** Calls `listener` with each change until the job has ended or `signal` aborts. */
  watch(job: Job, listener: Listener, signal: AbortSignal): void;
}

const waitMs = 30_000;
const pauseAfterErrorMs = 2_000;

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
        // The database is away: it may be back soon.
        await sleep(pauseAfterErrorMs, undefined, { ref: false, signal: stop.signal }).catch(() => {});
      }
    }
    watched.delete(jobId);
  }

  return {
    watch(job, listener, signal) {
      if (isFinished(job) || signal.aborted) return;
      const known = watched.get(job.jobId);
      const entry = known ?? { listeners: new Set<Listener>(), stop: new AbortController(), last: job };
      entry.listeners.add(listener);
      if (!known) {
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
    },
  };
}

const isSame = (a: Job, b: Job): boolean =>
  a.status === b.status &&
  a.progress === b.progress &&
  a.pageCount === b.pageCount &&
  a.updatedAt.getTime() === b.updatedAt.getTime();
