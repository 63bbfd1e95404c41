import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readChecked, writeChecked } from "../../../src/lib/cache/index.js";
import type { Diagnostic } from "../../../src/lib/diagnostic/index.js";
import { createSitePages } from "../../../src/service/analytics/site-pages.js";
import { openSiteIndex } from "../../../src/service/assistant/retrieval/open-site-index.js";
import { isFinished } from "../../../src/service/jobs/index.js";
import type { Store } from "../../../src/service/open-store.js";
import { runWorker, type WorkerOptions } from "../../../src/service/worker/run-worker.js";
import { page, temporaryFolder, writeManyPages, writeSite } from "../../support/cli.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { openTestStore, sha256OfObject, type TestStore } from "../../support/test-store.js";
import { waitUntil } from "../../support/wait-until.js";
import { childrenOf, environmentOf, isAlive, isExport, nodeInside } from "../../support/worker-processes.js";

const smallSite = (): string =>
  writeSite(temporaryFolder(), {
    "index.mdx": page("Start", "Hello."),
    "guides/install.mdx": page("Install", "Text."),
  });
const quickly = { leaseMs: 5000, backoffMs: 50 };

interface RunningWorker {
  readonly workFolder: string;
  readonly log: () => string;
  leave(): Promise<void>;
}

function startWorker(each: TestStore, options: Partial<WorkerOptions> = {}): RunningWorker {
  const stop = new AbortController();
  const lines: string[] = [];
  const workFolder = join(each.folder, "work");
  const ended = runWorker({
    store: each.store,
    cacheFolder: join(each.folder, "cache"),
    workFolder,
    concurrency: 1,
    graceMs: 0,
    exportPriority: "normal",
    keepSpare: false,
    log: (level, message, facts) => lines.push(JSON.stringify({ level, message, ...facts })),
    signal: stop.signal,
    ...options,
  });
  const leave = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  onTestFinished(leave);
  return { workFolder, log: () => lines.join("\n"), leave };
}

/** Files of running jobs: the spare process has folders, but no files. */
const filesOf = (workFolder: string): string[] =>
  readdirSync(workFolder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [] : [entry.name],
  );

