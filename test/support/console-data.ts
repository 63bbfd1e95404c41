import type { Diagnostic } from "../../src/lib/diagnostic/index.js";
import { routes } from "../../src/service/console/routes.js";
import type { NewTurn, ViewKind } from "../../src/service/jobs/index.js";
import type { openConsoleWorld } from "./console-world.js";

type World = Awaited<ReturnType<typeof openConsoleWorld>>;

/** Texts of a field that comes from outside, each of which a page shows. */
export type TextsOf = (field: string, usual: readonly string[]) => readonly string[];

const usually: TextsOf = (_field, usual) => usual;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** What every page of a console shows, in an organization of `world`. Resolves with one identifier of each kind. */
export async function fillConsole(world: World, texts: TextsOf = usually) {
  const { store, clock } = world;
  const { organizationId } = world.acme;
  const joined = (field: string, usual: string): string => texts(field, [usual]).join(" ");
  const project = (await store.accounts.projectByDomain("docs.acme.com"))!;
  const source = { kind: "folder", path: joined("folder", "/srv/docs") } as const;
  await store.accounts.changeProject(organizationId, project.projectId, { source, deployment: "cloud" });
  const git = {
    kind: "git",
    url: joined("url", "https://git.acme.com/api.git"),
    ref: joined("ref", "main"),
    subfolder: joined("subfolder", "docs"),
  } as const;
  await store.accounts.addProject({ organizationId, domain: "api.acme.com", source: git, deployment: "air-gapped" });

  const keys = [];
  for (const name of texts("key", ["deploys", "pipeline", "widget on the pages"])) {
    const isWidget = name.startsWith("widget");
    keys.push(
      await world.newKey({
        kind: isWidget ? "assistant" : "admin",
        name,
        scopes: isWidget ? [] : ["write"],
        allowedAddresses: isWidget ? [] : ["203.0.113.0/24"],
        expiresAt: new Date(clock.ms + 60 * dayMs),
      }),
    );
  }
  await store.accounts.markKeyUsed(keys[0]!.key);
  await store.accounts.revokeKey(organizationId, keys[1]!.key.keyId);

  const { credentialId } = await store.credentials.add(
    {
      ...{ organizationId, kind: "token", prefix: "https://git.acme.com/", forge: "gitea" },
      ...{ name: joined("credential", "Deploys").slice(0, 200), secret: "bot:token-of-acme-1234" },
    },
    { actor: "command line (ada)" },
  );
  const diagnostics: Diagnostic[] = texts("diagnostic", [
    'The navigation lists "guides/instal", but the site has no guides/instal.mdx.',
    'The link "/guides/old" leads to no page.',
  ]).map((what, index) => ({
    code: index === 0 ? "PAGE_NOT_FOUND" : "LINK_BROKEN",
    severity: index === 0 ? "error" : "warning",
    what,
    location: { sourcePath: joined("sourcePath", "guides/first-steps.mdx").slice(0, 200), line: 41, column: 13 },
    fix: what.startsWith("The") ? 'write "guides/install".' : what,
  }));
  const complete = async (fields: object = {}): Promise<string> => {
    const created = await store.jobs.create({
      organizationId,
      projectId: project.projectId,
      domain: project.domain,
      requestedBy: joined("requestedBy", "deploys"),
      ...fields,
    });
    if (!("job" in created)) throw new Error(created.kind);
    const { jobId } = created.job;
    const lease = await world.takeJob();
    for (const line of texts("log", ["A worker has the job.", "The site has 120 pages."]))
      await store.jobs.addLog(jobId, "info", line);
    const diagnosticsKey = `static-exports/${jobId}/diagnostics.jsonl`;
    const lines = diagnostics.map((each) => `${JSON.stringify(each)}\n`).join("");
    await store.objects.putBytes(diagnosticsKey, Buffer.from(lines), "application/jsonl");
    const report = { errors: 1, warnings: diagnostics.length - 1, diagnosticsKey };
    const objectKey = `static-exports/${jobId}/bundle.tar.gz`;
    await store.objects.putBytes(objectKey, Buffer.from("bundle"), "application/gzip");
    clock.ms += 14_000;
    await store.jobs.complete(lease, { objectKey, bytes: 4_812_345, sha256: "0a1b".repeat(16) }, 120, report);
    clock.ms += 20 * 60_000;
    return jobId;
  };
  await complete({ paths: texts("paths", ["index", "guides/install"]) });
  const completed = await complete({ version: joined("version", "2026-06-01") });
  const failing = await store.jobs.create({
    organizationId,
    projectId: project.projectId,
    domain: project.domain,
    webhookUrl: "https://ci.acme.com/hook",
    requestedBy: "deploys",
  });
  await store.jobs.fail(await world.takeJob(), joined("error", "The repository does not answer."), false);
  clock.ms += hourMs;
  const agentJob = await fillAgentJob(world, project.projectId, texts);
  const { job: running } = await startRunning(world, project.projectId);
  await store.jobs.workerHeartbeat("worker-1");

  const views: ViewKind[] = [0, 0, 0, 1, 1, 2, 3, 4, 5];
  const paths = texts("path", [
    "/",
    "/start/first-export",
    "/guides/install",
    "/reference/command-line",
    "/guides/search",
  ]);
  const today = Math.floor(clock.ms / dayMs);
  const hits = Array.from({ length: 60 }, (_, back) => today - back).flatMap((day) =>
    paths.flatMap((path, at) =>
      views.slice(0, 9 - (at % 3)).flatMap((kind, nth) => ({
        projectId: project.projectId,
        day,
        path: path.startsWith("/") ? path : `/${path}`,
        kind,
        // Fewer on weekends, more from week to week, most on the first pages.
        views: Math.ceil(
          ((4 + ((day * 7 + at * 13 + nth * 5) % 17) + (kind === 0 ? 14 : 0)) *
            (day % 7 === 2 || day % 7 === 3 ? 4 : 9) *
            (100 - (today - day))) /
            (400 * (1 + (at % 5))),
        ),
      })),
    ),
  );
  const sums = new Map<string, (typeof hits)[number]>();
  for (const hit of hits) {
    const key = `${hit.day} ${hit.kind} ${hit.path}`;
    sums.set(key, { ...hit, views: hit.views + (sums.get(key)?.views ?? 0) });
  }
  await store.views.add({
    hits: [...sums.values()],
    missing: texts("missing", ["/guides/instal", "/v1/reference"]).map((path, index) => ({
      projectId: project.projectId,
      path: path.startsWith("/") ? path : `/${path}`,
      views: 40 - index,
      lastSeenAt: clock.ms - hourMs,
    })),
    visitors: Array.from({ length: 30 }, (_, index) => ({
      projectId: project.projectId,
      day: today,
      path: "/",
      kind: 0 as const,
      visitor: String(index).padStart(16, "0"),
    })),
  });
  await store.views.addSearches(
    texts("search", ["kubernetes operator", "install"]).flatMap((query, index) =>
      ["a", "b", "c"].map((visitor) => ({
        projectId: project.projectId,
        at: clock.ms - hourMs,
        query,
        visitor,
        results: index % 2 === 0 ? 0 : 7,
      })),
    ),
  );

  const threadId = "01J0000000000000000000000A";
  const turn = (name: string, fields: Partial<NewTurn>): NewTurn => ({
    thread: { threadId, projectId: project.projectId, readerHash: "r", keyHash: "k" },
    messageId: `msg_${name}`,
    askedAt: clock.ms - 2 * hourMs,
    question: "Which versions of Node does it run on?",
    answer: "It runs on Node 22.13 and later.",
    sources: [{ url: "/start/first-export", title: "First export" }],
    outcome: "answered",
    caller: "web",
    promptTokens: 100,
    completionTokens: 10,
    ...fields,
  });
  const said = texts("turn", ["Is there a Kubernetes operator?", "Which versions of Node does it run on?"]);
  for (const [index, question] of said.entries()) {
    const isHostile = texts !== usually;
    await store.threads.add([
      turn(String(index), {
        question,
        ...(isHostile && { answer: question, sources: [{ url: question, title: question }] }),
        ...(index === 0 && !isHostile && { outcome: "unanswered", answer: "The documentation says nothing on this." }),
      }),
    ]);
    await store.threads.rate(threadId, `msg_${index}`, {
      helpful: index % 2 === 1,
      comment: isHostile ? question : index === 0 ? "I need this for our cluster." : undefined,
    });
    if (isHostile || index === 1)
      await store.threads.add([
        turn(`list-${index}`, {
          question,
          thread: {
            threadId: `01J000000000000000000${String(index).padStart(5, "0")}`,
            projectId: project.projectId,
            readerHash: "r",
            keyHash: "k",
          },
        }),
      ]);
  }

  for (const detail of texts("audit", ["docs.acme.com"]))
    await store.people.addAuditEntry({ organizationId, action: "site.add", subject: detail, detail });
  const { personId } = await world.person("grace@acme.com", "editor");
  await store.people.changePerson(personId, { name: joined("person", "Grace") });
  const endsAt = new Date(clock.ms + dayMs);
  await store.people.invite({ email: "alan@acme.com", organizationId, role: "reader", endsAt });
  return {
    site: project.projectId,
    key: keys[0]!.key.keyId,
    thread: threadId,
    person: personId,
    credential: credentialId,
    completed,
    failed: "job" in failing ? failing.job.jobId : "",
    running,
    agentJob,
  };
}

