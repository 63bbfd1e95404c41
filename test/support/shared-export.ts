import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ExportResult, exportSite } from "offprint";
import { exportCache } from "./export-cache.js";
import { waitUntil } from "./wait-until.js";

export interface SharedExport {
  /** The bundle, which no test may change. */
  readonly folder: string;
  /** A .tar.gz of it. */
  readonly archive: string;
  readonly result: ExportResult;
}

/** Ends with the run, since its temporary folder does. While files are watched, sources change between runs. */
const place = join(
  tmpdir(),
  process.env["VITEST_MODE"] === "WATCH" ? `offprint-shared-${randomUUID()}` : "offprint-shared",
);
/** The address of each site; its path is the folder of the site on a host. */
export const sharedBaseUrl = "https://docs.example.com/handbook";

/** Exports a site of the fixtures once for all test files of the run, in the process that needs it first. */
export async function sharedExport(site: "gallery" | "handbook"): Promise<SharedExport> {
  const folder = join(place, site);
  const archive = `${folder}.tar.gz`;
  const resultFile = `${folder}.json`;
  mkdirSync(place, { recursive: true });
  if (isFirst(folder)) {
    const source = fileURLToPath(new URL(`../../fixtures/${site}`, import.meta.url));
    const options = { source, output: join(folder, "out"), archive, cacheFolder: exportCache };
    const text = await exportSite({ ...options, ...(site === "handbook" && { baseUrl: sharedBaseUrl }) }).then(
      (result) => JSON.stringify(result),
      // The other files fail for the same reason.
      (error: Error) => JSON.stringify({ failed: error.stack }),
    );
    writeFileSync(`${resultFile}.new`, text);
    renameSync(`${resultFile}.new`, resultFile);
  }
  await waitUntil(`the export of the ${site}`, () => existsSync(resultFile));
  const result = JSON.parse(readFileSync(resultFile, "utf8"));
  if (result.failed !== undefined) throw new Error(result.failed);
  return { folder: join(folder, "out"), archive, result };
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
