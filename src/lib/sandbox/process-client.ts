import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import PQueue from "p-queue";
import { attempt } from "../attempt.js";
import { createDeadline, processorMs } from "../deadline.js";
import { isOutOfFiles, waitForFilesAsync } from "../wait-for-files.js";
import { requireStarted } from "./fork-sandboxed.js";
import { sendMessage } from "./messages.js";

/** The reason why a process gave no answer: it was killed at its time limit, it ended by itself, or it never started. */
export interface Lost {
  readonly lost: "slow" | "ended" | "unstarted";
}

/** The message that a process sends once it has loaded its packages. */
export const ready = "ready";

export interface ProcessClientOptions<Reply> {
  readonly start: () => ChildProcess;
  /** Checks the shape of a reply, which is not trusted. */
  readonly isReply: (reply: Readonly<Record<string, unknown>>) => boolean;
  /** Processor time for one request, in milliseconds, so that a busy machine fails no more requests than an idle one. */
  readonly deadlineMs: number;
  /** Requests after which the process is replaced. */
  readonly requestsPerProcess: number;
  /** Whether the process asks to be replaced. */
  readonly isSpent?: (reply: Reply) => boolean;
  /** Message of the error with which waiting requests are rejected. */
  readonly closedMessage: string;
}

/** The first request also waits for the packages to load. */
const startMs = 30_000;

/** Sends requests to a process, one at a time. It starts on demand; one that is late or replies wrongly is killed. */
export function createProcessClient<Request extends object, Reply>(options: ProcessClientOptions<Reply>) {
  const { deadlineMs, requestsPerProcess, isSpent } = options;
  const queue = new PQueue({ concurrency: 1 });
  const stop = new AbortController();
  let child: ChildProcess | undefined;
  let hasStarted = false;
  let asked = 0;
  let nextId = 1;

  const end = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };

  const begin = (): ChildProcess => {
    end();
    asked = 0;
    const fresh = options.start();
    const forget = (): void => {
      if (child === fresh) child = undefined;
    };
    fresh.on("error", forget).on("exit", forget);
    fresh.once("message", (message) => {
      if (message === ready) hasStarted = true;
    });
    child = fresh;
    return fresh;
  };

  const ask = async (request: () => Request): Promise<Reply | Lost> => {
    let started: ChildProcess;
    try {
      started = await waitForFilesAsync(async () => {
        const current = child === undefined || asked >= requestsPerProcess ? begin() : child;
        await requireStarted(current);
        return current;
      });
    } catch (error) {
      if (isOutOfFiles(error)) throw error;
      // Node's permission model does not allow child processes.
      return { lost: "unstarted" };
    }
    if (stop.signal.aborted) end();
    stop.signal.throwIfAborted();
    return askProcess(started, request);
  };

  const askProcess = (started: ChildProcess, request: () => Request): Promise<Reply | Lost> =>
    new Promise((resolve, reject) => {
      const isFresh = asked++ === 0;
      const id = nextId++;
      const leave = (): void => {
        deadline.pause();
        stop.signal.removeEventListener("abort", onStop);
        started.off("message", onMessage).off("exit", onEnd).off("error", onEnd);
      };
      const isReply = (reply: unknown): reply is Reply =>
        typeof reply === "object" &&
        reply !== null &&
        (reply as { id?: unknown }).id === id &&
        options.isReply(reply as Record<string, unknown>);
      const onMessage = (reply: unknown): void => {
        if (reply === ready) return;
        if (isReply(reply)) {
          leave();
          if (isSpent?.(reply) && child === started) end();
          resolve(reply);
        } else lose("ended");
      };
      const lose = (lost: Lost["lost"]): void => {
        leave();
        if (child === started) end();
        resolve({ lost });
      };
      const onEnd = (): void => lose(hasStarted ? "ended" : "unstarted");
      const onStop = (): void => {
        leave();
        end();
        reject(stop.signal.reason);
      };
      const allowedMs = deadlineMs + (isFresh ? startMs : 0);
      const deadline = createDeadline(
        allowedMs,
        () => familyMs(started.pid),
        () => lose("slow"),
      );
      deadline.run();
      stop.signal.addEventListener("abort", onStop);
      started.on("message", onMessage).on("exit", onEnd).on("error", onEnd);
      sendMessage(started, { ...request(), id });
    });

  return {
    /** Starts the process before the first request. */
    prepare(): void {
      if (child !== undefined || stop.signal.aborted) return;
      // The first request reports a failure.
      attempt(begin);
    },
    /** @param request called right before it is sent. @throws {Error} if too many files are open (EMFILE). */
    ask: (request: () => Request) => queue.add(() => ask(request), { signal: stop.signal }) as Promise<Reply | Lost>,
    /** Ends the process; waiting requests are rejected. */
    async close(): Promise<void> {
      stop.abort(new Error(options.closedMessage));
      queue.clear();
      end();
    },
  };
}

/** Processor time of a process and its children, in milliseconds; undefined if the system does not report it. */
function familyMs(pid: number | string | undefined): number | undefined {
  const ms = processorMs(`/proc/${pid}`);
  return ms === undefined ? undefined : childrenOf(pid).reduce((sum, child) => sum + (familyMs(child) ?? 0), ms);
}

/** The child processes; none if the kernel does not list them. */
const childrenOf = (pid: number | string | undefined): string[] =>
  attempt(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean)) ?? [];
