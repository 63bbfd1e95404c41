import { createHash, hash } from "node:crypto";
import { copyFileSync, createReadStream, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openSourceFolder } from "../../export/index.js";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { buildId } from "../../lib/package-root.js";
import type { ExportOutcome, ExportTask } from "./messages.js";

export type Exported = Extract<ExportOutcome, { kind: "exported" }>;

/** What an export leaves in the cache of its site, beside a copy of its archive. */
interface Last {
  /** Hash of the site's files, the settings and this program. */
  readonly inputs: string;
  readonly outcome: Exported;
}

/** Options that do not change the archive. Every other one counts, also a new one. */
const withoutEffect = new Set<string>([
  "source",
  "archive",
  "cacheFolder",
  "cacheName",
  "maxMemoryMb",
  "concurrency",
  "splits",
] satisfies readonly (keyof ExportTask)[]);

/**
 * The archive of the last export of a site, which is that of this one, too, if nothing has changed. It compares contents:
 * a checkout has new files each time. Undefined for an export of some of the pages.
 */
export async function openLastArchive(task: ExportTask) {
  if (task.paths !== undefined) return undefined;
  const source = openSourceFolder(task.source);
  source.noteStates();
  const contents: string[] = [];
  try {
    for (const path of source.paths) contents.push(path, await hashOfFile(join(source.root, path)));
  } catch {
    // The export says what is wrong with a file that cannot be read.
    return undefined;
  }
  const options = Object.entries(task).filter(([name]) => !withoutEffect.has(name));
  const made = [buildId(), process.versions.node, options, source.diagnostics, contents];
  const inputs = hash("sha256", JSON.stringify(made), "hex");
  const folder = join(task.cacheFolder, "last");
  const [record, archive] = [join(folder, "record"), join(folder, "bundle.tar.gz")];

  return {
    /** Writes the archive again. Undefined if something has changed, or the copy is damaged. */
    async find(): Promise<Exported | undefined> {
      const bytes = readChecked(record);
      if (bytes === undefined) return undefined;
      const last = JSON.parse(bytes.toString()) as Last;
      if (last.inputs !== inputs) return undefined;
      try {
        copyFileSync(archive, task.archive);
        if ((await hashOfFile(task.archive)) === last.outcome.sha256)
          return { ...last.outcome, pagesMade: 0, pageMs: [] };
      } catch {
        // A cache may be lost at any time.
      }
      rmSync(task.archive, { force: true });
      return undefined;
    },
    /** Keeps a copy, unless files of the site have changed meanwhile. */
    keep(outcome: Exported): void {
      try {
        source.requireUnchanged(source.paths);
        mkdirSync(folder, { recursive: true });
        rmSync(record, { force: true });
        copyFileSync(task.archive, archive);
        writeChecked(record, Buffer.from(JSON.stringify({ inputs, outcome } satisfies Last)));
      } catch {
        // The next export makes its own.
      }
    },
  };
}

/** A larger file is not read as a whole. */
const maxReadBytes = 4 * 1024 ** 2;

async function hashOfFile(path: string): Promise<string> {
  if (statSync(path).size <= maxReadBytes) return hash("sha256", readFileSync(path), "hex");
  const found = createHash("sha256");
  await pipeline(createReadStream(path), found);
  return found.digest("hex");
}
