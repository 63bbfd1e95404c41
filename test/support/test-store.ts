import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { isFinished, type Job, type JobRules, type Project } from "../../src/service/jobs/index.js";
import { openStore, type Store, type StoreOptions } from "../../src/service/open-store.js";
import { temporaryFolder } from "./cli.js";
import { waitUntil } from "./wait-until.js";

/** A store in its own folder, with one site. */
export interface TestStore {
  readonly store: Store;
  readonly options: StoreOptions;
  readonly folder: string;
  readonly project: Project;
  startJob(more?: Partial<Pick<Job, "audience" | "paths" | "version" | "webhookUrl">>): Promise<string>;
  untilStatus(jobId: string, status: Job["status"]): Promise<Job>;
  untilFinished(jobId: string): Promise<Job>;
  /** Absolute path of an object's file. */
  objectFile(objectKey: string): string;
}

export async function openTestStore(
  siteFolder: string,
  rules: Partial<JobRules> = {},
  more: Pick<StoreOptions, "s3" | "forges"> = {},
): Promise<TestStore> {
  const folder = temporaryFolder();
  const options = { dataFolder: join(folder, "data"), publicUrl: "http://127.0.0.1:1", rules, ...more };
  const store = await openStore(options);
  onTestFinished(() => store.close());
  const { organizationId } = await store.accounts.organization("acme");
  const project = await store.accounts.addProject({
    organizationId,
    domain: "docs.acme.com",
    source: { kind: "folder", path: siteFolder },
    deployment: "cloud",
  });
  const { projectId, domain } = project;
  const untilJob = (jobId: string, what: string, is: (job: Job) => boolean): Promise<Job> =>
    waitUntil(what, async () => {
      const job = await store.jobs.get(jobId);
      return job && is(job) && job;
    });
  return {
    store,
    options,
    folder,
    project,
    async startJob(more) {
      const created = await store.jobs.create({ organizationId, projectId, domain, ...more });
      if (!("job" in created)) throw new Error(`The job is ${created.kind}.`);
      return created.job.jobId;
    },
    untilStatus: (jobId, status) => untilJob(jobId, `a job that is ${status}`, (job) => job.status === status),
    untilFinished: (jobId) => untilJob(jobId, "the end of the job", isFinished),
    objectFile: (objectKey) => join(options.dataFolder, "objects", objectKey),
  };
}

/** The hash of an object's file; undefined if there is none. */
export const sha256OfObject = (test: TestStore, objectKey: string): string | undefined =>
  sha256OfFile(test.objectFile(objectKey));

export const sha256OfFile = (file: string): string | undefined =>
  existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : undefined;
