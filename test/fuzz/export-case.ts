import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Diagnostic } from "../../src/lib/diagnostic/index.js";
import type { ExternalUse } from "../../src/page/render/index.js";
import { filesIn } from "../security/site-folder.js";
import { startCpuTimer } from "../support/machine-time.js";
import { patienceMs } from "../support/patience.js";
import type { FuzzSite } from "./sites.js";

/** The results of the exports of one site. */
export interface Outcome {
  readonly site: FuzzSite;
  /** Source files that could be written. */
  readonly sources: ReadonlyMap<string, string>;
  readonly ok: boolean;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Of the second export. */
  readonly again?: ReadonlyMap<string, Uint8Array>;
  readonly diagnostics: readonly Diagnostic[];
  readonly external: readonly ExternalUse[];
  /** Processor time of the first export, on the reference machine. */
  readonly cpuMs: number;
  /** Set if the command exported the site too. */
  readonly command?: {
    readonly code: number | null;
    readonly stderr: string;
    readonly files: ReadonlyMap<string, Uint8Array>;
  };
}

type ExportSite = typeof import("../../src/export/index.js").exportSite;

export async function exportCase(exportSite: ExportSite, site: FuzzSite): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "offprint-fuzz-"));
  try {
    const source = join(folder, "site");
    const sources = writeSources(source, site.files);
    const { baseUrl, parser } = site;
    const options = { source, baseUrl, parser, output: "memory", cacheFolder: join(folder, "cache") } as const;
    const spentMs = startCpuTimer();
    const first = await exportSite(options);
    const cpuMs = spentMs();
    const second = site.again ? await exportSite(options) : undefined;
    // The command has no option for the parser.
    const command = site.process === 0 && parser === "satteri" ? runCommand(folder, site) : undefined;
    return {
      site,
      sources,
      ok: first.ok,
      files: first.ok ? first.files : new Map(),
      ...(second && { again: second.ok ? second.files : new Map() }),
      diagnostics: first.diagnostics,
      external: first.external,
      cpuMs,
      ...(command && { command }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the files that the file system can hold, in their order. */
export function writeSources(folder: string, files: FuzzSite["files"]): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files))
    try {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
      written.set(path, content.toWellFormed());
    } catch (error) {
      if (
        !/^(?:EEXIST|ENOTDIR|EISDIR|ENAMETOOLONG|ERR_INVALID_ARG_VALUE)$/.test(
          (error as NodeJS.ErrnoException).code ?? "",
        )
      )
        throw error;
    }
  return written;
}

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

function runCommand(folder: string, { baseUrl }: FuzzSite): NonNullable<Outcome["command"]> {
  const output = join(folder, "out");
  const args = [cli, "export", join(folder, "site"), "--output", output, "--concurrency", "3", "--no-cache", "--quiet"];
  if (baseUrl !== undefined) args.push("--base-url", baseUrl);
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: patienceMs });
  const paths = status === 0 ? filesIn(output) : [];
  return { code: status, stderr, files: new Map(paths.map((path) => [path, readFileSync(join(output, path))])) };
}
