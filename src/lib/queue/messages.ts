/** Messages between the main thread and a worker thread; the values in them must be cloneable. */
export type ToWorker =
  | { readonly type: "task"; readonly task: unknown }
  | { readonly type: "answer"; readonly id: number; readonly result?: unknown; readonly message?: string };

export type FromWorker =
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly message: string; readonly stack: string }
  | { readonly type: "call"; readonly id: number; readonly name: string; readonly argument: unknown };
