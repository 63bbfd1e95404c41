import type { ConsoleRoute } from "../route.js";
import { cancelJob, downloadBundle, exportAgain, withdrawBundle } from "./actions.js";
import { jobEvents } from "./events.js";
import { showJob } from "./job.js";
import { listJobs } from "./list.js";

export const jobRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/jobs", role: "reader", handle: listJobs },
  { method: "GET", path: "/jobs/{id}", role: "reader", handle: showJob },
  { method: "POST", path: "/jobs/{id}/cancel", role: "editor", handle: cancelJob },
  { method: "POST", path: "/jobs/{id}/again", role: "editor", handle: exportAgain },
  { method: "POST", path: "/jobs/{id}/download", role: "reader", handle: downloadBundle },
  { method: "POST", path: "/jobs/{id}/withdraw", role: "owner", handle: withdrawBundle },
  { method: "GET", path: "/events", role: "reader", handle: jobEvents },
];
