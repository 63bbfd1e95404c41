import { readlinkSync } from "node:fs";
import { MessageChannel, type MessagePort, parentPort, receiveMessageOnPort } from "node:worker_threads";
import { attempt } from "../attempt.js";

/** Messages between the main thread and a worker thread; the values in them must be cloneable. */
export type ToWorker =
  | { readonly type: "task"; readonly task: unknown }
  | { readonly type: "answer"; readonly id: number; readonly result?: unknown; readonly message?: string };

export type FromWorker =
  /** Sent once, before the first task runs. @param taskFolder the thread's folder in Linux: `/proc/self/task/1235` */
  | { readonly type: "ready"; readonly taskFolder: string | undefined }
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly message: string; readonly stack: string }
  /** Processor time that other processes have spent on the task, in milliseconds. */
  | { readonly type: "spent"; readonly ms: number }
  | {
      readonly type: "call";
      readonly id: number;
      readonly name: string;
      readonly argument: unknown;
      /** Present if the thread sleeps until the answer comes. */
      readonly sleep?: Sleep;
    };

export interface Sleep {
  /** Receives the answer. */
  readonly port: MessagePort;
  /** One number: 0 until the answer is sent. */
  readonly isAnswered: Int32Array<SharedArrayBuffer>;
}

/** Calls the main thread; the deadline of the task pauses until the answer comes. */
export type CallMain = (name: string, argument: unknown) => Promise<unknown>;

/** Calls the main thread, and blocks this thread until the answer comes. The deadline of the task pauses. */
export type WaitForMain = (name: string, argument: unknown) => unknown;

/** Adds processor time of other processes, in milliseconds, to that of the task. */
export type Spend = (ms: number) => void;

/**
 * The thread's side of a worker pool: calls the function that `setUp` returns for each task, one at a time. If `setUp` fails,
 * every task fails with its error.
 *
 * @throws {Error} outside a worker thread.
 */
export function serveTasks<Task, Result>(
  setUp: (call: CallMain, wait: WaitForMain, spend: Spend) => MaybePromise<(task: Task) => Promise<Result>>,
): void {
  const port = parentPort;
  if (!port) throw new Error("serveTasks must be called in a worker thread.");
  const send = (message: FromWorker): void => port.postMessage(message);
  const open = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>();
  let nextId = 1;

  const call: CallMain = (name, argument) =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      open.set(id, { resolve, reject });
      send({ type: "call", id, name, argument });
    });
  const wait: WaitForMain = (name, argument) => {
    const { port1, port2 } = new MessageChannel();
    const isAnswered = new Int32Array(new SharedArrayBuffer(4));
    const sleep = { port: port2, isAnswered };
    port.postMessage({ type: "call", id: nextId++, name, argument, sleep } satisfies FromWorker, [port2]);
    Atomics.wait(isAnswered, 0, 0);
    const answer = receiveMessageOnPort(port1)!.message as Extract<ToWorker, { type: "answer" }>;
    port1.close();
    if (answer.message !== undefined) throw new Error(answer.message);
    return answer.result;
  };
  const handle = Promise.resolve(setUp(call, wait, (ms) => send({ type: "spent", ms })));
  const sayReady = (): void => send({ type: "ready", taskFolder: taskFolder() });
  let last = handle.then(sayReady, sayReady);

  port.on("message", (message: ToWorker) => {
    if (message.type === "answer") {
      const waiting = open.get(message.id);
      open.delete(message.id);
      if (message.message === undefined) waiting?.resolve(message.result);
      else waiting?.reject(new Error(message.message));
      return;
    }
    last = last.then(() => run(message.task as Task));
  });

  async function run(task: Task): Promise<void> {
    try {
      send({ type: "done", result: await (await handle)(task) });
    } catch (error) {
      const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
      send({ type: "failed", message, stack });
    }
  }
}

type MaybePromise<Value> = Value | Promise<Value>;

/** The folder of this thread in Linux. Undefined on other systems, and if a sandbox hides it. */
const taskFolder = (): string | undefined =>
  attempt(() => `/proc/self/task/${readlinkSync("/proc/thread-self").replace(/.*\//, "")}`);
