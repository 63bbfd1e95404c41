import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { expect, test } from "vitest";
import type { Environment } from "../../../src/cli/environment.js";
import { run } from "../../../src/cli/run.js";
import { latestVersion, openPostgresState, openSqliteState } from "../../../src/service/jobs/index.js";
import { bundleOf, createJob, describeStates } from "./open-test-state.js";

/** The change of a later release to the database; `oldestProgram` as in its entry of `contracting`. */
async function migrateFurther(address: string, oldestProgram: number, ...statements: readonly string[]): Promise<void> {
  const entry = `insert into migrations (version, oldest_program) values (${latestVersion + 1}, ${oldestProgram})`;
  const sql = [...statements, entry];
  if (!address.startsWith("postgres")) {
    const database = new DatabaseSync(address);
    for (const each of sql) database.exec(each);
    return database.close();
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  for (const each of ["set search_path to offprint", ...sql]) await client.query(each);
  await client.end();
}

/** Runs a command on the database. */
async function offprint(address: string, ...words: readonly string[]) {
  let stderr = "";
  const write = (text: string): void => {
    stderr += text;
  };
  const isPostgres = address.startsWith("postgres");
  const env = isPostgres ? { DATABASE_URL: address } : {};
  const data = isPostgres ? [] : ["--data", address.replace(/\/[^/]+$/, "")];
  const environment = {
    ...{ stdout: { write: () => {} }, stderr: { write }, env, platform: "linux" },
    on: () => environment,
    off: () => environment,
  } as unknown as Environment;
  return { code: await run([...words, ...data], environment), stderr };
}

describeStates("a program of an earlier release", (open, kind) => {
  const openAgain = (address: string) =>
    kind === "postgres" ? openPostgresState({ url: address }) : openSqliteState({ file: address });
  const fresh = async (): Promise<string> => {
    const address = await (await open()).fresh();
    // The command line opens this file of the folder.
    const file = kind === "postgres" ? address : address.replace("fresh.db", "offprint.db");
    await (await openAgain(file)).close();
    return file;
  };

  test("works with a database to which a later one has only added", async () => {
    const address = await fresh();
    await migrateFurther(
      address,
      0,
      "alter table jobs add column added text",
      "alter table audit_log add column added bigint not null default 0",
      "create table added (name text primary key)",
      "create index jobs_by_added on jobs (added)",
    );
    const state = await openAgain(address);
    try {
      const { organizationId } = await state.accounts.organization("Acme");
      const { jobId } = await createJob(state, { organizationId });
      await state.jobs.complete((await state.jobs.take("one"))!, bundleOf(jobId), 1);
      expect((await state.jobs.get(jobId))!.status).toBe("completed");
      await state.jobs.maintain();
      expect(await state.people.verifyAuditLog(organizationId)).toMatchObject({ lines: 2, broken: undefined });
    } finally {
      await state.close();
    }
    expect((await offprint(address, "migrate", "--check")).code).toBe(0);
    expect((await offprint(address, "organization", "list")).code).toBe(0);
  });

  test("refuses a database from which a later one has removed something: one sentence, exit code 3, no change", async () => {
    const address = await fresh();
    await migrateFurther(address, latestVersion + 1, "alter table jobs drop column requested_by");
    await expect(openAgain(address)).rejects.toThrow("was migrated by a newer Offprint");
    for (const words of [
      ["organization", "list"],
      ["migrate"],
      ["migrate", "--check"],
      ["service", "--port", "0"],
      ["worker"],
    ]) {
      const { code, stderr } = await offprint(address, ...words);
      expect([words, code]).toEqual([words, 3]);
      expect(stderr.trim().split("\n")).toEqual([
        `offprint: This database was migrated by a newer Offprint: its tables have version ${latestVersion + 1}, and this ` +
          `program knows versions up to ${latestVersion}. Install the newer Offprint, or restore a backup from before the migration.`,
      ]);
    }
  });
});
