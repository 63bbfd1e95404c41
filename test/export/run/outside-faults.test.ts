import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { attempt } from "../../../src/lib/attempt.js";
import { sampleOf, sweeping } from "../../quality/bundle.js";
import {
  callCli,
  canRunAsOther,
  cli,
  contentOf,
  finish,
  page,
  runCli,
  start,
  temporaryFolder,
  writeManyPages,
  writeSite,
} from "../../support/cli.js";

const library = fileURLToPath(new URL("../../../dist/index.js", import.meta.url));
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Exports the site in its own process, which runs `hook` at each progress. */
function exportWith(hook: string, limit: string, prepare = "") {
  const options = JSON.stringify({ source: join(folder, "site"), output: join(folder, "out") });
  const script = join(folder, "export.mjs");
  writeFileSync(
    script,
    `import fs from "node:fs";
    import { Worker } from "node:worker_threads";
    import { exportSite } from ${JSON.stringify(library)};
    ${prepare}
    const result = await exportSite({ ...${options}, onProgress: ({ phase, done }) => { ${hook} } });
    console.log(JSON.stringify([result.ok, result.pageCount, result.diagnostics]));`,
  );
  return finish(start("bash", ["-c", `${limit}; exec "$0" "$@"`, process.execPath, script]));
}

test("an export waits while too many files are open", async () => {
  writeManyPages(join(folder, "site"), 30);
  const closeLater = `
    const { parentPort } = require("node:worker_threads");
    const close = (fds) => fds.forEach((fd) => require("node:fs").closeSync(fd));
    parentPort.on("message", (fds) => setTimeout(close, 500, fds));
    parentPort.postMessage("ready");`;
  const prepare = `
    const closer = new Worker(${JSON.stringify(closeLater)}, { eval: true });
    await new Promise((resolve) => closer.once("message", resolve));
    closer.unref();`;
  const hook = `
    if (phase !== "pages" || done !== 5) return;
    const fds = [];
    try {
      for (;;) fds.push(fs.openSync("/dev/null"));
    } catch {
      closer.postMessage(fds);
    }`;
  const run = await exportWith(hook, "ulimit -n 64", prepare);
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(JSON.parse(run.stdout), [true, 30, []]);
});

test("a file that exceeds the size limit of the system ends the export with one sentence", async () => {
  writeSite(join(folder, "site"), { "index.mdx": page("Start", "Welcome."), "large.txt": "x".repeat(4_000_000) });
  const args = ["export", join(folder, "site"), "-o", join(folder, "out"), "--no-cache", "-q"];
  const run = await finish(start("bash", ["-c", 'ulimit -f 1000; exec "$0" "$@"', process.execPath, cli, ...args]));
  assert.equal(run.code, 3, run.stderr);
  expect(run.stderr).toMatch(/^offprint: EFBIG[^\n]*\n {2}fix: the file exceeds the size limit[^\n]*unchanged\.\n$/);
  assert.deepEqual(readdirSync(folder), ["site"]);
});

test("an unfinished bundle that is deleted during the export ends it with a system error, and leaves nothing", async () => {
  writeManyPages(join(folder, "site"), 30);
  const hook = `
    if (phase !== "pages" || done !== 5) return;
    for (const name of fs.readdirSync(${JSON.stringify(folder)}))
      if (name.startsWith(".out.offprint-")) fs.rmSync(${JSON.stringify(`${folder}/`)} + name, { recursive: true });`;
  const run = await exportWith(hook, "true");
  assert.equal(run.code, 1);
  assert.match(run.stderr, /ENOENT: no such file or directory/);
  assert.deepEqual(readdirSync(folder).toSorted(), ["export.mjs", "site"]);
});

/** One sentence, and what to do. */
const oneSentence = (...words: string[]) =>
  new RegExp(`^offprint: [^\\n]*${words.join("[^\\n]*\\n?[^\\n]*")}[^\\n]*\\n$`);

const smallSite = (folder: string) =>
  writeSite(folder, { "index.mdx": page("Start", "Welcome."), "other.mdx": page("Other", "Text.") });

/** The ways to ask for a bundle: as a folder and as an archive in `parent`. */
const outputs = (parent: string) => [
  ["-o", join(parent, "out")],
  ["--archive", join(parent, "out.zip")],
];
const exportArgs = ["export", "--no-cache", "-q"];

/** Without root, the process itself; as root, one of another user, who may read the program. */
const asUser = isRoot ? { uid: 1000, gid: 1000 } : {};

