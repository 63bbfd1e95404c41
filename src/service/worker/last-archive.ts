import { hash } from "node:crypto";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openSourceFolder } from "../../export/index.js";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { buildId } from "../../lib/package-root.js";
import { fileHash } from "../../lib/short-hash.js";
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
export function openLastArchive(task: ExportTask) {
  if (task.paths !== undefined) return undefined;
  const source = openSourceFolder(task.source);
  source.noteStates();
  const contents: string[] = [];
  for (const path of source.paths) {
    const content = fileHash(join(source.root, path));
    // The export says what is wrong with a file that cannot be read.
    if (content === undefined) return undefined;
    contents.push(path, content.toString("hex"));
  }
  const options = Object.entries(task).filter(([name]) => !withoutEffect.has(name));
  const ingredients = [buildId(), process.versions.node, options, source.diagnostics, contents];
  const inputs = hash("sha256", JSON.stringify(ingredients), "hex");
  const folder = join(task.cacheFolder, "last");
  const [record, archive] = [join(folder, "record"), join(folder, "bundle.tar.gz")];

  return {
    /** Writes the archive again. Undefined if something has changed, or the copy is damaged. */
    find(): Exported | undefined {
      const bytes = readChecked(record);
      if (bytes === undefined) return undefined;
      const last = JSON.parse(bytes.toString()) as Last;
      if (last.inputs !== inputs) return undefined;
      try {
        copyFileSync(archive, task.archive);
        if (fileHash(task.archive)?.toString("hex") === last.outcome.sha256)
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
