import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory. */
const memoryDisk = "/dev/shm";
/** A run writes 2 GB at most. */
const neededBytes = 4 * 1024 ** 3;

/**
 * Gives the run its own temporary folder, removed at the end, so that no test has to clean up: in memory where there is
 * enough, since a run creates and removes 100,000s of small files. It also caches compiled code, since hundreds of
 * processes and threads of a run load the same modules.
 */
export default function temporaryFolder(): () => void {
  const folder = (process.availableMemory() > 2 * neededBytes && folderInMemory()) || folderIn(tmpdir());
  // Some tests run as another user.
  chmodSync(folder, 0o755);
  const before = { TMPDIR: process.env["TMPDIR"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] };
  Object.assign(process.env, { TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, "compiled") });
  // A closing browser may still write.
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  // Also if the tests crash or are ended.
  const end = () => process.exit(143);
  process.once("exit", remove).once("SIGTERM", end);
  return () => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    process.off("exit", remove).off("SIGTERM", end);
    remove();
  };
}

const folderIn = (parent: string): string => mkdtempSync(join(parent, "offprint-tests-"));

/** Containers have few megabytes there. Some systems run no programs there, or keep no attributes, as object stores do. */
function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(memoryDisk);
    if (bavail * bsize < neededBytes) return undefined;
    const folder = folderIn(memoryDisk);
    const program = join(folder, "program");
    const code = 'import os, sys\nos.setxattr(sys.argv[0], "user.offprint", b"1")\n';
    writeFileSync(program, `#!/usr/bin/env python3\n${code}`, { mode: 0o755 });
    if (spawnSync(program).status === 0) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // The system has none.
  }
  return undefined;
}
