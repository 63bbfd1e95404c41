import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { describe, onTestFinished } from "vitest";
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

/** A new database whose time stands still until it is moved. */
export interface TestState extends State {
  /** File or address, for another process. */
  readonly address: string;
  /** File or address of a database in which nothing is yet. */
  fresh(): Promise<string>;
  readonly now: () => number;
  advance(ms: number): Promise<void>;
  /** As another process opens the same database, its clock ahead by so much. */
  another(aheadMs?: number): Promise<State>;
}

export type OpenTestState = (rules?: Partial<JobRules>) => Promise<TestState>;

/** The same tests for each database. */
export function describeStates(title: string, tests: (open: OpenTestState, kind: "sqlite" | "postgres") => void): void {
  describe(`${title}, on SQLite`, () => tests(openSqlite, "sqlite"));
  describe(`${title}, on PostgreSQL`, () => tests(openPostgres, "postgres"));
}

/** One for all tests of this process, which run one after the other. */
let postgresUrl: Promise<string> | undefined;

async function openSqlite(rules?: Partial<JobRules>): Promise<TestState> {
  const file = join(temporaryFolder(), "state.db");
  let time = Date.now();
  const open = (aheadMs: number) => closing(openSqliteState({ file, rules, now: () => time + aheadMs }));
  return {
    ...(await open(0)),
    address: file,
    fresh: async () => join(temporaryFolder(), "fresh.db"),
    now: () => time,
    async advance(ms) {
      time += ms;
    },
    another: (aheadMs = 0) => open(aheadMs),
  };
}

async function openPostgres(rules?: Partial<JobRules>): Promise<TestState> {
  postgresUrl ??= emptyDatabase();
  const url = await postgresUrl;
  let time = Date.now();
  const open = (aheadMs: number) => closing(openPostgresState({ url, rules, now: () => time + aheadMs }));
  const state = await open(0);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
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
      await setClock();
    },
    another: (aheadMs = 0) => open(aheadMs),
  };
}

/** Nothing is left of the test before, and the dispatcher's clock, which is the server's, is the test's. */
const emptied = `
  truncate offprint.organizations, offprint.uses, offprint.jobs, offprint.workers cascade;
  delete from offprint_queue.job;
  update offprint_queue.queue set monitor_on = null, monitor_claim_on = null;
  create table if not exists public.clock (now timestamptz);
  delete from public.clock;
  insert into public.clock values (now());
  create or replace function offprint_queue.job_now() returns timestamp with time zone as
    $$ select now from public.clock $$ language sql stable;`;

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

/** A job that waits. */
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
