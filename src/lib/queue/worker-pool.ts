import { getCompileCacheDir } from "node:module";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import PQueue from "p-queue";
import { createDeadline, type Deadline, type ProcessorClock, processorMs } from "../deadline.js";
import { systemErrorCode } from "../system-error.js";
import type { FromWorker, Sleep, ToWorker } from "./serve-tasks.js";

export interface WorkerPoolOptions {
  /** Module that calls `serveTasks`. */
  readonly script: URL;
  /** Cloned to every thread when it starts. */
  readonly workerData: unknown;
  /** Number of threads, each of which runs one task at a time; at least 1. See `grow`. */
  readonly size: number;
  /**
   * Processor time of the thread for one task, in milliseconds, so that a busy machine loses no task. It begins when the
   * thread is ready, and does not count the time in which the task waits for answers to its calls.
   */
  readonly deadlineMs: number;
  /** Answers a task's calls to the main thread. */
  readonly onCall?: (name: string, argument: unknown) => Promise<unknown>;
}

/** `lost`: the task ended its thread or missed its deadline; a new thread takes its place. */
export type TaskOutcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly lost: "deadline" | "crash" | "memory"; readonly reason: string };

export interface WorkerPool<Task, Result> {
  /**
   * Runs one task when a thread is free, in the order of the calls.
   *
   * Fails: a task that throws rejects with an Error of the same message (that is our bug); one that ends its thread
   * comes back as `lost`.
   * Stops: `close` rejects every unfinished task.
   */
  run(task: Task): Promise<TaskOutcome<Result>>;
  /** Resolves when the queue has room: at once while few tasks wait for a thread, else when most of them have started. */
  onRoom(): Promise<void>;
  /** Raises the number of threads to `size`; a lower number changes nothing. */
  grow(size: number): void;
  /** Terminates all threads at once; unfinished tasks reject with `reason`. */
  close(reason?: unknown): Promise<void>;
}

/** Tasks that may wait. Refilling a shorter queue after every task would cost more than a long queue. */
const longQueue = 64;
/** One task that runs and one that waits in the thread: waking a thread between tasks costs more than a short task. */
const jobsOfThread = 2;

/** Together with the pauses, ten seconds. */
const maxFailedStarts = 40;
const failedStartPauseMs = 250;
/** Processor time for the start of a thread, which takes about a second, in milliseconds. */
const startMs = 30_000;

interface Slot {
  readonly worker: Worker;
  /** Of the start of the thread, then of its first job. */
  deadline: Deadline;
  isReady: boolean;
  clock: ProcessorClock;
  /** In the order they were sent; the first one runs. Empty once the thread is terminated; late answers are ignored then. */
  readonly jobs: Job[];
}
interface Job {
  readonly task: unknown;
  readonly settle: (outcome: TaskOutcome<unknown>) => void;
  readonly fail: (reason: unknown) => void;
  callsOpen: number;
}

