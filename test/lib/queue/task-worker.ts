// The tasks that the worker pool's tests run in real threads.
import { serveTasks } from "../../../src/lib/queue/index.js";

export interface Task {
  readonly do: string;
  readonly value?: number;
  readonly ms?: number;
}

serveTasks<Task, unknown>((call, wait) => async (task) => {
  switch (task.do) {
    case "double":
      return task.value! * 2;
    case "sleep":
      await new Promise((resolve) => setTimeout(resolve, task.ms));
      return "slept";
    case "spin":
      for (;;);
    case "exit":
      return process.exit(3);
    case "throw":
      throw new Error("a task's own fault");
    case "ask":
      return call("slow answer", task.value);
    case "wait": {
      const answer = wait("slow answer", task.value, task.ms!);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return answer;
    }
    case "environment":
      return Object.keys(process.env);
  }
});
