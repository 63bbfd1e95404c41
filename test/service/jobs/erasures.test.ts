import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { expect, test } from "vitest";
import { organizationTables, tablesWithOwnWay } from "../../../src/service/jobs/erasures/erase-site.js";
import type { ErasureTarget, State } from "../../../src/service/jobs/index.js";
import { bundleOf, createJob, describeStates, type TestState } from "./open-test-state.js";

const minuteMs = 60_000;
const domain = "docs.acme.com";
const source = { kind: "git", url: "https://git.acme.com/docs.git", subfolder: "site" } as const;

/** Rows past the stores. */
async function rowsOf({ address }: TestState, sql: string): Promise<readonly Record<string, unknown>[]> {
  if (!address.startsWith("postgres")) {
    const database = new DatabaseSync(address, { readOnly: true });
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query("set search_path to offprint");
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

/** All texts of the database. */
async function contentOf(state: TestState): Promise<string> {
  const listed = state.address.startsWith("postgres")
    ? "select table_name as name from information_schema.tables where table_schema = 'offprint'"
    : "select name from sqlite_schema where type = 'table'";
  const tables = await rowsOf(state, listed);
  const rows = [];
  for (const { name } of tables) rows.push(name, await rowsOf(state, `select * from "${name as string}"`));
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? Number(value) : value));
}

async function join(state: State, email: string, organizationId: string, role: "owner" | "reader" = "owner") {
  const endsAt = new Date(Date.now() + 24 * 60 * minuteMs);
  const { secret } = await state.people.invite({ email, organizationId, role, endsAt });
  const known = await state.people.personByEmail(email);
  const name = `${email[0]!.toUpperCase()}${email.slice(1).replace(/@.*/, "")} Lovelace`;
  const by = known ? { personId: known.personId } : { name, passwordHash: `hash of ${email}` };
  return (await state.people.acceptInvite(secret, by))!.personId;
}

async function erase(state: State, target: ErasureTarget) {
  const erased = await state.erasures.erase(target, { actor: "operator" });
  if (!("erasureId" in erased)) throw new Error(erased.kind);
  return erased;
}

/** Does the work of the service that has the object store. */
async function sweep(state: State, objects = { bundles: 0, caches: 0 }): Promise<void> {
  for (let work = await state.erasures.takeWork(1); work; work = await state.erasures.takeWork(minuteMs))
    await state.erasures.objectsRemoved(
      work.erasureId,
      work.hasObjects ? objects : { bundles: 0, caches: 0 },
      work.isConfirmed,
    );
}

