import { basename } from "node:path";
import { shareFolder } from "../lib/cache/index.js";
import type { ExportRun } from "./start-run.js";

/** How often the pages of a run that goes on are sent. */
const everyMs = 500;

/** Brings the stored pages of other machines into `folder`. Undefined without a cache that is shared. */
export async function fetchShared({ settings, onClose }: ExportRun, folder: string) {
  const { remoteCache: remote, signal } = settings;
  if (remote === undefined) return undefined;
  const shared = shareFolder({ root: folder, path: [], remote, under: basename(folder), signal });
  await shared.fetch();
  const timer = setInterval(() => void shared.sendPartial(), everyMs);
  onClose(() => clearInterval(timer));
  return shared;
}