test.runIf(canRunAsOther)("a page and an output without permission each end the export with one sentence", async () => {
  const site = smallSite(join(folder, "site"));
  for (const path of [folder, site]) chmodSync(path, 0o755);
  chmodSync(join(site, "other.mdx"), 0);
  if (isRoot) chownSync(folder, 1000, 1000);
  const unreadable = await runCli([...exportArgs, site, "-o", join(folder, "out")], asUser);
  assert.equal(unreadable.code, 3);
  assert.match(unreadable.stderr, /^offprint: EACCES: cannot read other\.mdx of the site [^\n]*\n {2}fix: [^\n]*\n$/);
  assert.deepEqual(readdirSync(folder), ["site"]);
  rmSync(join(site, "other.mdx"));
  mkdirSync(join(folder, "closed"), { mode: 0o555 });
  const before = contentOf(folder);
  for (const output of outputs(join(folder, "closed"))) {
    const closed = await runCli([...exportArgs, site, ...output], asUser);
    assert.equal(closed.code, 3);
    assert.match(
      closed.stderr,
      oneSentence("EACCES: ", join(folder, "closed"), "fix: choose another folder, or change its permissions"),
    );
    assert.deepEqual(contentOf(folder), before);
  }
});

/** Runs a shell command in its own mount namespace, if root may mount. */
const inNamespace = (command: string, args: readonly string[] = []) =>
  start("unshare", ["-m", "bash", "-c", command, process.execPath, ...args]);
const canMount =
  isRoot && spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" }).status === 0;

describe.skipIf(!canMount)("on a disk of its own", () => {
  const run = async (mount: string, args: readonly string[]) => {
    const list = `code=$?; ls -A ${join(folder, "disk")} >&3; exit $code`;
    const list3 = join(folder, "left.txt");
    const ran = await finish(inNamespace(`exec 3>${list3}; ${mount}; "$0" "$@"; ${list}`, [cli, ...args]));
    return { ...ran, left: readFileSync(list3, "utf8") };
  };

  test("that is full, the export ends with one sentence and leaves only the previous bundle", async () => {
    const site = smallSite(join(folder, "site"));
    writeFileSync(join(site, "large.txt"), "x".repeat(3_000_000));
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const before = join(folder, "before");
    await callCli([...exportArgs, smallSite(join(folder, "old")), "-o", before]);
    const [asFolder, asArchive] = outputs(disk);
    const every = [
      ["2m", asFolder],
      ["2m", asArchive],
      ["4k", asFolder],
      ["4k", asArchive],
    ] as const;
    for (const [size, output] of sweeping ? every : [every[0], every[3]]) {
      const full = await run(`mount -t tmpfs -o size=${size} tmpfs ${disk}`, [...exportArgs, site, ...output!]);
      assert.equal(full.code, 3, full.stderr);
      assert.match(full.stderr, oneSentence("ENOSPC", "fix: the disk is full"));
      assert.equal(full.left, "");
    }
    const mount = `mount -t tmpfs -o size=3500k tmpfs ${disk}; cp -r ${before} ${disk}/out`;
    const full = await run(mount, [...exportArgs, site, "-o", join(disk, "out")]);
    assert.equal(full.code, 3, full.stderr);
    assert.match(full.stderr, oneSentence("ENOSPC", "unchanged"));
    assert.equal(full.left, "out\n");
  });

  test("that is full and has the temporary folder, the export of a zip ends the same way", async () => {
    const site = smallSite(join(folder, "site"));
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const mount = `mount -t tmpfs -o size=64k tmpfs ${disk}; export TMPDIR=${disk}`;
    for (const output of outputs(folder)) {
      const full = await run(mount, [...exportArgs, site, ...output]);
      if (full.code !== 0) assert.match(full.stderr, oneSentence("ENOSPC", "fix: the disk is full"));
      assert.equal(full.code === 0 || full.code === 3, true, full.stderr);
      assert.equal(full.left, "");
    }
  });

  test("that is read-only, the export ends with one sentence", async () => {
    const site = smallSite(join(folder, "site"));
    const disk = join(folder, "disk");
    mkdirSync(disk);
    for (const output of outputs(disk)) {
      const closed = await run(`mount -t tmpfs -o ro tmpfs ${disk}`, [...exportArgs, site, ...output]);
      assert.equal(closed.code, 3, closed.stderr);
      assert.match(closed.stderr, oneSentence("EROFS: ", disk, "fix: the disk is read-only"));
      assert.equal(closed.left, "");
    }
  });
});

