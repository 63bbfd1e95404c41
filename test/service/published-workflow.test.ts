import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { finish, start, temporaryFolder, writeManyPages } from "../support/cli.js";
import { findCorpora } from "../support/corpora.js";
import { ask, startService, type TestService } from "../support/service.js";

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly run: string;
}

/** The steps of the published workflow, as its page shows them; undefined where the page is not at hand. */
function publishedSteps(): readonly Step[] | undefined {
  const pages = findCorpora().map(({ folder }) => join(folder, "api/static-export/overview.mdx"));
  const page = pages.find(existsSync);
  if (page === undefined) {
    console.warn("The page with the published workflow is not beside the project, so its tests are left out.");
    return undefined;
  }
  const indented = /\n( *)```yaml [^\n]*\.yml\n([\s\S]*?)\n\1```/.exec(readFileSync(page, "utf8"))![2]!;
  return (parse(indented) as { jobs: Record<string, { steps: Step[] }> }).jobs["export"]!.steps;
}

interface Ran {
  readonly name: string;
  readonly code: number | null;
  readonly stdout: string;
}

/** Runs the steps as a runner does, until one fails: address and key replaced, waits shortened, and no cluster. */
async function runWorkflow(
  steps: readonly Step[],
  service: TestService,
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
  for (const { name, id, run } of steps) {
    const output = join(folder, "output");
    writeFileSync(output, "");
    const script = run
      .replaceAll(/https:\/\/[\w.-]+(?=\/v1\/)/g, service.url)
      .replaceAll(/\$\{\{ secrets\.\w+ \}\}/g, service.key)
      .replaceAll(/\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}/g, (_, step, key) => outputs[step]?.[key] ?? "");
    const env = { PATH: `${programs}:${process.env["PATH"]}`, GITHUB_OUTPUT: output };
    const step = start("bash", ["-e", "-c", script], { env });
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

const steps = publishedSteps();
if (steps) {
  test("the published workflow rolls out the bundle of an export", async () => {
    const service = await startService(writeManyPages(temporaryFolder(), 30));
    const { ran, rolledOut } = await runWorkflow(steps, service);
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(ran[1]!.stdout).toMatch(/(status=(queued|running)\n)*status=completed\n$/);
    const url = /staticExport\.bundleUrl=(\S+)/.exec(rolledOut!)![1]!;
    expect((await fetch(url)).status).toBe(200);
  });

  test("it ends, and rolls out nothing, when the site cannot be exported", async () => {
    const site = writeManyPages(temporaryFolder(), 2);
    const service = await startService(site);
    rmSync(join(site, "docs.json"));
    const { ran, rolledOut } = await runWorkflow(steps, service);
    expect(ran.map(({ code }) => code)).toEqual([0, 1]);
    expect(ran[1]!.stdout).toMatch(/status=failed\n$/);
    expect(rolledOut).toBeUndefined();
  });

  test("it ends, and rolls out nothing, when the job is cancelled", async () => {
    const service = await startService(writeManyPages(temporaryFolder(), 800));
    let cancelled: Promise<unknown> | undefined;
    const { ran, rolledOut } = await runWorkflow(steps, service, (chunk, { start: started }) => {
      if (chunk.includes("status=running")) cancelled ??= ask(service, "DELETE", `/${started!["job_id"]}`);
    });
    await cancelled;
    expect(ran.map(({ code }) => code)).toEqual([0, 1]);
    expect(ran[1]!.stdout).toMatch(/status=running\n(.*\n)*status=failed\n$/);
    expect(rolledOut).toBeUndefined();
  });
}
