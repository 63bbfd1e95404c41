import { engineVersion } from "../../lib/package-root.js";
import { createDiagramRenderer } from "../../page/diagrams/diagram-renderer.js";
import type { ExportOptions } from "../export-options.js";
import { type ExportEnvironment, openEnvironment } from "./environment.js";
import { type OpenedRun, openRun } from "./open-run.js";

/** What every step of one export uses. */
export type ExportRun = ReturnType<typeof equipRun>;

/** @param given replaces parts of this machine's environment: another process has asked for the export */
export const startRun = async (options: ExportOptions, given?: Partial<ExportEnvironment>): Promise<ExportRun> =>
  equipRun(await openRun(options, given !== undefined), given);

/** Adds what a run needs that makes pages. */
export function equipRun(run: OpenedRun, given?: Partial<ExportEnvironment>) {
  const machine = openEnvironment();
  const environment = { ...machine, ...given };
  const diagrams = createDiagramRenderer({
    cache: run.cache,
    version: engineVersion(),
    worker: environment.diagramWorker(),
  });
  run.onClose(() => diagrams.close());
  run.onClose(() => machine.close());
  let hasAskedNetwork = false;
  const noted =
    <Args extends unknown[], Answer>(fetch: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      hasAskedNetwork = true;
      return fetch(...args);
    };
  return {
    ...run,
    environment: {
      ...environment,
      fetchText: noted(environment.fetchText),
      fetchBytes: noted(environment.fetchBytes),
      postJson: noted(environment.postJson),
    },
    hasAskedNetwork: () => hasAskedNetwork,
    diagrams,
  };
}
