import { expect, test } from "vitest";
import { openConsoleWorld } from "../../support/console-world.js";

/** A console of an organization that may use git.acme.com, and a site from there. */
async function openWorld() {
  const world = await openConsoleWorld();
  const { accounts, agents } = world.store;
  const { organizationId, projectId } = (await accounts.projectByDomain("docs.acme.com"))!;
  await world.store.credentials.add(
    { organizationId, kind: "token", prefix: "https://git.acme.com/", secret: "token", forge: "gitea" },
    { actor: "test" },
  );
  const source = { kind: "git", url: "https://git.acme.com/docs.git" } as const;
  await accounts.changeProject(organizationId, projectId, { source, deployment: "cloud" });
  const [editor, reader] = [await world.member("editor"), await world.member("reader")];
  const jobs = async () => (await agents.list({ organizationId, limit: 10 })).jobs;
  return { ...world, agents, organizationId, projectId, editor, reader, jobs };
}

test("an editor starts a job, follows it, sees its changes, sends a message and archives it", async () => {
  const { agents, projectId, editor, reader, jobs, store, takeJob } = await openWorld();
  expect((await editor.get("/console/agent")).text).toContain("No jobs yet");
  const form = { site: projectId, prompt: "Mend <b>it</b>.", mode: "repair", draft: "yes" };
  const started = await editor.post("/console/agent", form);
  const [job] = await jobs();
  expect(started.to).toBe(`/console/agent/${job!.agentJobId}`);
  expect(job).toMatchObject({ mode: "repair", asDraft: true, requestedBy: "editor" });
  const active = await editor.get(started.to!);
  expect(active.text).toContain(`data-follow="${started.to}/events"`);
  expect(active.text).toContain("Mend &lt;b>it&lt;/b>.");

  const lease = await takeJob();
  await agents.storePatch(lease, "@@ -1 +1 @@\n-Old\n+<script>alert(1)</script>");
  await agents.storeReply(lease, "I changed <i>it</i>.");
  await store.jobs.addLog(lease.job.jobId, "info", "The repository is ready (main).");
  await agents.complete(lease, { ref: "offprint/agent-1", pullRequest: "https://git.acme.com/docs/pulls/1" });
  const { text } = await reader.get(started.to!);
  for (const shown of [
    "Completed",
    "offprint/agent-1",
    'href="https://git.acme.com/docs/pulls/1"',
    "The repository is ready",
    "The model: I changed &lt;i>it&lt;/i>.",
  ])
    expect(text).toContain(shown);
  expect(text).toContain('class="patch-added">+&lt;script>alert(1)&lt;/script>');
  expect(text).toContain('class="patch-removed">-Old');
  expect([text.includes("data-follow="), text.includes("/message"), text.includes("/archive")]).toEqual([
    false,
    false,
    false,
  ]);

  expect((await editor.post(`${started.to}/message`, { prompt: "And this." })).to).toBe(started.to);
  expect((await jobs())[0]!.status).toBe("active");
  expect((await editor.post(`${started.to}/cancel`)).to).toBe(started.to);
  expect((await editor.get(started.to!)).text).toContain("The job was cancelled by editor.");
  expect((await editor.post(`${started.to}/archive`)).to).toBe("/console/agent");
  expect((await editor.get("/console/agent")).text).toContain("Archived");
  expect((await editor.get(started.to!)).text).not.toContain("/message");
  expect((await editor.post(`${started.to}/message`, { prompt: "More." })).text).toContain("The job is archived.");
});

test("a form that makes no sense is refused with the reason, and starts nothing", async () => {
  const { projectId, editor, reader, jobs, store, organizationId, folder } = await openWorld();
  await editor.get("/console/agent");
  const attempt = async (form: Record<string, string>) => {
    const { status, text } = await editor.post("/console/agent", { site: projectId, prompt: "Go.", ...form });
    expect(status).toBe(400);
    return text;
  };
  expect(await attempt({ prompt: " " })).toContain("Describe what the agent should do.");
  expect(await attempt({ prompt: "x".repeat(20_001) })).toContain("at most 20000 characters");
  expect(await attempt({ site: "prj_foreign" })).toContain("Choose a site.");
  const source = { kind: "folder", path: folder } as const;
  await store.accounts.changeProject(organizationId, projectId, { source, deployment: "cloud" });
  expect(await attempt({})).toContain("comes from a folder");
  expect(await jobs()).toEqual([]);
  await reader.get("/console/agent");
  expect((await reader.post("/console/agent", { site: projectId, mode: "repair" })).status).toBe(404);
});

test("the page of an export shows no run of an agent job", async () => {
  const { editor, projectId, jobs } = await openWorld();
  await editor.get("/console/agent");
  await editor.post("/console/agent", { site: projectId, mode: "repair" });
  const [job] = await jobs();
  expect((await editor.get(`/console/jobs/${job!.runId}`)).status).toBe(404);
  expect((await editor.get("/console/jobs")).text).not.toContain(job!.runId);
});
