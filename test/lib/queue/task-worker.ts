// The tasks that the worker pool's tests run in real threads.
import { workerData } from "node:worker_threads";
import { serveTasks } from "../../../src/lib/queue/serve-tasks.js";

export interface Task {
  readonly do: string;
  readonly value?: number;
  readonly ms?: number;
}

/** Computes for this many milliseconds of processor time. */
function compute(ms: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1000 >= ms) return;
  }
}

compute((workerData as { readonly startMs?: number }).startMs ?? 0);

serveTasks<Task, unknown>((call, wait, spend) => async (task) => {
  switch (task.do) {
    case "double":
      return task.value! * 2;
    case "sleep":
      await new Promise((resolve) => setTimeout(resolve, task.ms));
      return "slept";
    case "compute":
      compute(task.ms!);
      return "computed";
    case "spin":
      for (;;);
    case "exit":
      return process.exit(3);
    case "throw":
      throw new Error("a task's own fault");
    case "ask":
      return call("slow answer", task.value);
    case "wait": {
      const answer = wait("slow answer", task.value);
      spend(task.ms!);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return answer;
    }
    case "environment":
      return Object.keys(process.env);
  }
});