describe("a worker", () => {
  test("publishes the same bundle as a direct export, and leaves no files behind", async () => {
    const site = smallSite();
    const each = await openTestStore(site);
    const assistant = { url: "https://api.acme.com", key: "svc_dsc_0123456789" };
    // The site counts people by its server, so its pages send nothing.
    const worker = startWorker(each, { assistant, analytics: { url: "https://api.acme.com" } });
    const job = await each.untilFinished(await each.startJob());
    const archive = join(each.folder, "own.tar.gz");
    const own = await exportInProcess({
      source: site,
      archive,
      baseUrl: "https://docs.acme.com",
      assistant: { ...assistant, domain: "docs.acme.com" },
    });
    expect(own.manifest?.assistant).toBe("https://api.acme.com");
    expect(job).toMatchObject({ status: "completed", progress: 100, pageCount: 2, attempt: 1 });
    expect(job.bundle).toEqual({
      objectKey: `static-exports/${job.jobId}/1/bundle.tar.gz`,
      bytes: own.archive!.bytes,
      sha256: own.archive!.sha256,
    });
    expect(sha256OfObject(each, job.bundle!.objectKey)).toBe(own.archive!.sha256);
    await worker.leave();
    expect(readdirSync(worker.workFolder)).toEqual([]);
  });

  test("lets pages report their views to the service if the site counts people that way", async () => {
    const each = await openTestStore(smallSite());
    const { organizationId, domain } = each.project;
    await each.store.accounts.setCounting(organizationId, domain, { humansFrom: "beacon" });
    const worker = startWorker(each, { analytics: { url: "https://api.acme.com" } });
    const { jobId } = await each.untilFinished(await each.startJob());
    const pages = createSitePages({ store: each.store, log: () => {}, now: Date.now });
    const found = await pages.of(each.project.projectId);
    expect([found?.origin, found?.basePath, found?.has("/"), found?.has("/404")]).toEqual([
      "https://docs.acme.com",
      "",
      true,
      false,
    ]);
    const bundle = await each.store.objects.read(`static-exports/${jobId}/1/bundle.tar.gz`, 0, 10_000_000);
    const unpacked = gunzipSync(bundle!.bytes).toString("latin1");
    expect(unpacked).toContain('offprintCount={"url":"https://api.acme.com/v1/collect/docs.acme.com"');
    await worker.leave();
  });

  test("exports a repository in the process that is ready", async () => {
    const repository = writeSite(temporaryFolder(), {
      "docs/docs.json": JSON.stringify({
        theme: "mint",
        name: "Acme",
        colors: { primary: "#0a6c5b" },
        navigation: ["index"],
      }),
      "docs/index.mdx": page("Start", "Hello.\n\n```js\nlet a = 1;\n```"),
    });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: repository });
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "First");
    vi.stubEnv("OFFPRINT_GIT_ALLOW_PRIVATE", pathToFileURL(repository).href);
    onTestFinished(() => void vi.unstubAllEnvs());
    const each = await openTestStore(smallSite());
    const { organizationId } = each.project;
    const domain = "git.acme.com";
    const { projectId } = await each.store.accounts.addProject({
      organizationId,
      domain,
      source: { kind: "git", url: pathToFileURL(repository).href, subfolder: "docs" },
      deployment: "cloud",
    });
    const worker = startWorker(each, { keepSpare: true });
    for (const _ of [1, 2]) {
      const ready = await waitUntil("the spare process", () =>
        childrenOf(process.pid).filter(isExport).find(nodeInside),
      );
      const created = await each.store.jobs.create({ organizationId, projectId, domain });
      if (!("job" in created)) throw new Error("not reached");
      expect(await each.untilFinished(created.job.jobId)).toMatchObject({ status: "completed", pageCount: 1 });
      expect(isAlive(ready)).toBe(false);
      // The code of the page is highlighted once.
      const cache = join(each.folder, "cache/sites", projectId);
      expect(readdirSync(cache, { recursive: true }).filter((path) => /^..\/.{30,}$/.test(String(path)))).toHaveLength(
        1,
      );
    }
    await waitUntil("a free disk", () => filesOf(worker.workFolder).length === 0);
  });

  test("exports a folder that replaces the one of the job before", async () => {
    const site = smallSite();
    const each = await openTestStore(site);
    startWorker(each, { keepSpare: true });
    expect(await each.untilFinished(await each.startJob())).toMatchObject({ status: "completed", pageCount: 2 });
    await waitUntil("the spare process", () => childrenOf(process.pid).filter(isExport).some(nodeInside));
    renameSync(site, `${site}-before`);
    writeSite(site, { "index.mdx": page("New", "Hello.") });
    onTestFinished(() => rmSync(`${site}-before`, { recursive: true }));
    expect(await each.untilFinished(await each.startJob())).toMatchObject({ status: "completed", pageCount: 1 });
  });

  test("reuses the last archive as long as the contents of the site's files are unchanged", async () => {
    const site = smallSite();
    const each = await openTestStore(site);
    startWorker(each);
    const bundleOf = async () => (await each.untilFinished(await each.startJob())).bundle!;
    const first = await bundleOf();
    const last = join(each.folder, "cache/sites", each.project.projectId, "last");
    const [record, archive] = [join(last, "record"), join(last, "bundle.tar.gz")];
    const { inputs, outcome } = JSON.parse(readChecked(record)!.toString());
    // Another archive shows whether it is taken.
    const other = Buffer.from("other bytes");
    const forge = (sha256: string): void => {
      writeFileSync(archive, other);
      writeChecked(
        record,
        Buffer.from(JSON.stringify({ inputs, outcome: { ...outcome, bytes: other.length, sha256 } })),
      );
    };
    const hashOfOther = createHash("sha256").update(other).digest("hex");
    forge(hashOfOther);
    writeFileSync(join(site, "index.mdx"), page("Start", "Hello."));
    expect(await bundleOf()).toMatchObject({ sha256: hashOfOther });

    forge(first.sha256);
    expect(await bundleOf(), "after damage").toMatchObject({ sha256: first.sha256, bytes: first.bytes });
    forge(hashOfOther);
    writeFileSync(join(site, "index.mdx"), page("Start", "Hello?"));
    const changed = await bundleOf();
    expect([first.sha256, hashOfOther]).not.toContain(changed.sha256);
    expect(sha256OfObject(each, changed.objectKey)).toBe(changed.sha256);
  });

  test("exports for groups of readers, each time with an index of its own and nothing of another audience, and counts views of all of them", async () => {
    const site = smallSite();
    const restricted = page("Install", "Text.").replace("---\n\n", "groups: [staff]\n---\n\n");
    writeFileSync(join(site, "guides/install.mdx"), restricted);
    const each = await openTestStore(site);
    startWorker(each);
    for (const audience of [["staff"], undefined, ["staff"]]) {
      const job = await each.untilFinished(await each.startJob(audience && { audience }));
      expect(job).toMatchObject({ status: "completed", pageCount: audience ? 2 : 1, audience });
      const object = await each.store.objects.read(`static-exports/${job.jobId}/1/index`, 0, 1e6);
      const { index } = await openSiteIndex(Buffer.from(object!.bytes), "https://fallback.example.com");
      expect((await index.page("/guides/install")) !== undefined).toBe(audience !== undefined);
    }
    const pages = await createSitePages({ store: each.store, log: () => {}, now: Date.now }).of(each.project.projectId);
    // Views of the pages for some readers are counted too.
    expect(["/", "/guides/install", "/nothing"].map((path) => pages?.has(path))).toEqual([true, true, false]);
  });

  test("reports errors of the site without a retry", async () => {
    const each = await openTestStore(smallSite());
    startWorker(each);
    const unknown = await each.untilFinished(await each.startJob({ paths: ["guides/install", "guides/instal"] }));
    expect(unknown).toMatchObject({ status: "failed", attempt: 1 });
    expect(unknown.error).toContain('should include "guides/instal", but the site has no such page');
    expect(unknown.error).toContain('fix: write "/guides/install"');
  });

  test("fails for a branch of a folder, and for a label exports the default version with a warning", async () => {
    const each = await openTestStore(smallSite());
    startWorker(each);
    const versioned = await each.untilFinished(await each.startJob({ version: "refs/heads/main" }));
    expect(versioned.error).toContain("comes from a folder, which has no branches, tags or commits");
    expect(versioned).toMatchObject({ status: "failed", attempt: 1 });
    const { jobId, status, version } = await each.untilFinished(await each.startJob({ version: "v2" }));
    expect([status, version]).toEqual(["completed", "v2"]);
    const { lines } = await each.store.jobs.log(jobId, { limit: 100 });
    expect(lines.filter(({ level }) => level === "warning").map(({ message }) => message)).toEqual([
      "The site's source has no branch, tag or commit \"v2\", so this is only a label: the site's default version is exported.",
    ]);
  });

  test("stores the diagnostics of a published bundle and of a failed export, logs each step, and reveals no path of its machine", async () => {
    const site = smallSite();
    writeFileSync(join(site, "guides/install.mdx"), page("Install", "[a](/guides/instal) [b](/none)"));
    const each = await openTestStore(site);
    startWorker(each);
    const published = await each.untilFinished(await each.startJob());
    const key = `static-exports/${published.jobId}/1/diagnostics.jsonl`;
    expect(published.report).toMatchObject({ diagnosticsKey: key });
    const { errors, warnings } = published.report!;
    const read = async (objectKey: string) =>
      Buffer.from((await each.store.objects.read(objectKey, 0, 1e6))!.bytes)
        .toString()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Diagnostic);
    const found = await read(key);
    expect(found.map(({ location }) => location?.sourcePath)).toEqual(Array(2).fill("guides/install.mdx"));
    expect([errors, warnings]).toEqual(
      ["error", "warning"].map((severity) => found.filter((fault) => fault.severity === severity).length),
    );
    const messages = async (jobId: string) =>
      (await each.store.jobs.log(jobId, { limit: 100 })).lines.map(({ message }) => message);
    expect(await messages(published.jobId)).toEqual([
      "Attempt 1 started.",
      "The site's files are ready.",
      `The site was exported (pages: 2, rendered: 2, errors: ${errors}, warnings: ${warnings}).`,
      `The bundle was stored (${published.bundle!.bytes} bytes).`,
      "The job is completed.",
    ]);

    writeFileSync(join(site, "docs.json"), "{");
    const failed = await each.untilFinished(await each.startJob());
    const faults = await read(failed.report!.diagnosticsKey!);
    expect(faults[0]).toMatchObject({ severity: "error", location: { sourcePath: "docs.json", line: 1 } });
    expect(failed.report).toMatchObject({ errors: faults.filter(({ severity }) => severity === "error").length });
    expect(failed.error).toMatch(/^The site could not be exported\.\nerror .* docs\.json:1/);
    const log = await messages(failed.jobId);
    expect(log.at(-1)).toBe(`The job failed. ${failed.error}`);

    rmSync(join(site, "docs.json"));
    const gone = await each.untilFinished(await each.startJob());
    expect(JSON.stringify([found, faults, log, gone.error])).not.toContain(site);
  });

  test("exports the requested pages; the index of a whole site is stored with its bundle, and of a part none", async () => {
    const each = await openTestStore(smallSite());
    startWorker(each);
    const whole = await each.untilFinished(await each.startJob());
    const object = await each.store.objects.read(`static-exports/${whole.jobId}/1/index`, 0, 1e6);
    const { index } = await openSiteIndex(Buffer.from(object!.bytes), "https://fallback.example.com");
    expect(index.baseUrl).toBe(`https://${whole.domain}`);
    const { passages } = await index.search({ query: "install", count: 1 });
    expect(passages[0]).toMatchObject({ path: "/guides/install", url: `https://${whole.domain}/guides/install` });
    expect((await index.page("/guides/install"))!.content).toContain("# Install");
    const part = await each.untilFinished(await each.startJob({ paths: ["guides/install"] }));
    expect(part).toMatchObject({ status: "completed", pageCount: 1 });
    expect(await each.store.objects.sizeOf(`static-exports/${part.jobId}/1/index`)).toBeUndefined();
  });

  test("completes its job with a warning even if the diagnostics cannot be stored", async () => {
    const site = smallSite();
    writeFileSync(join(site, "index.mdx"), page("Start", "[a](/none)"));
    const each = await openTestStore(site);
    const putBytes = () => Promise.reject(new Error("the store answers 503"));
    startWorker(each, { store: { ...each.store, objects: { ...each.store.objects, putBytes } } });
    const job = await each.untilFinished(await each.startJob());
    expect([job.status, job.report?.diagnosticsKey]).toEqual(["completed", undefined]);
    expect(job.report!.errors + job.report!.warnings).toBe(1);
    const { lines } = await each.store.jobs.log(job.jobId, { limit: 100 });
    expect(lines.map(({ message }) => message)).toContain("The diagnostics could not be stored.");
  });

  test("stops long before its end when its job is cancelled, and frees the disk", async () => {
    const each = await openTestStore(writeManyPages(temporaryFolder(), 400), quickly);
    const worker = startWorker(each);
    const jobId = await each.startJob();
    await waitUntil("the first page", async () => (await each.store.jobs.get(jobId))!.pageCount > 0);
    const [exporting] = childrenOf(process.pid).filter((pid) => isExport(pid));
    expect(exporting).toBeDefined();
    await each.store.jobs.cancel(jobId, "The job was cancelled.");
    await waitUntil("the end of the process", () => !isAlive(exporting!));
    await waitUntil("a free disk", () => filesOf(worker.workFolder).length === 0);
    const job = (await each.store.jobs.get(jobId))!;
    expect(job).toMatchObject({ status: "failed", error: "The job was cancelled." });
    expect(job.pageCount).toBeLessThan(400);
  });

  test("exports a page that is expensive to parse", async () => {
    const cards = '<Card title="a">b</Card>\n\n'.repeat(1400);
    const each = await openTestStore(writeSite(temporaryFolder(), { "index.mdx": page("Cards", cards) }));
    startWorker(each);
    expect(await each.untilFinished(await each.startJob())).toMatchObject({
      status: "completed",
      report: { errors: 0 },
    });
  });

  test("requeues its jobs on shutdown", async () => {
    // Its lease would not end within the test.
    const each = await openTestStore(writeManyPages(temporaryFolder(), 40), { ...quickly, leaseMs: 600_000 });
    const first = startWorker(each);
    const jobId = await each.startJob();
    await each.untilStatus(jobId, "running");
    await first.leave();
    startWorker(each);
    expect(await each.untilFinished(jobId)).toMatchObject({ status: "completed", attempt: 2, pageCount: 40 });
  });

  test("finishes jobs within the grace time", async () => {
    const each = await openTestStore(smallSite());
    const worker = startWorker(each, { graceMs: 20_000 });
    const jobId = await each.startJob();
    await each.untilStatus(jobId, "running");
    await worker.leave();
    expect(await each.store.jobs.get(jobId)).toMatchObject({ status: "completed", attempt: 1 });
  });

  test("retries when the object store fails, and gives up in the end", async () => {
    const each = await openTestStore(smallSite(), { ...quickly, maxAttempts: 2 });
    let failures = 1;
    const objects: Store["objects"] = {
      ...each.store.objects,
      put: async (...words) => {
        if (failures-- > 0) throw new Error("the bucket answers 503");
        return each.store.objects.put(...words);
      },
    };
    const worker = startWorker(each, { store: { ...each.store, objects } });
    expect(await each.untilFinished(await each.startJob())).toMatchObject({ status: "completed", attempt: 2 });
    failures = 2;
    const failed = await each.untilFinished(await each.startJob());
    expect(failed).toMatchObject({ status: "failed", attempt: 2 });
    expect(failed.error).toContain("The bundle could not be stored.");
    expect(worker.log()).toContain("the bucket answers 503");
  });
});

