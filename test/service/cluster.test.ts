// A service on many machines, from the first start of a job to the end of its bundle: two processes of the API, two workers,
// PostgreSQL, and an S3 server that checks signatures. Long, so only with OFFPRINT_SOAK=1: npm run cluster.
import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { CreateBucketCommand, DeleteObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, onTestFinished, test } from "vitest";
import { runCli, startCli, temporaryFolder, writeManyPages } from "../support/cli.js";
import { emptyDatabase } from "../support/postgres.js";
import { startSwift } from "../support/swift.js";
import { waitUntil } from "../support/wait-until.js";

const bucket = "bundles";
const linkSeconds = 5;

interface Machine {
  readonly child: ChildProcess;
  log(): string;
}

async function startCluster() {
  const swift = await startSwift();
  onTestFinished(() => swift.stop());
  const { accessKeyId, secretAccessKey } = swift.credentials;
  const s3 = new S3Client({ ...swift, forcePathStyle: true });
  onTestFinished(() => s3.destroy());
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const shared: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    DATABASE_URL: await emptyDatabase(),
    OFFPRINT_S3_BUCKET: bucket,
    OFFPRINT_S3_ENDPOINT: swift.endpoint,
    AWS_REGION: swift.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    OFFPRINT_CREDENTIALS_KEY: randomBytes(32).toString("hex"),
    OFFPRINT_LINK_TTL_SECONDS: String(linkSeconds),
  };
  /** A process with its own data folder: it shares only the database and the bucket. */
  const start = (command: "api" | "worker", more: NodeJS.ProcessEnv = {}): Machine => {
    const args = [command, "--data", join(temporaryFolder(), "data"), ...(command === "api" ? ["--port", "0"] : [])];
    const child = startCli(args, { env: { ...shared, XDG_CACHE_HOME: temporaryFolder(), ...more } });
    let output = "";
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    });
    return { child, log: () => output };
  };
  const startApi = async (): Promise<string> => {
    const api = start("api");
    return waitUntil("the API", () => /"the API listens".*"url":"([^"]+)"/.exec(api.log())?.[1]);
  };
  const cli = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli([...args, "--data", join(temporaryFolder(), "data")], {
      env: shared,
    });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  return { swift, s3, start, startApi, cli };
}

test.runIf(process.env["OFFPRINT_SOAK"])(
  "a job goes through many machines, and its link is as good as S3 makes it",
  async () => {
    const { swift, s3, start, startApi, cli } = await startCluster();
    const site = join(temporaryFolder(), "site");
    writeManyPages(site, 200);
    await cli("site", "add", "docs.acme.com", "--folder", site);
    const key = (await cli("key", "create")).trim();
    const [one, two] = [await startApi(), await startApi()];
    const workers = [start("worker"), start("worker")];
    const ask = async (api: string, method: string, path: string, body?: object) => {
      const answer = await fetch(`${api}/v1/static-export/jobs${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: what the API answers
      return { status: answer.status, json: (await answer.json()) as any };
    };
    const exported = async (during: (jobId: string) => void = () => {}): Promise<string> => {
      const { status, json } = await ask(one, "POST", "", { domain: "docs.acme.com" });
      expect(status).toBe(202);
      during(json.jobId);
      let progress = 0;
      const job = await waitUntil("the end of the job", async () => {
        const { json: now } = await ask(two, "GET", `/${json.jobId}?wait=20`);
        expect(now.progress).toBeGreaterThanOrEqual(progress);
        progress = now.progress;
        return (now.status === "completed" || now.status === "failed") && now;
      });
      expect([job.status, job.error]).toEqual(["completed", undefined]);
      return json.jobId;
    };

    // The other API answers for a job that the first one has started.
    const jobId = await exported();
    const { json: bundle } = await ask(two, "POST", `/${jobId}/bundle`);
    expect(bundle.bundleUrl).toMatch(new RegExp(`^${swift.endpoint}/${bucket}/.*X-Amz-Signature=`));
    const download = await fetch(bundle.bundleUrl);
    const bytes = Buffer.from(await download.arrayBuffer());
    expect([download.status, bytes.length]).toEqual([200, bundle.sizeBytes]);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(bundle.sha256);
    const part = await fetch(bundle.bundleUrl, { headers: { range: "bytes=0-9" } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);

    // No part of a link can be changed.
    const url = new URL(bundle.bundleUrl);
    const changed = (change: (link: URL) => void): string => {
      const link = new URL(url);
      change(link);
      return link.href;
    };
    for (const link of [
      changed((each) => each.searchParams.set("X-Amz-Signature", "0".repeat(64))),
      changed((each) => each.searchParams.set("X-Amz-Expires", "86400")),
      changed((each) =>
        each.searchParams.set(
          "X-Amz-Credential",
          each.searchParams.get("X-Amz-Credential")!.replace("us-east-1", "eu-west-1"),
        ),
      ),
      changed((each) => {
        each.pathname = each.pathname.replace(jobId, `se_${"0".repeat(32)}`);
      }),
      changed((each) => {
        each.search = "";
      }),
    ]) {
      const { status } = await fetch(link);
      expect([link, status >= 400 && status < 500]).toEqual([link, true]);
    }
    expect((await fetch(bundle.bundleUrl, { method: "PUT", body: "x" })).status).toBe(403);

    // A link expires, and a new one leads to the same bytes.
    const expiresAt = Date.parse(bundle.expiresAt);
    await waitUntil("the end of the link", () => Date.now() > expiresAt + 1500);
    expect((await fetch(bundle.bundleUrl)).status).toBe(403);
    const { json: again } = await ask(one, "POST", `/${jobId}/bundle`);
    expect([again.sha256, (await fetch(again.bundleUrl)).status]).toEqual([bundle.sha256, 200]);

    // A worker that is killed loses no job; the same site gives the same bytes.
    const second = await exported(() => {
      setTimeout(() => workers[0]!.child.kill("SIGKILL"), 1500);
    });
    expect((await ask(one, "POST", `/${second}/bundle`)).json.sha256).toBe(bundle.sha256);

    // A rule of the bucket deletes an old bundle; the job says so.
    await s3.send(
      new DeleteObjectCommand({ Bucket: bucket, Key: decodeURIComponent(url.pathname.slice(bucket.length + 2)) }),
    );
    const gone = await ask(two, "POST", `/${jobId}/bundle`);
    expect([gone.status, gone.json.error]).toEqual([404, expect.stringContaining("has been deleted")]);
  },
);
