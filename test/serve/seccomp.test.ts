/** The seccomp profile that the service's chart ships, enforced by the kernel around a real worker. */
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { canRunAsOther, cli, finish, start, temporaryFolder } from "../support/cli.js";

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const profilePath = fileAt("../../deploy/helm/offprint-service/files/seccomp-worker.json");
const loader = fileAt("../support/with-seccomp.py");
const python = "/usr/bin/python3";
const canLoad = spawnSync(python, ["-c", "import seccomp"]).status === 0;
if (!canLoad && process.env["CI"]) throw new Error("python3-seccomp is missing: sudo apt-get install python3-seccomp");

interface Profile {
  readonly syscalls: readonly { readonly names: readonly string[] }[];
}

describe.skipIf(!canLoad || !canRunAsOther)("the seccomp profile of the chart", () => {
  /** The outcome for a worker that needs namespaces under the profile: it stops once it has logged its walls. */
  const workerUnder = async (profile: string): Promise<string> => {
    const folder = temporaryFolder();
    // As in the container: a user without rights.
    chmodSync(folder, 0o777);
    const isRoot = process.getuid?.() === 0;
    const command = [
      loader,
      profile,
      process.execPath,
      cli,
      "worker",
      "--data",
      join(folder, "data"),
      "--sandbox",
      "required",
    ];
    const child = start(python, command, {
      env: { PATH: process.env["PATH"], HOME: folder },
      ...(isRoot && { uid: 1000, gid: 1000 }),
    });
    child.stderr!.on("data", (text: string) => text.includes("worker started") && child.kill("SIGTERM"));
    return (await finish(child)).stderr;
  };

  test("lets workers put exports into namespaces", async () => {
    expect(await workerUnder(profilePath)).toMatch(
      /no network and private file system \(namespaces by (bwrap|unshare)\)/,
    );
  });

  test("forbids namespaces without its last rule, so the kernel enforces it", async () => {
    const profile = JSON.parse(readFileSync(profilePath, "utf8")) as Profile;
    const without = join(temporaryFolder(), "profile.json");
    writeFileSync(without, JSON.stringify({ ...profile, syscalls: profile.syscalls.slice(0, -1) }));
    chmodSync(join(without, ".."), 0o755);
    expect(await workerUnder(without)).toMatch(/Exports cannot run in namespaces here/);
  });

  test("allows no call that changes the kernel, the clock or other processes", () => {
    const { syscalls } = JSON.parse(readFileSync(profilePath, "utf8")) as Profile;
    const allowed = syscalls.flatMap(({ names }) => names);
    const dangerous = [
      ...[
        "bpf",
        "perf_event_open",
        "ptrace",
        "process_vm_readv",
        "process_vm_writev",
        "keyctl",
        "add_key",
        "request_key",
      ],
      ...[
        "init_module",
        "finit_module",
        "delete_module",
        "kexec_load",
        "reboot",
        "swapon",
        "settimeofday",
        "clock_settime",
      ],
      ...[
        "open_by_handle_at",
        "userfaultfd",
        "io_uring_setup",
        "setns",
        "chroot",
        "acct",
        "quotactl",
        "iopl",
        "ioperm",
      ],
    ];
    expect(allowed.filter((name) => dangerous.includes(name))).toEqual([]);
  });
});