/** A thread starts with its first task. */
export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  let { size } = options;
  const queue = new PQueue({ concurrency: size * jobsOfThread });
  const all = new Set<Slot>();
  let closed: { readonly reason: unknown } | undefined;

  const startThread = (): Slot => {
    const clock = processClock(() => [...all].filter(({ jobs }) => jobs.length > 0).length);
    const deadline = createDeadline(startMs, clock, () =>
      lose(slot, "deadline", `Its thread did not start within ${startMs} ms of processor time.`),
    );
    const slot: Slot = { worker: spawn(options), jobs: [], deadline, isReady: false, clock };
    all.add(slot);
    deadline.run();
    slot.worker.on("message", (message: FromWorker) => onMessage(slot, message));
    slot.worker.on("error", (error) => onEnd(slot, error));
    slot.worker.on("exit", () => onEnd(slot, new Error("The thread exited unexpectedly.")));
    return slot;
  };

  const retire = (slot: Slot): Promise<number> => {
    all.delete(slot);
    slot.deadline.pause();
    slot.worker.removeAllListeners();
    slot.worker.on("error", () => {});
    return slot.worker.terminate();
  };

  const startFirst = (slot: Slot): void => {
    if (slot.jobs.length === 0 || !slot.isReady) return;
    slot.deadline = createDeadline(options.deadlineMs, slot.clock, () =>
      lose(slot, "deadline", `It took more than ${options.deadlineMs} ms of processor time.`),
    );
    slot.deadline.run();
  };

  /** Sends a task to an idle thread, else to a new thread, else to one that runs a task. */
  const send = (job: Job): void => {
    let slot: Slot | undefined;
    for (const other of all) if (slot === undefined || other.jobs.length < slot.jobs.length) slot = other;
    if (slot === undefined || (slot.jobs.length > 0 && all.size < size)) slot = startThread();
    slot.jobs.push(job);
    slot.worker.postMessage({ type: "task", task: job.task } satisfies ToWorker);
    if (slot.jobs.length === 1) startFirst(slot);
  };

  const lose = (slot: Slot, lost: "deadline" | "crash" | "memory", reason: string): void => {
    const [running, ...waiting] = slot.jobs.splice(0);
    void retire(slot);
    running?.settle({ ok: false, lost, reason });
    for (const job of waiting) send(job);
  };

  let failedStarts = 0;
  /** Sends the tasks of a thread again later, if the system lacks what a thread needs, such as file descriptors. */
  const startLater = (slot: Slot, code: string): void => {
    const jobs = slot.jobs.splice(0);
    void retire(slot);
    const failure = Object.assign(new Error(`${code}: a thread cannot be started`), { code });
    const isLast = ++failedStarts > maxFailedStarts;
    setTimeout(
      () => {
        for (const job of jobs)
          if (isLast || closed) job.fail(closed ? closed.reason : failure);
          else send(job);
      },
      isLast ? 0 : failedStartPauseMs,
    );
  };

  const onEnd = (slot: Slot, error: Error): void => {
    const startFailure = /^Worker initialization failure: (E[A-Z]+)$/.exec(error.message)?.[1];
    const systemCode = slot.isReady ? undefined : (startFailure ?? systemErrorCode(error));
    const isMemory = (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
    if (!all.has(slot)) return;
    if (systemCode !== undefined) startLater(slot, systemCode);
    else lose(slot, isMemory ? "memory" : "crash", error.message);
  };

  const onMessage = (slot: Slot, message: FromWorker): void => {
    if (message.type === "ready") {
      slot.deadline.pause();
      slot.isReady = true;
      const { taskFolder } = message;
      if (taskFolder && processorMs(taskFolder) !== undefined) slot.clock = () => processorMs(taskFolder);
      startFirst(slot);
      return;
    }
    const job = slot.jobs[0];
    if (!job) return;
    if (message.type === "spent") {
      slot.deadline.add(message.ms);
      return;
    }
    if (message.type === "call") {
      if (job.callsOpen++ === 0) slot.deadline.pause();
      void answer(options, message).then((reply) => {
        if (slot.jobs[0] !== job) return;
        if (message.sleep === undefined) slot.worker.postMessage(reply);
        else wake(message.sleep, reply);
        if (--job.callsOpen === 0) slot.deadline.run();
      });
      return;
    }
    slot.deadline.pause();
    slot.jobs.shift();
    startFirst(slot);
    if (message.type === "done") job.settle({ ok: true, result: message.result });
    else job.fail(new Error(message.message, { cause: message.stack }));
  };

  return {
    run: (task) =>
      queue.add(
        () =>
          new Promise<TaskOutcome<Result>>((resolve, reject) => {
            if (closed) return reject(closed.reason);
            send({ task, settle: resolve as Job["settle"], fail: reject, callsOpen: 0 });
          }),
      ),
    onRoom: async () => {
      if (queue.size >= longQueue) await queue.onSizeLessThan(longQueue / 4);
    },
    grow: (newSize) => {
      if (newSize <= size) return;
      size = newSize;
      queue.concurrency = size * jobsOfThread;
    },
    close: async (reason = new Error("The worker pool is closed.")) => {
      closed = { reason };
      const ended = [...all].map((slot) => {
        for (const job of slot.jobs.splice(0)) job.fail(reason);
        return retire(slot);
      });
      await Promise.all(ended);
    },
  };
}

const threadLimits = {
  /** Native parsers recurse with the nesting of a page. */
  stackSizeMb: 64,
  /**
   * V8's own limits follow the machine's memory, and let a thread keep several hundred MiB of garbage. A page cannot reach
   * these limits, since its number of nodes is limited. Reaching them would end the process, so they are not tight.
   */
  maxYoungGenerationSizeMb: 48,
  maxOldGenerationSizeMb: 1024,
};

