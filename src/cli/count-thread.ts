/**
 * Counts the answers of a server in a thread of its own, because SQLite blocks the thread that calls it. The thread has a
 * lower priority, so that answers go first on a machine with few processors.
 */
import { parentPort, workerData } from "node:worker_threads";
import { lowerThreadPriority } from "../lib/queue/lower-priority.js";
import { type CountedSite, openViewCounter } from "../service/analytics/index.js";
import { openStore } from "../service/open-store.js";
import { type CountTask, countedProject, type FromCounter, kindRule, type ToCounter } from "./count-answers.js";
import { UsageError } from "./environment.js";
import { createLog } from "./print/terminal.js";
import { storeSettings } from "./settings/store.js";

/** How often the counting settings of the site are read again, in milliseconds. */
const refreshMs = 60_000;

const port = parentPort!;
const send = (message: FromCounter): void => port.postMessage(message);

async function count({ domain, serviceData, basePath, agentRanges }: CountTask): Promise<void> {
  lowerThreadPriority();
  const log = createLog(process.stderr, Date.now);
  const kindOf = await kindRule(agentRanges);
  const store = await openStore({ ...storeSettings(serviceData, process), publicUrl: "http://localhost" });
  const { views, accounts } = store;
  const { projectId, counting } = await countedProject(store, domain).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const counter = await openViewCounter({ way: "server", views, accounts, log, ...(kindOf && { kindOf }) });
  let paths: ReadonlySet<string> = new Set();
  let site: CountedSite = { projectId, basePath, has: (path) => paths.has(path), ...counting };
  const refresh = async (): Promise<void> => {
    const project = await accounts.projectById(projectId);
    if (project) site = { ...site, ...project.counting };
  };
  const timer = setInterval(() => void refresh().catch(() => {}), refreshMs);
  log("info", "Counting page views.", { site: domain, humansFrom: counting.humansFrom });
  port.on("message", (message: ToCounter) => {
    if (message.kind === "pages") paths = message.paths;
    else if (message.kind === "visits") {
      for (const visit of message.visits) counter.count(site, visit);
      send({ kind: "counted", visits: message.visits.length });
    } else {
      clearInterval(timer);
      void counter
        .close()
        .then(() => store.close())
        .finally(() => port.close());
    }
  });
  send({ kind: "ready" });
}

count(workerData as CountTask).catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  send({ kind: "refused", message: error.message });
});