test("an output that is a file or below one ends the export with one sentence", async () => {
  const site = smallSite(join(folder, "site"));
  writeFileSync(join(folder, "file"), "mine");
  const before = contentOf(folder);
  for (const args of [
    ["-o", join(folder, "file")],
    ["-o", join(folder, "file/out")],
    ["--archive", join(folder, "file/out.zip")],
    ["--archive", join(folder, "site"), "-o", join(folder, "out")],
  ]) {
    const run = await callCli([...exportArgs, site, ...args]);
    assert.ok(run.code === 2 || run.code === 3, run.stderr);
    assert.match(run.stderr, /^offprint: [^\n]+(?:\n {2}fix: [^\n]+)?\n$/);
    assert.doesNotMatch(run.stderr, /bug/);
    assert.deepEqual(contentOf(folder), before);
  }
});

describe("during the export", () => {
  const parent = () => join(folder, "parent");
  /** Runs the CLI, and changes the folder of the output once the export writes there. */
  async function exportWhileChanged(output: readonly string[], change: () => void) {
    const site = join(folder, "site");
    writeManyPages(site, 60);
    mkdirSync(parent(), { recursive: true });
    const child = start(process.execPath, [cli, ...exportArgs, site, ...output]);
    const running = finish(child);
    const hasBegun = () =>
      readdirSync(parent()).some(
        (name) => name.includes(".offprint-") && existsSync(join(parent(), name, "bundle/_offprint")),
      );
    while (child.exitCode === null && !hasBegun()) await new Promise((resolve) => setTimeout(resolve, 5));
    change();
    return running;
  }

  test("the folder of the output is removed: one sentence, and nothing is left", async () => {
    for (const output of sampleOf(outputs(parent()), 1)) {
      const run = await exportWhileChanged(output, () => rmSync(parent(), { recursive: true, force: true }));
      assert.equal(run.code, 3, run.stderr);
      assert.match(run.stderr, oneSentence("ENOENT: ", parent(), "fix: "));
      rmSync(parent(), { recursive: true, force: true });
    }
  });

  test("the folder of the output is replaced by a file: one sentence, and the file stays", async () => {
    for (const output of sampleOf(outputs(parent()).toReversed(), 1)) {
      const away = mkdtempSync(join(folder, "away-"));
      const run = await exportWhileChanged(output, () => {
        let moves = 0;
        // The export may create the folder again before the file is in it.
        do {
          renameSync(parent(), join(away, `${moves++}`));
          attempt(() => writeFileSync(parent(), "mine"));
        } while (statSync(parent()).isDirectory());
      });
      assert.equal(run.code, 3, run.stderr);
      // Between the two steps of the change, there is neither the folder nor the file.
      assert.match(run.stderr, oneSentence("(?:ENOTDIR|ENOENT): ", parent(), "fix: "));
      assert.equal(readFileSync(parent(), "utf8"), "mine");
      rmSync(parent());
      rmSync(away, { recursive: true });
    }
  });

  test("the output becomes a file: one sentence, and the file stays", async () => {
    const run = await exportWhileChanged(["-o", join(parent(), "out")], () =>
      writeFileSync(join(parent(), "out"), "mine"),
    );
    assert.ok(run.code === 2 || run.code === 3, run.stderr);
    assert.match(run.stderr, oneSentence(join(parent(), "out"), "is a file"));
    assert.deepEqual(readdirSync(parent()), ["out"]);
  });
});

test("with few files that may be open, an export succeeds or ends with one sentence, and leaves nothing", async () => {
  const site = writeSite(join(folder, "site"), {
    "index.mdx": page("Start", "```mermaid\nflowchart LR\n  A --> B\n```"),
    "live.mdx": page("Live", 'import { Live } from "/snippets/live.jsx";\n\n<Live />'),
    "snippets/live.jsx": "export const Live = () => { const [a] = useState(1); return <b>{a}</b>; };",
  });
  const runs = sampleOf([24, 34, 38, 48], 2).flatMap((limit) =>
    sampleOf(["-o", "--archive"], 1).map(async (option) => {
      const parent = mkdtempSync(join(folder, "limit-"));
      const output = join(parent, option === "-o" ? "out" : "out.zip");
      const args = [cli, ...exportArgs, site, option, output];
      const run = await finish(start("bash", ["-c", `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, ...args]));
      return { limit, run, left: readdirSync(parent), output };
    }),
  );
  for (const { limit, run, left, output } of await Promise.all(runs)) {
    const message = `${limit}: ${run.stderr}`;
    if (run.code === 0) assert.ok(existsSync(output), message);
    else {
      assert.equal(run.code, 3, message);
      assert.match(run.stderr, /^offprint: EMFILE: [^\n]*\n {2}fix: too many files are open; raise[^\n]*\n$/);
      assert.deepEqual(left, [], message);
    }
    if (limit >= 48) assert.equal(run.code, 0, message);
    if (limit < 30) assert.equal(run.code, 3, message);
  }
});