export type FilledConsole = Awaited<ReturnType<typeof fillConsole>>;

/** A completed agent job with a branch, a pull request and a patch. */
async function fillAgentJob({ store, acme, takeJob }: World, projectId: string, texts: TextsOf): Promise<string> {
  const { organizationId } = acme;
  const prompt = texts("prompt", ["Mend the faults of the site."]).join(" ");
  const ref = "offprint/agent-0a1b2c3d";
  const created = await store.agents.create(
    {
      ...{ organizationId, projectId, domain: "docs.acme.com", requestedBy: "Ada" },
      ...{ repository: "https://git.acme.com/docs", mode: "repair", model: "offprint/repair", asDraft: false },
    },
    prompt,
  );
  if (!("job" in created)) throw new Error(created.kind);
  const { agentJobId, runId } = created.job;
  const lease = await takeJob();
  for (const line of texts("event", ["The repository is ready (main)."])) await store.jobs.addLog(runId, "info", line);
  const lines = texts("patch", ["[Install](/guides/install)"]).map((line) => `+${line}`);
  const head = ["diff --git a/index.mdx b/index.mdx", "--- a/index.mdx", "+++ b/index.mdx", "@@ -1 +1 @@"];
  await store.agents.storePatch(lease, [...head, "-[Install](/guides/instal)", ...lines].join("\n"));
  await store.agents.complete(lease, { ref, pullRequest: "https://git.acme.com/docs/pulls/7" });
  return agentJobId;
}

