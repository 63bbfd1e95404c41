import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { sweeping } from "../quality/bundle.js";
import { finish, start, temporaryFolder, writeManyPages } from "../support/cli.js";
import { findCorpora } from "../support/corpora.js";
import { ask, startService, type TestService } from "../support/service.js";

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run: string;
}
interface Workflow {
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

/** The workflow in the documentation of the API that ours is compatible with; undefined without that page. */
function publishedWorkflow(): Workflow | undefined {
  const pages = findCorpora().map(({ folder }) => join(folder, "api/static-export/overview.mdx"));
  const page = pages.find(existsSync);
  if (page === undefined) return undefined;
  return parse(/\n( *)```yaml [^\n]*\.yml\n([\s\S]*?)\n\1```/.exec(readFileSync(page, "utf8"))![2]!) as Workflow;
}

interface Ran {
  readonly name: string;
  readonly code: number | null;
  readonly stdout: string;
}

/** Runs the steps like a runner until one fails, with other address and key, shorter waits, and no cluster. */
async function runWorkflow(
  workflow: Workflow,
  service: Pick<TestService, "url" | "key">,
  onOutput?: (chunk: string, outputs: Outputs) => void,
) {
  const folder = temporaryFolder();
  const programs = join(folder, "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, "sleep"), "#!/bin/sh\nexec /bin/sleep 0.2\n");
  writeFileSync(join(programs, "helm"), `#!/bin/sh\nprintf '%s\\n' "$@" > ${join(folder, "helm.txt")}\n`);
  for (const name of ["sleep", "helm"]) chmodSync(join(programs, name), 0o755);
  const outputs: Outputs = {};
  const ran: Ran[] = [];
  const filled = (written: string): string =>
    written
      .replaceAll(/https:\/\/[\w.-]+(?=\/v1\/)/g, service.url)
      .replaceAll(/\$\{\{ secrets\.\w+ \}\}/g, service.key)
      .replaceAll(/\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}/g, (_, step, key) => outputs[step]?.[key] ?? "");
  for (const { name, id, env: ofStep, run } of Object.values(workflow.jobs)[0]!.steps) {
    const output = join(folder, "output");
    writeFileSync(output, "");
    const env: NodeJS.ProcessEnv = { PATH: `${programs}:${process.env["PATH"]}`, GITHUB_OUTPUT: output };
    for (const [key, value] of Object.entries({ ...workflow.env, ...ofStep })) env[key] = filled(value);
    const step = start("bash", ["-e", "-c", filled(run)], { env });
    const finished = finish(step);
    step.stdout!.on("data", (chunk: string) => onOutput?.(chunk, outputs));
    const { code, stdout } = await finished;
    if (id !== undefined) outputs[id] = Object.fromEntries(readFileSync(output, "utf8").trim().split("\n").map(pair));
    ran.push({ name, code, stdout });
    if (code !== 0) break;
  }
  const helm = join(folder, "helm.txt");
  return { ran, rolledOut: existsSync(helm) ? readFileSync(helm, "utf8") : undefined };
}

type Outputs = Record<string, Record<string, string>>;
const pair = (line: string): [string, string] => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)];

const own = parse(
  readFileSync(fileURLToPath(new URL("../../fixtures/workflows/poll-and-roll-out.yml", import.meta.url)), "utf8"),
) as Workflow;
const published = publishedWorkflow();
for (const [whose, workflow] of [
  ["our workflow", own],
  ["the published workflow", published],
] as const)
  describe.skipIf(workflow === undefined)(whose, () => {
    test("rolls out the bundle of an export", async () => {
      const service = await startService(writeManyPages(temporaryFolder(), 30));
      const { ran, rolledOut } = await runWorkflow(workflow!, service);
      expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
      expect(ran[1]!.stdout).toMatch(/(status=(queued|running)\n)*status=completed\n$/);
      const url = /staticExport\.bundleUrl=(\S+)/.exec(rolledOut!)![1]!;
      expect((await fetch(url)).status).toBe(200);
    });

    // The service gives the same answers to both, since they make the same requests.
    const stops = test.skipIf(workflow === published && !sweeping);
    stops("ends, and rolls out nothing, when the site cannot be exported", async () => {
      const site = writeManyPages(temporaryFolder(), 2);
      const service = await startService(site);
      rmSync(join(site, "docs.json"));
      const { ran, rolledOut } = await runWorkflow(workflow!, service);
      expect(ran.map(({ code }) => code)).toEqual([0, 1]);
      expect(ran[1]!.stdout).toMatch(/status=failed\n$/);
      expect(rolledOut).toBeUndefined();
    });

    stops("ends, and rolls out nothing, when the job is cancelled", async () => {
      const service = await startService(writeManyPages(temporaryFolder(), 800));
      let cancelled: Promise<unknown> | undefined;
      const { ran, rolledOut } = await runWorkflow(workflow!, service, (chunk, { start: started }) => {
        if (chunk.includes("status=running")) cancelled ??= ask(service, "DELETE", `/${started!["job_id"]}`);
      });
      await cancelled;
      expect(ran.map(({ code }) => code)).toEqual([0, 1]);
      expect(ran[1]!.stdout).toMatch(/status=running\n(.*\n)*status=failed\n$/);
      expect(rolledOut).toBeUndefined();
    });
  });

test.skipIf(published === undefined)("our workflow makes the requests of the published one", async () => {
  const requests = await requestsOf(own);
  expect(requests).toHaveLength(5);
  expect(requests).toEqual(await requestsOf(published!));
});

/** The requests of a workflow to a service that completes the job at the third poll. */
async function requestsOf(workflow: Workflow): Promise<readonly object[]> {
  const answers = [
    { jobId: "se_1" },
    { status: "queued" },
    { status: "running" },
    { status: "completed" },
    { bundleUrl: "https://objects.example.com/bundle.tar.gz" },
  ];
  const requests: object[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request);
    const { authorization, "content-type": type } = headers;
    response.end(JSON.stringify(answers[requests.length]));
    requests.push({ method, url, authorization, type, body: body && JSON.parse(body) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { ran } = await runWorkflow(workflow, { url, key: "svc_x" });
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  return requests;
}
