import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openSqliteState, sqliteSchemaVersion } from "../../../src/service/jobs/index.js";
import { temporaryFolder } from "../../support/cli.js";
import { waitUntil } from "../../support/wait-until.js";
import { createJob, newJob } from "./open-test-state.js";
import { startProcess } from "./start-process.js";

test("the file is created with its folder, readable only by its owner", async () => {
  const file = join(temporaryFolder(), "a", "b", "state.db");
  const state = await openSqliteState({ file });
  await createJob(state);
  for (const each of [file, `${file}-wal`, `${file}-shm`])
    expect((statSync(each).mode & 0o777).toString(8)).toBe("600");
  await state.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test.each([
  ["a folder", (file: string) => mkdirSync(file)],
  ["not a database", (file: string) => writeFileSync(file, "No database, but a text of some length.".repeat(50))],
])("a file that is %s is refused, naming it", async (_, make) => {
  const file = join(temporaryFolder(), "state.db");
  make(file);
  await expect(openSqliteState({ file })).rejects.toThrow(`The database ${file} cannot be opened.`);
});

test("a database of a newer version is used if it only has more, and refused if something was removed", async () => {
  const file = join(temporaryFolder(), "state.db");
  await (await openSqliteState({ file })).close();
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec("insert into migrations (version) values (98)");
  const state = await openSqliteState({ file });
  await createJob(state);
  await state.close();
  database.exec("insert into migrations (version, oldest_program) values (99, 99)");
  await expect(sqliteSchemaVersion(file)).rejects.toThrow("was migrated by a newer Offprint");
  await expect(openSqliteState({ file })).rejects.toThrow(
    /was migrated by a newer Offprint.*version 99.*Install the newer/s,
  );
});

test("a write waits for another process without blocking this one", async () => {
  const file = join(temporaryFolder(), "state.db");
  const state = await openSqliteState({ file });
  onTestFinished(() => state.close());
  const other = new DatabaseSync(file);
  other.exec("begin immediate");
  const created = createJob(state);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  await waitUntil("some turns of the event loop", () => ticks > 3);
  clearInterval(timer);
  expect(await state.jobs.counts()).toMatchObject({ queued: 0 });
  other.exec("rollback");
  other.close();
  expect(await state.jobs.get((await created).jobId)).toBeDefined();
});

test("a full disk fails the call, and earlier jobs are kept", async () => {
  const file = join(temporaryFolder(), "state.db");
  const state = await openSqliteState({ file });
  onTestFinished(() => state.close());
  const task = { address: file, rules: {}, speed: 1, epoch: Date.now(), parts: 1, partMs: 1, workerId: "creator" };
  const creator = startProcess({ ...task, create: newJob() }, 2_400);
  await creator.ended;
  expect(creator.child.exitCode).toBe(1);
  const created = creator.said.flatMap(({ jobId }) => jobId ?? []);
  expect(created.length).toBeGreaterThan(5);
  expect(await state.jobs.counts()).toMatchObject({ queued: created.length });
  for (const jobId of created) expect(await state.jobs.get(jobId)).toBeDefined();
  // This process has no size limit.
  await createJob(state);
});
