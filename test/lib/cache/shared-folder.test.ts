import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createPackWriter, type RemoteStore, shareFolder, writeChecked } from "../../../src/lib/cache/index.js";
import { temporaryFolder } from "../../support/cli.js";
import { patience } from "../../support/patience.js";
import { createRemoteInMemory } from "../../support/remote-in-memory.js";

const dayMs = 24 * 60 * 60_000;
const noise = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, (_, i) => (i * i) % 251));

/** A machine with a folder of stored pages. */
async function openMachine(remote: RemoteStore, more: { now?: () => number; requestMs?: number; root?: string } = {}) {
  const { root = temporaryFolder(), ...rest } = more;
  const shared = shareFolder({ root, path: ["pages", "site"], remote, under: "site", ...rest });
  await shared.fetch();
  const folder = join(root, "pages/site");
  return {
    folder,
    shared,
    index: (packs: readonly string[], name = "index") =>
      writeChecked(join(folder, name), Buffer.from(JSON.stringify(packs))),
    pack(): string {
      const writer = createPackWriter(folder);
      const [name] = writer.put(noise(1000))!;
      writer.close();
      return name;
    },
    has: (name: string) => existsSync(join(folder, name)),
  };
}

test("packs that no index needs are removed a day later, and none while another index is there", async () => {
  let time = Date.now();
  const remote = createRemoteInMemory(() => time);
  const now = (): number => time;
  const one = await openMachine(remote.store, { now });
  const [old, kept] = [one.pack(), one.pack()];
  one.index([old, kept]);
  await one.shared.send();
  const sendFrom = async (machine: typeof one, packs: readonly string[]): Promise<void> => {
    machine.index([...packs, machine.pack()]);
    await machine.shared.send();
  };
  const has = (pack: string): boolean => remote.packs().includes(`site/${pack}.gz`);
  await sendFrom(await openMachine(remote.store, { now }), [kept]);
  expect([has(old), has(kept)]).toEqual([true, true]);
  time += 2 * dayMs;
  const [two, three] = [await openMachine(remote.store, { now }), await openMachine(remote.store, { now })];
  await sendFrom(two, [kept]);
  expect([has(old), has(kept)]).toEqual([false, true]);
  // The other index needs it.
  await sendFrom(three, []);
  expect(has(kept)).toBe(true);
  await sendFrom(await openMachine(remote.store, { now }), []);
  expect(has(kept)).toBe(false);
  expect(remote.failures).toEqual([]);
});

test("a pack that grows is sent again, and fetched again if the local one is shorter", async () => {
  const remote = createRemoteInMemory();
  const one = await openMachine(remote.store);
  const pack = one.pack();
  one.index([pack], "index-0000000000000001");
  await one.shared.sendPartial();
  const root = temporaryFolder();
  const two = await openMachine(remote.store, { root });
  expect(readFileSync(join(two.folder, pack))).toHaveLength(1000);
  appendFileSync(join(one.folder, pack), noise(500));
  one.index([pack]);
  await one.shared.send();
  // The partial index has gone with the run.
  expect(remote.indexes()).toHaveLength(1);
  await openMachine(remote.store, { root });
  expect(readFileSync(join(two.folder, pack))).toHaveLength(1500);
  expect(gunzipSync(remote.objects.get(`site/${pack}.gz`)!.bytes)).toHaveLength(1500);
});

test("links and other things that the export's process put into its folder are not sent", async () => {
  const outside = temporaryFolder();
  writeFileSync(join(outside, "secret"), "the secret of the worker");
  const remote = createRemoteInMemory();
  const machine = await openMachine(remote.store);
  const names = ["0000000000000001.pack", "0000000000000002.pack", "0000000000000003.pack"];
  symlinkSync(join(outside, "secret"), join(machine.folder, names[0]!));
  linkSync(join(outside, "secret"), join(machine.folder, names[1]!));
  mkdirSync(join(machine.folder, names[2]!));
  machine.index(names, "index-0000000000000001");
  symlinkSync(join(outside, "secret"), join(machine.folder, "index-0000000000000002"));
  await machine.shared.sendPartial();
  machine.index(names);
  await machine.shared.send();
  expect(remote.packs()).toEqual([]);
  expect(remote.failures).toEqual([]);

  const root = temporaryFolder();
  symlinkSync(outside, join(root, "pages"));
  await openMachine(remote.store, { root });
  expect(readdirSync(outside)).toEqual(["secret"]);
  expect(remote.failures.map(String)).toEqual(["Error: The folder of the stored pages is not a folder."]);
});

test("objects with other names are neither fetched nor removed", async () => {
  const remote = createRemoteInMemory(() => 0);
  const names = [
    "site/index-../../x.gz",
    "site/../other/index-1.gz",
    "site/note.txt",
    "site/x/index-1.gz",
    "sites/index-1.gz",
  ];
  for (const name of names) await remote.store.put(name, noise(10), patience());
  const machine = await openMachine(remote.store);
  machine.index([machine.pack()]);
  await machine.shared.send();
  expect(remote.asked.filter((each) => each.startsWith("get"))).toEqual([]);
  for (const name of names) expect(remote.objects.has(name)).toBe(true);
});

test("a store that does not answer is given up at the deadline", async () => {
  const remote = createRemoteInMemory();
  const list: RemoteStore["list"] = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  const machine = await openMachine({ ...remote.store, list }, { requestMs: 50 });
  expect(remote.failures.map(String)).toEqual(["TimeoutError: The operation was aborted due to timeout"]);
  machine.index([]);
  await machine.shared.send();
  expect(remote.asked).toEqual([]);
});
