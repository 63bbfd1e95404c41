/** End to end: a site in a private repository, its bundle in a bucket, both over HTTP. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openS3Store } from "../../../src/service/store/s3-store.js";
import { callCli, startCli, writeSite } from "../../support/cli.js";
import { type GitServer, startGitServer } from "../../support/git-server.js";
import { type Swift, startSwift } from "../../support/swift.js";
import { waitUntil } from "../../support/wait-until.js";

interface Answer {
  readonly httpStatus: number;
  readonly jobId: string;
  readonly status: string;
  readonly error?: string;
  readonly bundleUrl: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly expiresAt: string;
}

describe("a service with a private repository and a bucket", () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-service-"));
  let swift: Swift;
  let server: GitServer;
  let service: ChildProcess;
  let address: string;
  let key: string;
  let log = "";
  let settings: Record<string, string | undefined>;

  beforeAll(async () => {
    const repository = join(folder, "served", "docs.git");
    mkdirSync(repository, { recursive: true });
    const git = (...words: string[]): Buffer =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: repository });
    writeSite(join(repository, "site"), { "index.mdx": "# Of main\n\n[gone](/none)\n" });
    git("init", "--quiet", "--initial-branch=main");
    git("add", "--all");
    git("commit", "--quiet", "--message", "one");
    server = await startGitServer(join(folder, "served"), { credential: "x-access-token:secret-token" });
    swift = await startSwift();
    const { endpoint, region, credentials } = swift;
    await new S3Client({ endpoint, region, credentials, forcePathStyle: true }).send(
      new CreateBucketCommand({ Bucket: "bundles" }),
    );
    const env = {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      OFFPRINT_DATA: join(folder, "data"),
      OFFPRINT_LINK_TTL_SECONDS: "3",
      OFFPRINT_S3_BUCKET: "bundles",
      OFFPRINT_S3_PREFIX: "docs",
      OFFPRINT_S3_ENDPOINT: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      OFFPRINT_GIT_ALLOW_PRIVATE: "127.0.0.1",
      GIT_SSL_CAINFO: server.certificate,
    };
    settings = env;
    const site = ["docs.example.com", "--git", `${server.url}/docs.git`, "--subfolder", "site"];
    expect(await callCli(["site", "add", ...site], { env })).toMatchObject({ code: 0 });
    writeFileSync(join(folder, "token"), "secret-token\n");
    const credential = ["credential", "add", `${server.url}/`, "--secret-file", join(folder, "token")];
    expect(await callCli(credential, { env })).toMatchObject({ code: 0 });
    const made = await callCli(["key", "create", "--name", "test"], { env });
    key = /svc_\w+/.exec(made.stdout)![0];
    service = startCli(["service", "--port", "0", "--export-priority", "normal"], { env });
    address = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        log += chunk.toString();
        const [said] = /http:\/\/127\.0\.0\.1:\d+/.exec(log) ?? [];
        if (said !== undefined) resolve(said);
      };
      service.stdout!.on("data", read);
      service.stderr!.on("data", read);
      service.once("exit", () => reject(new Error(`The service has ended.\n${log}`)));
    });
  });
  afterAll(async () => {
    service.kill("SIGTERM");
    await new Promise((resolve) => service.once("close", resolve));
    // The token, the bucket's secret and signed links are not logged.
    expect(log).toContain("docs.example.com");
    expect(log).not.toMatch(/secret-token|testing|Signature=/);
    await Promise.all([server.close(), swift.stop()]);
  });

  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${address}/v1/static-export/jobs${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { ...((await answer.json()) as Answer), httpStatus: answer.status };
  };
  const run = async (body: object): Promise<Answer> => {
    let job = await ask("POST", "", { domain: "docs.example.com", ...body });
    while (!["completed", "failed"].includes(job.status)) job = await ask("GET", `/${job.jobId}?wait=5`);
    return job;
  };

  test("returns its bundle by a link that expires, and by another one the same bytes", async () => {
    const job = await run({});
    expect(job).toMatchObject({ status: "completed" });
    const download = (): Promise<Answer> => waitUntil("a download before the link expires", downloadInTime);
    const downloadInTime = async (): Promise<Answer | undefined> => {
      const bundle = await ask("POST", `/${job.jobId}/bundle`);
      const answer = await fetch(bundle.bundleUrl);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (Date.now() >= Date.parse(bundle.expiresAt)) return undefined;
      expect([answer.status, bytes.length]).toEqual([200, bundle.sizeBytes]);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(bundle.sha256);
      return bundle;
    };
    const first = await download();
    const lifeMs = Date.parse(first.expiresAt) - Date.now();
    expect(lifeMs).toBeLessThanOrEqual(3000);
    await sleep(lifeMs + 1100);
    expect((await fetch(first.bundleUrl)).status).toBe(403);
    expect((await download()).sha256).toBe(first.sha256);

    const { diagnostics } = (await ask("GET", `/${job.jobId}/diagnostics`)) as unknown as { diagnostics: object[] };
    expect(diagnostics).toMatchObject([{ code: "LINK_NOT_FOUND", location: { sourcePath: "index.mdx", line: 3 } }]);

    const lines = JSON.stringify(await ask("GET", `/${job.jobId}/logs`));
    expect(lines).toContain("The bundle was stored");
    expect(lines).not.toMatch(/secret-token|testing|Signature=|\/tmp\//);

    // As a lifecycle rule of the bucket does.
    const { endpoint, region, credentials } = swift;
    const bucket = openS3Store({ bucket: "bundles", prefix: "docs", endpoint, region, credentials });
    for (const name of ["bundle.tar.gz", "diagnostics.jsonl"])
      await bucket.remove(`static-exports/${job.jobId}/1/${name}`);
    for (const [method, name, what] of [
      ["POST", "bundle", "The bundle"],
      ["GET", "diagnostics", "The diagnostics"],
    ] as const) {
      const answer = await ask(method, `/${job.jobId}/${name}`);
      expect(answer).toEqual({
        httpStatus: 404,
        error: expect.stringMatching(new RegExp(`^${what} of this job (has|have) been deleted\\. Start a new job\\.$`)),
      });
    }
  });

  test("the first owner adds a site, exports it, and downloads its bundle in the console, by its links and forms alone", async () => {
    const invite = await callCli(["console", "invite", "ada@example.com", "--role", "owner"], { env: settings });
    const cookies = new Map<string, string>();
    let page = "";
    const visit = async (path: string, form?: Record<string, string>): Promise<void> => {
      const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1];
      const body = form && new URLSearchParams({ ...(csrf === undefined ? {} : { csrf }), ...form });
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const headers = { cookie, origin: address };
      const answer = await fetch(new URL(path, address), {
        method: body ? "POST" : "GET",
        headers,
        body,
        redirect: "manual",
      });
      for (const [, name, value] of answer.headers.getSetCookie().map((header) => /^([^=]+)=([^;]*)/.exec(header)!))
        cookies.set(name!, value!);
      const to = answer.headers.get("location");
      if (to?.includes("/bundle.tar.gz")) page = await (await fetch(to)).text();
      else if (to !== null) await visit(to);
      else page = `${answer.status} ${await answer.text()}`;
    };
    const linkTo = (label: string): string =>
      new RegExp(`href="([^"]+)"[^>]*>(?:<(?!a )[^>]*>)*\\s*${label}`).exec(page)?.[1] ??
      expect.fail(`${label}: ${page}`);
    const formTo = (end: string): string =>
      new RegExp(`action="([^"]*${end})"`).exec(page)?.[1] ?? expect.fail(`${end}: ${page}`);

    const { pathname } = new URL(/http\S+\/console\/invite\/\S+/.exec(invite.stdout)![0]);
    await visit(pathname);
    await visit(formTo(pathname), { name: "Ada", password: "correct horse battery" });
    expect(page).toMatch(/^200 .*Open <a href="[^"]+">docs\.example\.com<\/a> and choose|^200 .*Latest jobs/s);
    await visit(linkTo("Sites"));
    await visit(linkTo("Add a site"));
    await visit(formTo("/sites"), { domain: "api.example.com", url: `${server.url}/docs.git`, deployment: "cloud" });
    expect(page).toContain("api.example.com is added.");
    const exported = async (): Promise<void> => {
      await visit(formTo("/export"), {});
      const job = formTo("/cancel").replace("/cancel", "");
      await waitUntil("the end of the export", async () => {
        await visit(job);
        return /Completed|Failed/.test(page);
      });
    };
    await exported();
    expect(page).toMatch(/Failed.*The site could not be exported\. Correct the site, or.*the folder site inside it/s);
    await visit(linkTo("change its source"));
    await visit(formTo("/source"), { url: `${server.url}/docs.git`, subfolder: "site", deployment: "cloud" });
    expect(page).toContain(`${server.url}/docs.git, folder site`);
    await exported();
    expect(page).toMatch(/Completed.*LINK_NOT_FOUND.*index\.mdx:3/s);
    await visit(formTo("/download"), {});
    expect(page.length).toBeGreaterThan(1000);
  });

  test("names a branch that the repository does not have, and says in the log that another version is only a label", async () => {
    expect(await run({ version: "refs/heads/v9" })).toMatchObject({
      status: "failed",
      error: `There is no branch, tag or commit "refs/heads/v9" in the repository at ${new URL(server.url).host}.`,
    });
    const labelled = await run({ version: "v9" });
    expect(labelled).toMatchObject({ status: "completed", version: "v9" });
    const { lines } = (await ask("GET", `/${labelled.jobId}/logs`)) as unknown as { lines: { message: string }[] };
    expect(lines.map(({ message }) => message)).toContain(
      "The site's source has no branch, tag or commit \"v9\", so this is only a label: the site's default version is exported.",
    );
  });
});
