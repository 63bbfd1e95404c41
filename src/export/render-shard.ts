import type { PagePlan } from "../site/site.js";
import { createModelPages, type ModelTask } from "./model-pages.js";
import { openPagePool, type PagePoolOptions } from "./page-pool.js";
import type { PageResult } from "./page-result.js";
import type { PageStore } from "./page-store.js";
import type { PageTask } from "./page-thread-data.js";

interface ShardPagesOptions extends PagePoolOptions {
  readonly store: NonNullable<PageStore>;
  /** Indexes of the pages. */
  readonly pages: readonly number[];
  /** Called after each page with the number of finished pages. The result is that of a page that was made now. */
  readonly onPage: (done: number, result: PageResult | undefined) => void;
}

/**
 * Makes the bodies of some pages, and of the models that they refer to, and keeps them in the store. A page that cannot be
 * made is left out: the export that puts the site together makes and reports it.
 *
 * Stops: once `signal` aborts, ends all threads and rejects with its reason.
 */
export async function renderShard(options: ShardPagesOptions): Promise<void> {
  const { data, store, pages, onPage, signal } = options;
  const { site } = data;
  const modelPages = createModelPages(site);
  const pool = openPagePool(options, pages.length);
  const known = new Set<string>();
  let models: ModelTask[] = [];
  let done = 0;

  const make = async (plan: PagePlan, task: PageTask): Promise<PageResult | undefined> => {
    const stored = store.find(plan.outputPath, plan);
    const outcome = stored ? undefined : await pool.run(task);
    const result = outcome?.ok ? outcome.result : undefined;
    if (result) store.keep(plan.outputPath, result, plan);
    for (const model of modelPages.tasks(plan, result?.models ?? stored?.models))
      if (!known.has(model.outputPath)) {
        known.add(model.outputPath);
        models.push(model);
      }
    if (result) pool.growAfter(result.timings, pages.length - done);
    return result;
  };
  const makePage = async (index: number): Promise<void> => {
    const result = await make(site.pages[index]!, { kind: "page", index, bodyOnly: true });
    onPage(++done, result);
  };

  try {
    await pool.runAll(pages.map((index) => () => makePage(index)));
    while (models.length > 0) {
      const wanted = models;
      models = [];
      await pool.runAll(
        wanted.map((model) => async () => {
          await make(modelPages.plan(model), { kind: "model", model, bodyOnly: true });
        }),
      );
    }
    signal?.throwIfAborted();
  } finally {
    await pool.close();
  }
}
