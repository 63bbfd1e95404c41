import type { MessagePort } from "node:worker_threads";

/** Messages between the main thread and a worker thread; the values in them must be cloneable. */
export type ToWorker =
  | { readonly type: "task"; readonly task: unknown }
  | { readonly type: "answer"; readonly id: number; readonly result?: unknown; readonly message?: string };

export type FromWorker =
  /** Sent once, before the first task runs. @param taskFolder what Linux tells about the thread: `/proc/self/task/1235` */
  | { readonly type: "ready"; readonly taskFolder: string | undefined }
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly message: string; readonly stack: string }
  /** Other processes have worked on the task for so long, in milliseconds of processor time. */
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
  /** For the answer. */
  readonly port: MessagePort;
  /** One number: 0 until the answer is in the port. */
  readonly isAnswered: Int32Array<SharedArrayBuffer>;
}