const spawn = (options: WorkerPoolOptions): Worker =>
  new Worker(options.script, {
    workerData: options.workerData,
    env: threadEnvironment(),
    resourceLimits: threadLimits,
  });

/** An environment without the user's secrets, which pages must not read. It shares the cache of compiled code. */
function threadEnvironment(): NodeJS.ProcessEnv {
  // Node adds a folder for its version to the given folder.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/**
 * Divides the processor time of the process by the number of busy threads, if the system does not report it by thread.
 *
 * `worker.cpuUsage()` does not help: it exists since Node.js 24.6, and a thread in native code does not answer it.
 */
function processClock(countBusyThreads: () => number): ProcessorClock {
  let before = process.cpuUsage();
  let ms = 0;
  return () => {
    const now = process.cpuUsage();
    ms += (now.user - before.user + now.system - before.system) / 1000 / Math.max(1, countBusyThreads());
    before = now;
    return ms;
  };
}

function wake({ port, isAnswered }: Sleep, reply: ToWorker): void {
  port.postMessage(reply);
  Atomics.store(isAnswered, 0, 1);
  Atomics.notify(isAnswered, 0);
}

async function answer(options: WorkerPoolOptions, call: Extract<FromWorker, { type: "call" }>): Promise<ToWorker> {
  try {
    if (!options.onCall) throw new Error(`The pool has no onCall to answer "${call.name}".`);
    return { type: "answer", id: call.id, result: await options.onCall(call.name, call.argument) };
  } catch (error) {
    return { type: "answer", id: call.id, message: error instanceof Error ? error.message : String(error) };
  }
}

/** What a run saves: `time`, or `work` on shared machines, which starts a thread only if that costs little. */
export type ThreadGoal = "time" | "work";

/**
 * Milliseconds of processor time that must be left for each thread. Every thread loads and compiles the engine again, which
 * takes more than a second: with less work it costs far more than it saves.
 */
const workOfThreadMs: Readonly<Record<ThreadGoal, number>> = { time: 7000, work: 30_000 };
/** The first tasks are ignored, since they take many times as long as later ones, while their code is compiled. */
const warmUpTasks = 64;
/** Milliseconds of work after which the first tasks count, too, since compiling alone does not take that long. */
const warmUpMs = 2000;
const recentTasks = 32;

/**
 * Decides from the processor time of finished tasks how many threads pay off for the remaining tasks.
 *
 * @param idleCores returns the number of idle cores; called when there is work for another thread
 */
export function createThreadCount(max: number, goal: ThreadGoal, idleCores: () => number) {
  const recent: number[] = [];
  let tasks = 0;
  let spentMs = 0;
  let count = 1;
  return {
    /** Returns the number of threads for the `left` tasks, which never falls. @param ms processor time of one more task */
    after(ms: number, left: number): number {
      tasks++;
      spentMs += ms;
      recent.push(ms);
      if (recent.length > recentTasks) recent.shift();
      if (tasks < warmUpTasks && spentMs < warmUpMs) return count;
      // Later on, decide only once every `recentTasks`, since little changes.
      if (tasks > warmUpTasks && tasks % recentTasks > 0) return count;
      const leftMs = (recent.reduce((sum, taskMs) => sum + taskMs, 0) / recent.length) * left;
      const worth = Math.min(max, 1 + Math.floor(leftMs / workOfThreadMs[goal]));
      if (worth > count) count = Math.min(worth, count + Math.round(idleCores()));
      return count;
    },
  };
}

/** Returns a function that measures how many cores have been idle since its last call, such as 0.8. */
export function watchIdleCores(): () => number {
  let before = coreTimes();
  return () => {
    const now = coreTimes();
    const all = now.all - before.all;
    const idle = now.idle - before.idle;
    before = now;
    // If the system does not report it, all cores count as idle.
    return all <= 0 ? Number.MAX_SAFE_INTEGER : (now.count * idle) / all;
  };
}

function coreTimes() {
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((sum, core) => sum + core.idle, 0);
  const all = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle);
  return { count: times.length, idle, all };
}
