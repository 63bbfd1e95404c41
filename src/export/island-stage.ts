import { clientScripts } from "../bundle/assets/index.js";
import type { CallMain } from "../lib/queue/index.js";
import type { PageContent } from "../page/content/index.js";
import { type IslandReply, islandWords, placeIslands } from "../page/islands/index.js";
import type { PagePlan } from "../site/site.js";

/** Tree -> the same tree with what its live components show. The main thread renders them. */
export type IslandStage = (plan: PagePlan, content: PageContent) => Promise<PageContent>;

export function createIslandStage(call: CallMain): IslandStage {
  const runtimes = new Map<boolean, ReturnType<typeof clientScripts>>();
  const runtime = (ui: boolean) => {
    const known = runtimes.get(ui) ?? clientScripts(ui ? ["islands", "islands-ui"] : ["islands"]);
    runtimes.set(ui, known);
    return known;
  };
  const ask = async (request: unknown) => (await call("islands", request)) as IslandReply;
  return async (plan, content) =>
    content.islands === undefined
      ? content
      : placeIslands(content, plan.sourcePath, { ask, runtime, words: islandWords(plan.language) });
}
