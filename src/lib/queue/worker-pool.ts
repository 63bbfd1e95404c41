import { Worker } from "node:worker_threads";
import PQueue from "p-queue";
import type { FromWorker, ToWorker } from "./messages.js";

export interface WorkerPoolOptions {
  /** Module that calls `serveTasks`. */
  readonly script: URL;
  /** Cloned to every thread when it starts. */
  readonly workerData: unknown;
  /**
   * Threads to begin with, and so tasks that run at once; from 1. Each is sent one task more, which waits for the one it
   * runs.
   */
  readonly size: number;
  /** Longest one task may run, in milliseconds, not counting the time it waits for an answer to a call. */
  readonly deadlineMs: number;
  /** Answers what a task asks of the main thread. */
  readonly onCall?: (name: string, argument: unknown) => Promise<unknown>;
}

/** `lost`: the thread was ended because of this task; another thread has taken its place. */
export type TaskOutcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly lost: "deadline" | "crash"; readonly reason: string };

export interface WorkerPool<Task, Result> {
  /**
   * Runs one task, when a thread is free, in the order of the calls.
   *
   * Fails: a task that throws rejects with an Error of the same message (that is our bug); one that takes its thread
   * down comes back as `lost`.
   * Stops: `close` rejects every task that has not ended.
   */
  run(task: Task): Promise<TaskOutcome<Result>>;
  /** Resolves when the queue has room: at once while few tasks wait for a thread, else when most of them have begun. */
  onRoom(): Promise<void>;
  /** Lets the pool have `size` threads from now on, if that is more. */
  grow(size: number): void;
  /** Ends all threads at once. */
  close(reason?: unknown): Promise<void>;
}

/** Waiting task by task would cost more than the queue itself. */
const longQueue = 64;
/** One that runs and one that follows: no thread falls asleep between two tasks, which costs more than a short task. */
const jobsOfThread = 2;

interface Slot {
  readonly worker: Worker;
  /** In the order they were sent; the first one runs. None once the thread is given up: an answer may still come for it. */
  readonly jobs: Job[];
}
interface Job {
  readonly task: unknown;
  readonly settle: (outcome: TaskOutcome<unknown>) => void;
  readonly fail: (reason: unknown) => void;
  leftMs: number;
  startedAt: number;
  timer?: NodeJS.Timeout | undefined;
  callsOpen: number;
}

/** Starts the threads lazily: a thread comes up with the first task it gets. */
export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  let { size } = options;
  const queue = new PQueue({ concurrency: size * jobsOfThread });
  const all = new Set<Slot>();
  let closed: { readonly reason: unknown } | undefined;

  const startThread = (): Slot => {
    const slot: Slot = { worker: spawn(options), jobs: [] };
    all.add(slot);
    slot.worker.on("message", (message: FromWorker) => onMessage(slot, message));
    slot.worker.on("error", (error) => onEnd(slot, error));
    slot.worker.on("exit", () => onEnd(slot, new Error("The thread ended by itself.")));
    return slot;
  };

  const retire = (slot: Slot): void => {
    all.delete(slot);
    slot.worker.removeAllListeners();
    slot.worker.on("error", () => {});
    void slot.worker.terminate();
  };

  const begin = (slot: Slot): void => {
    const job = slot.jobs[0];
    if (job) armDeadline(slot, job);
  };

  /** To a thread that has nothing to do, else to a new one, else behind the task of another. */
  const send = (job: Job): void => {
    let slot: Slot | undefined;
    for (const each of all) if (slot === undefined || each.jobs.length < slot.jobs.length) slot = each;
    if (slot === undefined || (slot.jobs.length > 0 && all.size < size)) slot = startThread();
    slot.jobs.push(job);
    slot.worker.postMessage({ type: "task", task: job.task } satisfies ToWorker);
    if (slot.jobs.length === 1) begin(slot);
  };

  const lose = (slot: Slot, lost: "deadline" | "crash", reason: string): void => {
    const [job, ...untouched] = slot.jobs.splice(0);
    clearTimeout(job?.timer);
    retire(slot);
    job?.settle({ ok: false, lost, reason });
    for (const each of untouched) send(each);
  };

  const onEnd = (slot: Slot, error: Error): void => {
    if (all.has(slot)) lose(slot, "crash", error.message);
  };

  const armDeadline = (slot: Slot, job: Job): void => {
    job.startedAt = performance.now();
    job.timer = setTimeout(() => lose(slot, "deadline", `It ran longer than ${options.deadlineMs} ms.`), job.leftMs);
  };

  const onMessage = (slot: Slot, message: FromWorker): void => {
    const job = slot.jobs[0];
    if (!job) return;
    if (message.type === "call") {
      pauseDeadline(job);
      void answer(options, message).then((reply) => {
        if (slot.jobs[0] !== job) return;
        slot.worker.postMessage(reply);
        if (--job.callsOpen === 0) armDeadline(slot, job);
      });
      return;
    }
    clearTimeout(job.timer);
    slot.jobs.shift();
    begin(slot);
    if (message.type === "done") job.settle({ ok: true, result: message.result });
    else job.fail(new Error(message.message, { cause: message.stack }));
  };

  return {
    run: (task) =>
      queue.add(
        () =>
          new Promise<TaskOutcome<Result>>((resolve, reject) => {
            if (closed) return reject(closed.reason);
            send({
              task,
              settle: resolve as Job["settle"],
              fail: reject,
              leftMs: options.deadlineMs,
              startedAt: 0,
              callsOpen: 0,
            });
          }),
      ),
    onRoom: async () => {
      if (queue.size >= longQueue) await queue.onSizeLessThan(longQueue / 4);
    },
    grow: (wanted) => {
      if (wanted <= size) return;
      size = wanted;
      queue.concurrency = size * jobsOfThread;
    },
    close: async (reason = new Error("The worker pool is closed.")) => {
      closed = { reason };
      const ended = [...all].map((slot) => {
        for (const job of slot.jobs.splice(0)) {
          clearTimeout(job.timer);
          job.fail(reason);
        }
        slot.worker.removeAllListeners();
        slot.worker.on("error", () => {});
        return slot.worker.terminate();
      });
      all.clear();
      await Promise.all(ended);
    },
  };
}

const threadLimits = {
  /** Native parsers descend with the nesting of a page. */
  stackSizeMb: 64,
  /**
   * With V8's own limits, which follow the machine's memory, a thread lets several hundred MiB of garbage stand. A page
   * cannot reach these: content limits its nodes. A thread that did would end the process, so they are not tight.
   */
  maxYoungGenerationSizeMb: 48,
  maxOldGenerationSizeMb: 1024,
};

function spawn(options: WorkerPoolOptions): Worker {
  return new Worker(options.script, {
    workerData: options.workerData,
    // A page must not read the secrets of whoever started the export.
    env: {},
    resourceLimits: threadLimits,
  });
}

function pauseDeadline(job: Job): void {
  if (job.callsOpen++ > 0) return;
  clearTimeout(job.timer);
  job.leftMs -= performance.now() - job.startedAt;
}

async function answer(options: WorkerPoolOptions, call: Extract<FromWorker, { type: "call" }>): Promise<ToWorker> {
  try {
    if (!options.onCall) throw new Error(`Nothing answers the call "${call.name}".`);
    return { type: "answer", id: call.id, result: await options.onCall(call.name, call.argument) };
  } catch (error) {
    return { type: "answer", id: call.id, message: error instanceof Error ? error.message : String(error) };
  }
}