describe("an export's process", () => {
  test("that is killed costs an attempt, and the third time the job", async () => {
    const each = await openTestStore(writeManyPages(temporaryFolder(), 150), quickly);
    startWorker(each, { keepSpare: true });
    const jobId = await each.startJob();
    for (const attempt of [1, 2, 3]) {
      await waitUntil("the attempt", async () => (await each.store.jobs.get(jobId))!.attempt === attempt);
      // The running and the spare process look the same from outside.
      await waitUntil("its end", async () => {
        for (const pid of childrenOf(process.pid).filter(isExport)) process.kill(pid, "SIGKILL");
        const job = (await each.store.jobs.get(jobId))!;
        return job.attempt > attempt || isFinished(job);
      });
    }
    const job = await each.untilFinished(jobId);
    expect(job.status).toBe("failed");
    expect(job.error).toContain("killed (SIGKILL), probably because the system ran out of memory");
  });

  // Its settings need more than 24 MiB. Node needs 14 to start; if it runs out of memory before, it may wait for ever for a
  // lock that it holds.
  test.each([{ heapMb: 24 }, { maxMemoryMb: 20 }])("that reaches its memory limit is reported: %j", async (limit) => {
    const redirects = Array.from({ length: 60_000 }, (_, index) => ({
      source: `/old-${index}`,
      destination: "/index",
    }));
    const docs = { name: "Test", navigation: { pages: ["index"] }, redirects };
    const site = writeSite(temporaryFolder(), {
      "docs.json": JSON.stringify(docs),
      "index.mdx": page("Start", "Hello."),
    });
    const each = await openTestStore(site, { ...quickly, maxAttempts: 1 });
    startWorker(each, limit);
    const job = await each.untilFinished(await each.startJob());
    expect(job).toMatchObject({ status: "failed", error: "The export process reached its memory limit." });
  });

  test("that gets no processor time keeps its lease, until the deadline of its job", async () => {
    const rules = { ...quickly, leaseMs: 3000, deadlineMs: 8000 };
    const each = await openTestStore(writeManyPages(temporaryFolder(), 150), rules);
    startWorker(each);
    const jobId = await each.startJob();
    await each.untilStatus(jobId, "running");
    await waitUntil("the end", async () => {
      // A process that makes namespaces may not have started Node yet.
      for (const pid of childrenOf(process.pid).filter(isExport)) process.kill(nodeInside(pid) ?? pid, "SIGSTOP");
      return isFinished((await each.store.jobs.get(jobId))!);
    });
    const job = await each.untilFinished(jobId);
    expect(job).toMatchObject({ status: "failed", attempt: 1 });
    expect(job.error).toContain("The export exceeded the time limit of 8 s.");
  });

  test("has no variables of the worker's environment", async () => {
    const each = await openTestStore(smallSite());
    process.env["OFFPRINT_TEST_SECRET"] = "kept from children";
    onTestFinished(() => {
      delete process.env["OFFPRINT_TEST_SECRET"];
    });
    startWorker(each, { keepSpare: true });
    const pid = await waitUntil("the spare process", () => childrenOf(process.pid).find(isExport));
    expect(environmentOf(pid)).toEqual(["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE", "TEMP", "TMPDIR", "TZ"]);
  });
});
