/**
 * The workflow that sites copy, its steps run as a runner runs them, against the service itself. Two programs are stand-ins:
 * `helm` writes the values that it gets to the file that a real server reads, and `kubectl` asks that server, as its one pod.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { serveBundle } from "../../src/serve/serve-bundle.js";
import { type CliRun, finish, page, start, startCli, temporaryFolder, writeSite } from "../support/cli.js";
import { ask } from "./ask.js";
import { newFolder } from "./small-site.js";

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
}
interface Workflow {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: { readonly publish: { readonly steps: readonly Step[]; readonly "timeout-minutes": number } };
}
const text = readFileSync(fileURLToPath(new URL("../../deploy/github-workflow.yml", import.meta.url)), "utf8");
const workflow = parse(text) as Workflow;
const steps = workflow.jobs.publish.steps.filter((step) => step.run !== undefined);

interface WorkflowRun {
  /** Steps that failed, by name. */
  readonly failed: readonly string[];
  readonly printed: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** Words of each call of helm, and the values it was given. */
  readonly helm?: { readonly words: readonly string[]; readonly values: unknown; readonly mode: number };
  readonly leftOver: readonly string[];
}

/** Runs the steps in order, as a runner does: none after one that failed, but those that always run. */
async function runWorkflow(
  url: string,
  secrets: Readonly<Record<string, string>>,
  pod?: { readonly values: string; readonly url: string; readonly maxPauses: number },
): Promise<WorkflowRun> {
  const folder = temporaryFolder();
  const temp = join(folder, "temp");
  const tools = join(folder, "tools");
  for (const each of [temp, tools]) mkdirSync(each);
  const notes = join(folder, "helm.json");
  const programs = {
    helm: `while [ $# -gt 0 ]; do printf '%s\\n' "$1" >> "${notes}.words"; [ "$1" = --values ] && cp -p "$2" "${notes}"; shift; done${pod ? `\ncp "${notes}" "${pod.values}.new" && mv "${pod.values}.new" "${pod.values}"` : ""}`,
    kubectl: `case "$*" in *--raw*) ${pod ? `exec curl -sf "${new URL(pod.url).origin}/\${3##*/proxy/}"` : 'echo "{\\"version\\":\\"$JOB_ID\\"}"'} ;; *) echo pod/docs-offprint-1 ;; esac`,
    // A runner ends a step that takes too long: here after so many pauses.
    sleep: `echo >> "${notes}.pauses"\n[ "$(wc -l < "${notes}.pauses")" -lt ${pod?.maxPauses ?? 1} ] || kill "$PPID"\nexec /bin/sleep 0.05`,
  };
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const outputFile = join(folder, "output");
  writeFileSync(outputFile, "");
  const outputs: Record<string, Record<string, string>> = {};
  const filled = (written: string): string =>
    written.replace(/\$\{\{ (?:secrets\.(\w+)|steps\.(\w+)\.outputs\.(\w+)) \}\}/g, (_all, secret, step, name) =>
      secret === undefined ? (outputs[step]?.[name] ?? "") : (secrets[secret] ?? ""),
    );
  const failed: string[] = [];
  let printed = "";
  for (const step of steps) {
    if (failed.length > 0 && step.if !== "always()") continue;
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)]));
    const child = start("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run!], {
      env: {
        PATH: `${tools}:${process.env["PATH"]}`,
        ...workflow.env,
        OFFPRINT_URL: url,
        DOMAIN: "docs.acme.com",
        RUNNER_TEMP: temp,
        GITHUB_OUTPUT: outputFile,
        GITHUB_RUN_ID: "17",
        GITHUB_RUN_ATTEMPT: "1",
        ...env,
      },
    });
    const { code, stdout, stderr }: CliRun = await finish(child);
    printed += stdout + stderr;
    if (code !== 0) failed.push(step.name ?? "");
    const written = readFileSync(outputFile, "utf8").trim().split("\n").filter(Boolean);
    if (step.id) outputs[step.id] = Object.fromEntries(written.map((line) => line.split("=") as [string, string]));
  }
  return {
    failed,
    printed,
    outputs: Object.assign({}, ...Object.values(outputs)) as Record<string, string>,
    helm: existsSync(notes)
      ? {
          words: readFileSync(`${notes}.words`, "utf8").trim().split("\n"),
          values: JSON.parse(readFileSync(notes, "utf8")),
          mode: statSync(notes).mode & 0o777,
        }
      : undefined,
    leftOver: readdirSync(temp),
  };
}

