import { randomBytes, randomInt } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { describe, onTestFailed, onTestFinished } from "vitest";
import { lazy } from "../../../src/lib/memo.js";
import {
  type Job,
  type JobRules,
  type NewJob,
  openPostgresState,
  openSqliteState,
  type State,
} from "../../../src/service/jobs/index.js";
import { temporaryFolder } from "../../support/cli.js";
import { emptyDatabase } from "../../support/postgres.js";

/** A new database whose clocks only move by `advance` and `stepClock`. */
export interface TestState extends State {
  /** File or address, for another process. */
  readonly address: string;
  /** File or address of an empty database. */
  fresh(): Promise<string>;
  readonly now: () => number;
  /** Lets time pass. */
  advance(ms: number): Promise<void>;
  /** Sets the clock of the machine, or of the database server, without letting time pass. */
  stepClock(byMs: number): Promise<void>;
  /** Opens the same database like another process, with its clock ahead. */
  another(aheadMs?: number): Promise<State>;
}

export type OpenTestState = (rules?: Partial<JobRules>) => Promise<TestState>;

/** Runs the tests on each database. */
export function describeStates(title: string, tests: (open: OpenTestState, kind: "sqlite" | "postgres") => void): void {
  describe(`${title}, on SQLite`, () => tests(openSqlite, "sqlite"));
  describe(`${title}, on PostgreSQL`, () => tests(openPostgres, "postgres"));
}

/** Shared by all tests of this process, which run sequentially, until one fails. */
let postgresUrl: Promise<string> | undefined;

async function openSqlite(rules?: Partial<JobRules>): Promise<TestState> {
  const file = join(temporaryFolder(), "state.db");
  let time = Date.now();
  let passedMs = 0;
  const open = (aheadMs: number) =>
    closing(openSqliteState({ file, rules, now: () => time + aheadMs, steadyNow: steadyOf(() => passedMs) }));
  return {
    ...(await open(0)),
    address: file,
    fresh: async () => join(temporaryFolder(), "fresh.db"),
    now: () => time,
    async advance(ms) {
      time += ms;
      passedMs += ms;
    },
    async stepClock(byMs) {
      time += byMs;
    },
    another: (aheadMs = 0) => open(aheadMs),
  };
}

async function openPostgres(rules?: Partial<JobRules>): Promise<TestState> {
  postgresUrl ??= emptyDatabase();
  const url = await postgresUrl;
  // A failed test may have left tables that the program cannot use.
  onTestFailed(() => {
    postgresUrl = undefined;
  });
  let time = Date.now();
  let passedMs = 0;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  /** Started by the tests that maintain the queue. */
  const boss = lazy(async () => {
    const options = { connectionString: url, schema: "offprint_queue", schedule: false, supervise: false, max: 2 };
    const started = new PgBoss(options);
    started.on("error", () => {});
    await started.start();
    onTestFinished(() => started.stop({ graceful: false }));
    return started;
  });
  const open = async (aheadMs: number): Promise<State> => {
    const state = await closing(
      openPostgresState({ url, rules, now: () => time + aheadMs, steadyNow: steadyOf(() => passedMs) }),
    );
    // pg-boss supervises every few seconds of real time; in these tests, with each maintenance.
    const maintain = async (): Promise<number> => {
      await client.query("update offprint_queue.queue set monitor_claim_on = null, monitor_on = null");
      await (await boss()).supervise("exports");
      return state.jobs.maintain();
    };
    return { ...state, jobs: { ...state.jobs, maintain } };
  };
  const state = await open(0);
  await client.query(emptied);
  const setClock = () => client.query("update public.clock set now = to_timestamp($1::float8 / 1000)", [time]);
  await setClock();
  return {
    ...state,
    address: url,
    fresh: emptyDatabase,
    now: () => time,
    async advance(ms) {
      time += ms;
      passedMs += ms;
      await setClock();
    },
    async stepClock(byMs) {
      time += byMs;
      await setClock();
    },
    another: (aheadMs = 0) => open(aheadMs),
  };
}

/**
 * Removes the data of earlier tests, and gives pg-boss the test's clock. To empty the tables one by one takes a tenth of
 * the time that `truncate` needs, which makes new files for each table and index.
 */
const emptied = `
  do $$ declare name text; begin
    set local session_replication_role = replica; -- Tables that refer to each other, in any order.
    for name in select tablename from pg_tables where schemaname = 'offprint' and tablename <> 'migrations' loop
      execute format('delete from offprint.%I', name);
    end loop;
  end $$;
  delete from offprint_queue.job;
  create table if not exists public.clock (now timestamptz);
  delete from public.clock;
  insert into public.clock values (now());
  create or replace function offprint_queue.job_now() returns timestamp with time zone as
    $$ select now from public.clock $$ language sql stable;`;

/** The steady clock of one process: it begins anywhere. */
function steadyOf(passedMs: () => number): () => number {
  const start = randomInt(10 ** 9);
  return () => start + passedMs();
}

async function closing(opening: Promise<State>): Promise<State> {
  const state = await opening;
  onTestFinished(() => state.close());
  return state;
}

export const never = new AbortController().signal;

export const newJob = (fields: Partial<NewJob> = {}): NewJob => ({
  organizationId: `org_${"0".repeat(32)}`,
  projectId: `prj_${"0".repeat(32)}`,
  domain: "docs.acme.com",
  ...fields,
});

/** A queued job. */
export async function createJob(state: State, fields: Partial<NewJob> = {}): Promise<Job> {
  const created = await state.jobs.create(newJob(fields));
  if (created.kind !== "created") throw new Error(`The job is ${created.kind}.`);
  return created.job;
}

export const bundleOf = (name: string) => ({
  objectKey: `${name}.tar.gz`,
  bytes: 3,
  sha256: randomBytes(32).toString("hex"),
});