describeStates("erasures", (open) => {
  async function opened() {
    const state = await open();
    const { organizationId } = await state.accounts.organization("Acme");
    const { organizationId: globex } = await state.accounts.organization("Globex");
    const { projectId } = await state.accounts.addProject({ organizationId, domain, source, deployment: "cloud" });
    return { state, organizationId, globex, projectId };
  }

  test("each table with data of an organization or site is in the list of tables to erase", async () => {
    const { state } = await opened();
    const columns = state.address.startsWith("postgres")
      ? "select table_name as name, column_name as column from information_schema.columns where table_schema = 'offprint'"
      : "select sqlite_schema.name, columns.name as column from sqlite_schema join pragma_table_info(sqlite_schema.name) as columns where sqlite_schema.type = 'table'";
    const owned = (await rowsOf(state, columns)).flatMap(({ name, column }) =>
      column === "organization_id" || column === "project_id" ? [name as string] : [],
    );
    expect([...new Set(owned)].toSorted()).toEqual(
      [...organizationTables, ...Object.keys(tablesWithOwnWay)]
        .filter((table) => table !== "queue" || !state.address.startsWith("postgres"))
        .toSorted(),
    );
  });

  test("of a person leaves neither name, address nor password, and the audit log still fits together", async () => {
    const { state, organizationId, globex, projectId } = await opened();
    const { people } = state;
    const ada = await join(state, "ada@acme.com", organizationId);
    const bob = await join(state, "bob@acme.com", organizationId);
    await join(state, "ada@acme.com", globex, "reader");
    await people.createSession({ personId: ada, stage: "open", browser: "Firefox" });
    await people.changePerson(ada, { name: "Augusta King", totpSecret: "TOTPSECRET" }, { personId: ada });
    const endsAt = new Date(state.now() + minuteMs);
    await people.invite({ email: "new@acme.com", organizationId, role: "reader", endsAt }, { personId: ada });
    await people.inviteToReset("ada@acme.com", endsAt);
    await people.setRole(organizationId, bob, "reader", { personId: ada });
    await people.addAuditEntry({ organizationId, personId: ada, action: "job.download", subject: "x", detail: "" });
    const { jobId } = await createJob(state, { organizationId, projectId, requestedBy: "Augusta King" });
    await state.jobs.cancel(jobId, "The job was cancelled by Augusta King.", { personId: ada });
    const refused = await state.erasures.erase({ kind: "person", personId: ada });
    expect(refused).toEqual({ kind: "last owner", organizationName: "Acme" });
    await people.setRole(organizationId, bob, "owner");
    const before = await people.auditLog(organizationId, { limit: 100 });
    const receipt = await erase(state, { kind: "person", personId: ada });
    await sweep(state);
    expect(receipt).toMatchObject({ kind: "person", requestedBy: "operator", workers: [], pendingWebhooks: 0 });
    expect(receipt.database).toMatchObject({ people: 1, memberships: 2, invites: 3 });
    expect(receipt.database["audit_log"]).toBeGreaterThan(8);
    expect((await state.erasures.get(receipt.erasureId))!.completedAt).toEqual(new Date(state.now()));
    const content = await contentOf(state);
    for (const trace of ["ada@acme.com", "Ada Lovelace", "Augusta", "TOTPSECRET", "hash of ada"])
      expect([trace, content.includes(trace)]).toEqual([trace, false]);
    expect(content).toContain("Bob Lovelace");
    for (const each of [organizationId, globex]) {
      const { broken, erasedLines } = await people.verifyAuditLog(each);
      expect([broken, erasedLines > 0]).toEqual([undefined, true]);
    }
    const after = await people.auditLog(organizationId, { limit: 100 });
    // The invite that this person has made is withdrawn.
    expect(after.entries).toHaveLength(before.entries.length + 2);
    const { subject, detail } = after.entries[0]!;
    expect([subject, detail]).toEqual([receipt.subject, expect.stringMatching(/^\d+ lines$/)]);
    // The lines of one person stay recognizable as such.
    const download = after.entries.find(({ action }) => action === "job.download")!;
    expect([download.actor, download.salt]).toEqual([receipt.subject, undefined]);
  });

  test("of a person who is removed keeps the names in the log if wanted, and leaves other organizations alone", async () => {
    const { state, organizationId, globex } = await opened();
    await join(state, "bob@acme.com", organizationId);
    const ada = await join(state, "ada@acme.com", organizationId, "reader");
    const target = { kind: "person", personId: ada, onlyIn: organizationId, keepNames: true } as const;
    expect(await state.erasures.erase({ ...target, onlyIn: globex })).toEqual({ kind: "unknown" });
    await join(state, "ada@acme.com", globex, "reader");
    expect(await state.erasures.erase(target)).toEqual({ kind: "elsewhere" });
    await state.people.setRole(globex, ada, undefined);
    await erase(state, target);
    expect(await state.people.personByEmail("ada@acme.com")).toBe(undefined);
    const { entries } = await state.people.auditLog(organizationId, { limit: 2 });
    expect(entries.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      ["operator", "person.remove", "ada@acme.com"],
      ["Ada Lovelace (ada@acme.com)", "person.join", "ada@acme.com"],
    ]);
    expect((await state.people.verifyAuditLog(organizationId)).broken).toBe(undefined);
    expect(await contentOf(state)).not.toContain("hash of ada");
  });

  test("of a person in one organization changes no line of another, and no longer address that contains this one", async () => {
    const state = await open();
    const { organizationId: acme } = await state.accounts.organization("Acme");
    const { organizationId: globex } = await state.accounts.organization("Globex");
    await join(state, "ada@acme.com", acme);
    await join(state, "bob@acme.com", acme);
    await join(state, "grace@globex.com", globex);
    const former = await join(state, "former@acme.com", acme, "reader");
    const kept = { kind: "person", personId: former, onlyIn: acme, keepNames: true } as const;
    expect(await state.erasures.erase(kept)).toMatchObject({ kind: "person" });
    const linesOf = async (organizationId: string) =>
      (await state.people.auditLog(organizationId, { limit: 100 })).entries;
    const before = await linesOf(acme);
    // Whoever owns an organization sees the links of its invites, and so has accounts with any free address.
    for (const email of ["a@acme.com", "former@acme.com", "%@acme.com", "a-(.+)*$&@acme.com"])
      await erase(state, { kind: "person", personId: await join(state, email, globex, "reader"), onlyIn: globex });
    await join(state, "a@acme.com", globex, "reader");
    await erase(state, { kind: "organization", organizationId: globex });
    expect(await linesOf(acme)).toEqual(before);

    const short = await join(state, "a@acme.com", acme, "reader");
    await erase(state, { kind: "person", personId: short, onlyIn: acme });
    const after = await linesOf(acme);
    const text = JSON.stringify(after);
    expect(text.match(/Ada Lovelace \(ada@acme\.com\)/g)).toEqual(
      JSON.stringify(before).match(/Ada Lovelace \(ada@acme\.com\)/g),
    );
    expect(text).not.toMatch(/(?<!d)a@acme\.com/);
    expect((await state.people.verifyAuditLog(acme)).broken).toBe(undefined);
  });

  test("of a site ends its jobs, whose late results change nothing, and waits for each live worker", async () => {
    const { state, organizationId, projectId } = await opened();
    const { jobs, erasures } = state;
    for (const workerId of ["one", "two"]) await jobs.workerHeartbeat(workerId);
    const completed = await createJob(state, { organizationId, projectId });
    const first = (await jobs.take("one"))!;
    await jobs.complete(first, bundleOf(completed.jobId), 1);
    const { jobId } = await createJob(state, { organizationId, projectId, webhookUrl: "https://acme.com/hook" });
    const lease = (await jobs.take("one"))!;
    const { erasureId, workers, database } = await erase(state, { kind: "site", organizationId, domain });
    expect(workers).toEqual([{ workerId: "one" }, { workerId: "two" }]);
    expect(database).toMatchObject({ jobs: 1, projects: 1 });
    expect(await jobs.get(completed.jobId)).toBe(undefined);
    expect(await jobs.get(jobId)).toMatchObject({ status: "failed", error: "The site docs.acme.com was removed." });
    expect(await jobs.heartbeat(lease, { progress: 50, pageCount: 1 })).toBe(false);
    expect(await jobs.complete(lease, bundleOf("late"), 1)).toBe(false);
    expect(await jobs.get(jobId)).toMatchObject({ status: "failed" });
    expect(await jobs.newestExport(projectId)).toBe(undefined);
    const [work] = await erasures.unconfirmed("one");
    expect(work).toMatchObject({
      projects: [{ organizationId, projectId }],
      jobIds: [completed.jobId, jobId],
      objectKeys: [`${completed.jobId}.tar.gz`],
      repositories: [{ url: source.url, subfolder: "site" }],
    });
    await sweep(state, { bundles: 2, caches: 3 });
    await erasures.confirm(erasureId, "one", 4);
    await state.advance(5000);
    await jobs.workerHeartbeat("two");
    await sweep(state, { bundles: 1, caches: 0 });
    expect(await erasures.get(erasureId)).toMatchObject({
      objects: { bundles: 2, caches: 3 },
      workers: [{ workerId: "one", files: 4 }, { workerId: "two" }],
      pendingWebhooks: 1,
    });
    await erasures.confirm(erasureId, "two", 0);
    await state.advance(5000);
    await sweep(state, { bundles: 1, caches: 0 });
    const delivery = (await jobs.takeDelivery(1))!;
    expect(delivery.job.jobId).toBe(jobId);
    expect((await erasures.get(erasureId))!.completedAt).toBe(undefined);
    await jobs.endDelivery(delivery.deliveryId);
    await state.advance(5000);
    await sweep(state);
    const complete = (await erasures.get(erasureId))!;
    expect(complete).toMatchObject({ objects: { bundles: 3, caches: 3 }, completedAt: new Date(state.now()) });
    expect(await jobs.get(jobId)).toBe(undefined);
    await jobs.maintain();
    expect(await state.accounts.projectById(projectId)).toBe(undefined);
    // A worker that starts later looks at its disk, too.
    expect(await erasures.unconfirmed("three")).toHaveLength(1);
    expect(await erasures.unconfirmed("one")).toEqual([]);
  });

  test("a worker that is no longer alive does not hold up an erasure", async () => {
    const { state, organizationId } = await opened();
    await state.jobs.workerHeartbeat("dead");
    const { erasureId } = await erase(state, { kind: "site", organizationId, domain });
    await state.advance(10 * minuteMs);
    await sweep(state);
    expect((await state.erasures.get(erasureId))!.completedAt).toBeDefined();
  });

  test("of a bundle leaves no link, no export to answer from, and the row of its job", async () => {
    const { state, organizationId, globex, projectId } = await opened();
    const { jobId } = await createJob(state, { organizationId, projectId });
    await state.jobs.complete((await state.jobs.take("one"))!, bundleOf(jobId), 1);
    const refused = await state.erasures.erase({ kind: "bundle", organizationId: globex, jobId });
    expect(refused).toEqual({ kind: "unknown" });
    const { erasureId } = await erase(state, { kind: "bundle", organizationId, jobId });
    const job = (await state.jobs.get(jobId))!;
    expect([job.status, job.error, job.bundle]).toEqual(["failed", "The bundle was withdrawn.", undefined]);
    expect(await state.jobs.newestExport(projectId)).toBe(undefined);
    expect(await state.erasures.erase({ kind: "bundle", organizationId, jobId })).toEqual({ kind: "unknown" });
    await sweep(state);
    expect((await state.erasures.get(erasureId))!.completedAt).toBeDefined();
    expect(await state.jobs.get(jobId)).toBeDefined();
    const { entries } = await state.people.auditLog(organizationId, { limit: 1 });
    expect(entries).toMatchObject([{ actor: "operator", action: "job.withdraw", subject: jobId, detail: domain }]);
  });

  test("of a site or an organization stays complete when an answer or an act ends after it", async () => {
    for (const kind of ["site", "organization"] as const) {
      const { state, organizationId, projectId } = await opened();
      const ada = await join(state, "ada@acme.com", organizationId);
      await erase(state, { kind, organizationId, domain });
      const thread = { threadId: "01J0000000000000000000000A", projectId, readerHash: "", keyHash: "" };
      const turn = {
        thread,
        messageId: "m",
        askedAt: state.now(),
        question: "a late question",
        answer: ".",
        sources: [],
      };
      const counts = { promptTokens: 0, completionTokens: 0 };
      await state.threads.add([{ ...turn, ...counts, outcome: "answered", caller: "web" }]);
      expect(await contentOf(state)).not.toContain("a late question");
      const line = { organizationId, personId: ada, action: "job.download", subject: "a late line", detail: "" };
      await state.people.addAuditEntry(line);
      expect((await contentOf(state)).includes("a late line")).toBe(kind === "site");
    }
  });

  test("of an organization leaves nothing of it but the receipt, and nothing of others is lost", async () => {
    const { state, organizationId, globex, projectId } = await opened();
    const other = await state.accounts.addProject({
      ...{ organizationId: globex, domain: "docs.globex.com", source, deployment: "cloud" },
    });
    const key = { kind: "admin", name: "ci", scopes: [], allowedAddresses: [] } as const;
    const { secret } = await state.accounts.createKey({ organizationId, ...key });
    const ofGlobex = await state.accounts.createKey({ organizationId: globex, ...key });
    await join(state, "ada@acme.com", organizationId);
    const bob = await join(state, "bob@acme.com", organizationId);
    await join(state, "bob@acme.com", globex);
    const session = await state.people.createSession({ personId: bob, stage: "open", browser: "Test", organizationId });
    const turn = { messageId: "m", askedAt: state.now(), question: "acme's question", answer: ".", sources: [] };
    const counts = { promptTokens: 0, completionTokens: 0, outcome: "answered", caller: "web" } as const;
    const thread = { threadId: "01J", projectId, readerHash: "", keyHash: "" };
    await state.threads.add([{ thread, ...turn, ...counts }]);
    const once = { key: "k", route: "r", requestHash: "h" };
    await state.jobs.create({ organizationId, projectId, domain }, once);
    const lease = (await state.jobs.take("one"))!;
    const job = { organizationId, projectId, domain, repository: "https://git.acme.com/docs", mode: "repair" } as const;
    await state.agents.create({ ...job, model: "offprint/repair", asDraft: false }, "Mend acme.");
    const kept = await createJob(state, { organizationId: globex, projectId: other.projectId, domain: other.domain });
    const { head, lines } = await state.people.verifyAuditLog(organizationId);
    const receipt = await erase(state, { kind: "organization", organizationId });
    expect(receipt.database).toMatchObject({
      organizations: 1,
      projects: 1,
      api_keys: 1,
      jobs: 2,
      agent_jobs: 1,
      threads: 1,
      people: 1,
    });
    expect(receipt.auditLog!.lines).toBeGreaterThanOrEqual(lines);
    expect(receipt.auditLog!.head).not.toBe(head);
    expect(await state.jobs.complete(lease, bundleOf("late"), 1)).toBe(false);
    await sweep(state);
    await state.views.closeDays(Math.floor(state.now() / (24 * 60 * minuteMs)));
    await state.jobs.maintain();
    const content = await contentOf(state);
    for (const trace of [domain, "ada@acme.com", "acme's question", "Mend acme.", projectId])
      expect([trace, content.replaceAll(/\\"/g, "").includes(trace)]).toEqual([trace, trace === projectId]);
    expect(content.split(organizationId).length - 1).toBeLessThanOrEqual(3);
    expect(await state.accounts.findKey(secret)).toBe(undefined);
    expect(await state.accounts.findKey(ofGlobex.secret)).toBeDefined();
    expect(await state.people.findSession(session)).toMatchObject({ person: { email: "bob@acme.com" } });
    expect(await state.jobs.get(kept.jobId)).toMatchObject({ status: "queued" });
    expect((await state.people.verifyAuditLog(globex)).broken).toBe(undefined);
    expect((await state.erasures.list(5)).map(({ erasureId }) => erasureId)).toEqual([receipt.erasureId]);
  });
});