async function startRunning(world: World, projectId: string): Promise<{ readonly job: string }> {
  const { store, acme } = world;
  const created = await store.jobs.create({
    organizationId: acme.organizationId,
    projectId,
    domain: "docs.acme.com",
    requestedBy: "Ada",
  });
  const lease = await world.takeJob();
  await store.jobs.heartbeat(lease, { progress: 42, pageCount: 51 });
  if (!("job" in created)) throw new Error(created.kind);
  return { job: created.job.jobId };
}

/** Addresses of all pages for somebody with a session. A new route with an unknown parameter fails here. */
export function pagesOf(filled: FilledConsole): readonly string[] {
  const { site, key, thread, credential } = filled;
  const known: Readonly<Record<string, readonly string[]>> = {
    sites: [site],
    keys: [key],
    credentials: [credential],
    jobs: [filled.completed, filled.failed, filled.running],
    agent: [filled.agentJob],
    questions: [thread],
    people: [filled.person],
  };
  const skipped = /^\/(events|credentials\/github|.*\/(csv|json|events)|login.*|invite\/.*|oidc.*)$/;
  return routes
    .filter(({ method, path, role }) => method === "GET" && role !== "open" && !skipped.test(path))
    .flatMap(({ path }) => {
      const name = /\{\w+\}/.exec(path)?.[0];
      if (name === undefined) return [`/console${path}`];
      const values = known[path.split("/")[1]!];
      if (!values) throw new Error(`Give ${path} a value.`);
      return values.map((value) => `/console${path.replace(name, value)}`);
    })
    .concat(
      "/console/views?site=docs.acme.com",
      "/console/keys/new?kind=assistant",
      "/console/credentials/new?kind=ssh-key",
    )
    .concat("/console/credentials/github?installation_id=7&state=state&code=code");
}
