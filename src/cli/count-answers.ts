import { type Manifest, publishedPaths } from "../bundle/archive/index.js";
import type { Log } from "../lib/log.js";
import type { AnswerRecord } from "../serve/index.js";
import { type CountedSite, openViewCounter, type Visit } from "../service/analytics/index.js";
import { openStore } from "../service/open-store.js";
import { addressReader, countedProject, kindRule } from "./counting.js";
import type { Environment } from "./environment.js";
import type { ServeArguments } from "./serve-arguments.js";
import { storeSettings } from "./store-settings.js";

export interface AnswerCounter {
  count(answer: AnswerRecord): void;
  /** Stores what was counted. */
  close(): Promise<void>;
}

/** How often the owner's choice of who counts is read again, in milliseconds. */
const refreshMs = 60_000;

/**
 * Counts what `offprint serve` answers, in the database of the service.
 *
 * @param manifest of the bundle that is served.
 * @throws {UsageError} if the service does not know the site.
 */
export async function openAnswerCounter(
  { countFor: domain = "", serviceData, basePath = "", agentRanges }: ServeArguments,
  environment: Environment,
  manifest: () => Manifest | undefined,
  log: Log,
): Promise<AnswerCounter> {
  const [addressOf, kindOf] = [await addressReader(environment), await kindRule(agentRanges)];
  const store = await openStore({ ...storeSettings(serviceData, environment), publicUrl: "http://localhost" });
  try {
    const { projectId, counting } = await countedProject(store, domain);
    const { views, accounts } = store;
    const counter = await openViewCounter({ way: "server", views, accounts, log, ...(kindOf && { kindOf }) });
    const has = pagesOf(manifest);
    let site: CountedSite = { projectId, basePath: basePath.replace(/\/+$/, ""), has, ...counting };
    const refresh = async (): Promise<void> => {
      const project = await accounts.projectById(projectId);
      if (project) site = { ...site, ...project.counting };
    };
    const timer = setInterval(() => void refresh().catch(() => {}), refreshMs).unref();
    log("info", "Counting page views.", { site: domain, humansFrom: counting.humansFrom });
    return {
      count({ method, path, status, address, headers }) {
        const forwarded = headers["x-forwarded-for"];
        counter.count(site, {
          method,
          path,
          status,
          address: addressOf(address, Array.isArray(forwarded) ? forwarded.join(",") : forwarded),
          // Node joins the values of a header that is repeated.
          headers: headers as Visit["headers"],
        });
      },
      async close() {
        clearInterval(timer);
        await counter.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Reads the pages once for each bundle. */
function pagesOf(manifest: () => Manifest | undefined): CountedSite["has"] {
  let known: { readonly manifest: Manifest; readonly paths: ReadonlySet<string> } | undefined;
  return (path) => {
    const current = manifest();
    if (current === undefined) return false;
    if (known?.manifest !== current) known = { manifest: current, paths: publishedPaths(current) };
    return known.paths.has(path);
  };
}
