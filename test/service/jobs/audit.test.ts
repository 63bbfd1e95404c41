import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { expect, test } from "vitest";
import { createJob, describeStates, type TestState } from "./open-test-state.js";

const dayMs = 24 * 60 * 60_000;
const noPassword = { name: "Ada", passwordHash: "x" };

/** Runs SQL past the stores, as somebody who can write to the database does. */
async function tamper({ address }: TestState, sql: string): Promise<void> {
  if (!address.startsWith("postgres")) {
    const database = new DatabaseSync(address);
    database.exec(sql);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(`set search_path to offprint; ${sql}`);
  await client.end();
}

describeStates("the audit log", (open) => {
  /** An organization with six lines. */
  async function opened(rules = {}) {
    const state = await open(rules);
    const { organizationId } = await state.accounts.organization("Acme");
    for (const subject of ["one", "two", "three", "four", "five"])
      await state.people.addAuditEntry({ organizationId, action: "job.download", subject, detail: "" });
    const verdict = () => state.people.verifyAuditLog(organizationId);
    return { state, organizationId, verdict };
  }

  test("is verified line by line, also while many processes write to it", async () => {
    const { state, organizationId, verdict } = await opened();
    const other = await state.another();
    await Promise.all(
      Array.from({ length: 16 }, (_, i) => {
        const { people } = i % 2 === 0 ? state : other;
        return people.addAuditEntry({ organizationId, action: "job.download", subject: String(i), detail: "" });
      }),
    );
    const { lines, broken, head } = await verdict();
    expect({ lines, broken }).toEqual({ lines: 22, broken: undefined });
    const { entries } = await state.people.auditLog(organizationId, { limit: 50, oldestFirst: true });
    expect(entries.map(({ line }) => line)).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
    expect(entries.at(-1)!.hash).toBe(head);
  });

  test("shows what was changed past the service", async () => {
    const line = "update audit_log set";
    const cases: readonly (readonly [sql: string, problem: RegExp])[] = [
      [`${line} subject = 'six' where subject = 'three'`, /its texts were changed/],
      [`${line} action = 'x' where subject = 'three'`, /its hash does not match/],
      [`${line} at = at + 1 where subject = 'three'`, /its hash does not match/],
      ["delete from audit_log where subject = 'three'", /line 4 is missing before it/],
      ["delete from audit_log where subject in ('four', 'five')", /lines 5 to 6 are missing/],
      [`${line} line = line + 100 where subject = 'three'`, /line 4 is missing before it/],
      ["delete from audit_heads where lines > 0", /the stored head has another hash/],
      [`${line} salt = null where subject = 'three'`, /not those of a person/],
      [
        `${line} salt = null, subject = 'erased person 12345678' where subject = 'three'`,
        /no line says that the person was erased/,
      ],
    ];
    const state = await open();
    const { accounts, people } = state;
    for (const [index, [sql, problem]] of cases.entries()) {
      const { organizationId } = await accounts.organization(`Acme ${index}`);
      for (const subject of ["one", "two", "three", "four", "five"])
        await people.addAuditEntry({ organizationId, action: "job.download", subject, detail: "" });
      expect((await people.verifyAuditLog(organizationId)).broken).toBe(undefined);
      await tamper(state, `${sql} and organization_id = '${organizationId}'`);
      const { broken } = await people.verifyAuditLog(organizationId);
      expect([sql, broken]).toEqual([sql, { position: expect.any(Number), problem: expect.stringMatching(problem) }]);
    }
  });

  test("is still consistent after old lines are deleted, and then shows a line that is removed", async () => {
    const { state, organizationId, verdict } = await opened({ auditRetentionMs: 10 * dayMs });
    await state.advance(6 * dayMs);
    await state.people.addAuditEntry({ organizationId, action: "job.download", subject: "six", detail: "" });
    await state.advance(5 * dayMs);
    await state.jobs.maintain();
    expect(await verdict()).toMatchObject({ lines: 1, prunedLines: 6, broken: undefined });
    await state.people.addAuditEntry({ organizationId, action: "job.download", subject: "seven", detail: "" });
    expect(await verdict()).toMatchObject({ lines: 2, prunedLines: 6, broken: undefined });
    await tamper(state, "delete from audit_log where subject = 'six'");
    expect((await verdict()).broken).toMatchObject({ problem: expect.stringContaining("line 7 is missing") });
  });

  test("keeps the names of its time: a new name of a person or key changes no line", async () => {
    const { state, organizationId, verdict } = await opened();
    const { people, accounts } = state;
    const endsAt = new Date(state.now() + dayMs);
    const { secret } = await people.invite({ email: "ada@acme.com", organizationId, role: "owner", endsAt });
    const { personId } = (await people.acceptInvite(secret, noPassword))!;
    await people.changePerson(personId, { name: "Grace" }, { personId });
    await accounts.setPlan(organizationId, "pro", { personId });
    const { entries } = await people.auditLog(organizationId, { limit: 3 });
    expect(entries.map(({ actor, action, detail }) => [actor, action, detail])).toEqual([
      ["Grace (ada@acme.com)", "organization.plan", "pro"],
      ["Ada (ada@acme.com)", "person.rename", "Grace"],
      ["Ada (ada@acme.com)", "person.join", "owner, invited by the service"],
    ]);
    expect((await verdict()).broken).toBe(undefined);
  });

  test("has no line of a change that fails, and no change is made whose line cannot be written", async () => {
    const { state, organizationId, verdict } = await opened();
    const { accounts } = state;
    const project = { organizationId, domain: "a.acme.com", source: { kind: "folder", path: "/a" } } as const;
    await accounts.addProject({ ...project, deployment: "cloud" });
    await expect(accounts.addProject({ ...project, deployment: "cloud" })).rejects.toThrow(
      "Another site already has the domain",
    );
    expect(await verdict()).toMatchObject({ lines: 7, broken: undefined });
    await tamper(state, "alter table audit_heads rename to away");
    await expect(accounts.setPlan(organizationId, "free")).rejects.toThrow();
    await expect(createJob(state, { organizationId })).rejects.toThrow();
    await tamper(state, "alter table away rename to audit_heads");
    expect((await accounts.organizationById(organizationId))!.plan).toBe("enterprise");
    expect((await state.jobs.list(organizationId, { limit: 5 })).jobs).toEqual([]);
    expect((await verdict()).lines).toBe(7);
  });
});