describe("the workflow", () => {
  let service: ChildProcess;
  let url: string;
  let key: string;

  beforeAll(async () => {
    const site = writeSite(join(newFolder(), "site"), { "index.mdx": page("Start", "Rolled out.") });
    service = startCli([
      "service",
      "--port",
      "0",
      "--data",
      newFolder(),
      "--site",
      `docs.acme.com=${site}`,
      "--export-priority",
      "normal",
    ]);
    let said = "";
    for await (const chunk of service.stdout!.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
      said += chunk;
      if (said.includes("KEY=") && said.includes("listens on")) break;
    }
    url = /listens on (\S+)/.exec(said)![1]!;
    key = /KEY=(\S+)/.exec(said)![1]!;
  });
  afterAll(async () => {
    const ended = finish(service);
    service.kill("SIGTERM");
    await ended;
  });

  test("exports the site, and rolls out the bundle", async () => {
    const values = join(newFolder(), "values.yaml");
    writeFileSync(values, JSON.stringify({ staticExport: { enabled: false } }));
    const served = await serveBundle({ source: values, port: 0, checkIntervalMs: 20 });
    const run = await runWorkflow(
      url,
      { OFFPRINT_KEY: key, KUBECONFIG: "clusters: []" },
      { values, url: served.url, maxPauses: 200 },
    );
    expect(run.failed).toEqual([]);
    expect((await ask(served.url, "/")).body.toString()).toContain("Rolled out.");
    expect(served.status().version).toBe(run.outputs["job_id"]);
    await served.close();
    const { words, mode } = run.helm!;
    const { bundleUrl } = (run.helm!.values as { staticExport: { bundleUrl: string } }).staticExport;
    expect(run.helm!.values).toEqual({ staticExport: { enabled: true, bundleUrl, version: run.outputs["job_id"] } });
    expect(words).toEqual(
      expect.arrayContaining(["upgrade", "--install", "docs", "--atomic", "--reset-then-reuse-values"]),
    );
    // The key is nowhere in what is printed or handed on, the link only in the line that masks it; no file is left.
    expect(run.printed).not.toContain(key);
    expect(run.printed.split(bundleUrl)).toHaveLength(2);
    expect(run.printed).toContain(`::add-mask::${bundleUrl}`);
    expect([mode, run.leftOver, Object.keys(run.outputs)]).toEqual([0o600, [], ["job_id"]]);
  });

  test("does not end before a pod serves the new bundle", async () => {
    // This pod never reads the new values.
    const values = join(newFolder(), "values.yaml");
    const server = createServer((_, response) =>
      response.end('{"state":"serving","version":"se_old","fault":"No space left."}'),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const pod = { values, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, maxPauses: 2 };
    const run = await runWorkflow(url, { OFFPRINT_KEY: key, KUBECONFIG: "clusters: []" }, pod);
    server.close();
    expect(run.failed).toEqual(["Wait until every pod serves it"]);
    expect(run.printed).toMatch(/docs-offprint-1 does not serve se_[0-9a-f]+ yet\. No space left\.\n/);
  });

  test("that a runner repeats after a broken connection starts no second job", async () => {
    const [first, second] = [
      await runWorkflow(url, { OFFPRINT_KEY: key }),
      await runWorkflow(url, { OFFPRINT_KEY: key }),
    ];
    expect(second.outputs["job_id"]).toBe(first.outputs["job_id"]);
  });

  test("stops at the first step that fails, and rolls nothing out", async () => {
    const wrongKey = await runWorkflow(url, { OFFPRINT_KEY: "svc_wrong" });
    expect([wrongKey.failed, wrongKey.helm, wrongKey.leftOver]).toEqual([["Start the export"], undefined, []]);
    expect(wrongKey.printed).toContain("401");
    const noKey = await runWorkflow(url, {});
    expect(noKey.failed).toEqual(["Prepare"]);
  });
});

describe("the workflow against a service that", () => {
  const jobId = `se_${"0".repeat(32)}`;
  const cases: readonly (readonly [
    rule: string,
    answers: Readonly<Record<string, string>>,
    failed: string,
    printed: RegExp,
  ])[] = [
    [
      "fails the job",
      {
        "POST /jobs": `{"jobId":"${jobId}"}`,
        "GET /status": '{"status":"failed","progress":4,"pageCount":2,"error":"no\\n::x"}',
      },
      "Wait until it is done",
      /::error::The export failed: no ::x\n/,
    ],
    ["gives no job", { "POST /jobs": '{"error":"no"}' }, "Start the export", /^/],
    ["gives a job of another form", { "POST /jobs": '{"jobId":"se_1; rm -rf /"}' }, "Start the export", /^/],
    ["answers with a page", { "POST /jobs": "<html>" }, "Start the export", /^/],
    [
      "returns no link",
      {
        "POST /jobs": `{"jobId":"${jobId}"}`,
        "GET /status": '{"status":"completed","progress":100,"pageCount":2}',
        "POST /bundle": '{"error":"no"}',
      },
      "Ask for the link, and roll out",
      /completed: 100 %, 2 pages/,
    ],
  ];
  for (const [rule, answers, failed, printed] of cases)
    test(`${rule} rolls nothing out`, async () => {
      const server: Server = createServer((request, response) => {
        const what = request.url!.endsWith("/jobs")
          ? "/jobs"
          : request.url!.endsWith("/bundle")
            ? "/bundle"
            : "/status";
        response.end(answers[`${request.method} ${what}`]);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const run = await runWorkflow(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
        OFFPRINT_KEY: "svc_x",
      });
      server.close();
      expect([run.failed, run.helm, run.leftOver]).toEqual([[failed], undefined, []]);
      expect(run.printed).toMatch(printed);
    });
});

test("the workflow limits the time of every step that waits", () => {
  expect(workflow.jobs.publish["timeout-minutes"]).toBeGreaterThan(0);
  for (const step of steps.filter(({ run }) => /while|helm/.test(run!)))
    expect(step["timeout-minutes"]).toBeGreaterThan(0);
  // No script contains an expression: its value could be a command.
  for (const { run } of steps) expect(run).not.toContain("${{");
});
