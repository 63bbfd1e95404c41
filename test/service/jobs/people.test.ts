import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Person, State } from "../../../src/service/jobs/index.js";
import { describeStates } from "./open-test-state.js";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const ada = { name: "Ada", passwordHash: "scrypt:a:b" };

async function organizations({ accounts }: State) {
  const acme = await accounts.organization("Acme");
  const globex = await accounts.organization("Globex");
  return [acme.organizationId, globex.organizationId] as const;
}

describeStates("people", (open) => {
  const invited = async (state: State & { now(): number }, email: string, organizationId: string, role = "owner") => {
    const endsAt = new Date(state.now() + dayMs);
    return state.people.invite({ email, organizationId, role: role as "owner", endsAt });
  };

  test("an invite can be used once, even if two people try at the same time", async () => {
    const state = await open();
    const { people } = state;
    const [acme] = await organizations(state);
    expect(await people.hasPeople()).toBe(false);
    const { secret, invite } = await invited(state, "Ada@Acme.com", acme);
    expect(invite).toMatchObject({ kind: "invite", email: "ada@acme.com", organizationId: acme, role: "owner" });
    expect(await people.findInvite("another")).toBe(undefined);
    expect(await people.findInvite(secret)).toEqual(invite);
    expect(await people.invites(acme)).toEqual([invite]);
    const other = await state.another();
    const both = await Promise.all([people.acceptInvite(secret, ada), other.people.acceptInvite(secret, ada)]);
    const [person] = both.filter((each) => each !== undefined);
    expect(both.filter((each) => each !== undefined)).toHaveLength(1);
    expect(person).toMatchObject({ email: "ada@acme.com", name: "Ada", passwordHash: "scrypt:a:b" });
    expect(await people.findInvite(secret)).toBe(undefined);
    expect(await people.acceptInvite(secret, ada)).toBe(undefined);
    expect(await people.invites(acme)).toEqual([]);
    expect(await people.hasPeople()).toBe(true);
    expect(await people.personByEmail("ADA@acme.com")).toEqual(person);
    expect(await people.memberships(person!.personId)).toEqual([
      { organizationId: acme, organizationName: "Acme", role: "owner" },
    ]);
    expect(await people.members(acme)).toEqual([{ person, role: "owner", lastSeenAt: undefined }]);
  });

  test("an invite expires and can be withdrawn, by its own organization only", async () => {
    const state = await open();
    const { people } = state;
    const [acme, globex] = await organizations(state);
    const first = await invited(state, "a@acme.com", acme);
    expect(await people.withdrawInvite(globex, first.invite.inviteId)).toBe(false);
    expect(await people.withdrawInvite(acme, first.invite.inviteId)).toBe(true);
    expect(await people.acceptInvite(first.secret, ada)).toBe(undefined);
    const second = await invited(state, "b@acme.com", acme);
    await state.advance(dayMs);
    expect(await people.findInvite(second.secret)).toBe(undefined);
    expect(await people.acceptInvite(second.secret, ada)).toBe(undefined);
    expect(await people.invites(acme)).toEqual([]);
    expect(await people.hasPeople()).toBe(false);
  });

  test("somebody of one organization accepts the invite of another as the same person, with no new password", async () => {
    const state = await open();
    const { people } = state;
    const [acme, globex] = await organizations(state);
    const { personId } = (await people.acceptInvite((await invited(state, "ada@acme.com", acme)).secret, ada))!;
    const { secret } = await invited(state, "ada@acme.com", globex, "reader");
    expect(await people.acceptInvite(secret, { name: "Eve", passwordHash: "stolen" })).toBe(undefined);
    expect(await people.acceptInvite(secret, { personId: "per_other" })).toBe(undefined);
    expect(await people.acceptInvite(secret, { personId })).toMatchObject({ personId, passwordHash: "scrypt:a:b" });
    expect((await people.memberships(personId)).map((each) => [each.organizationName, each.role])).toEqual([
      ["Acme", "owner"],
      ["Globex", "reader"],
    ]);
  });

  test("a reset gives a new password, and ends the sessions and the second factor", async () => {
    const state = await open();
    const { people } = state;
    const [acme] = await organizations(state);
    const endsAt = new Date(state.now() + hourMs);
    expect(await people.inviteToReset("ada@acme.com", endsAt)).toBe(undefined);
    const { personId } = (await people.acceptInvite((await invited(state, "ada@acme.com", acme)).secret, ada))!;
    await people.changePerson(personId, { totpSecret: "ABC", recoveryCodes: ["h1", "h2"] });
    const session = await people.createSession({ personId, stage: "open", browser: "Firefox" });
    const { secret } = (await people.inviteToReset("Ada@acme.com", endsAt))!;
    expect(await people.acceptInvite(secret, { name: "", passwordHash: "new" })).toMatchObject({
      personId,
      name: "Ada",
      passwordHash: "new",
      totpSecret: undefined,
      recoveryCodes: [],
    });
    expect(await people.findSession(session)).toBe(undefined);
  });

  test("a session ends after 12 hours without use, after 7 days, and when the person leaves or logs out", async () => {
    const state = await open();
    const { people } = state;
    const [acme, globex] = await organizations(state);
    const { personId } = (await people.acceptInvite((await invited(state, "ada@acme.com", acme)).secret, ada))!;
    const begin = () => people.createSession({ personId, stage: "open", browser: "Firefox on Linux" });
    const secret = await begin();
    const found = (await people.findSession(secret))!;
    expect(found).toMatchObject({ person: { personId }, stage: "open", browser: "Firefox on Linux" });
    expect(found.memberships.map(({ organizationId }) => organizationId)).toEqual([acme]);
    await people.chooseOrganization(found.sessionId, globex);
    expect((await people.findSession(secret))!.organizationId).toBe(globex);
    for (let hours = 0; hours < 7 * 24 - 11; hours += 11) {
      expect(await people.findSession(secret)).toBeDefined();
      await state.advance(11 * hourMs);
    }
    expect(await people.findSession(secret)).toBeDefined();
    await state.advance(11 * hourMs);
    expect(await people.findSession(secret)).toBe(undefined);

    const idle = await begin();
    await state.advance(12 * hourMs);
    expect(await people.findSession(idle)).toBe(undefined);

    await state.jobs.maintain();
    const [one, two, three] = [await begin(), await begin(), await begin()];
    const ids = [(await people.findSession(one!))!.sessionId, (await people.findSession(two!))!.sessionId];
    expect((await people.sessions(personId)).length).toBe(3);
    expect(await people.endSession("per_other", ids[0]!)).toBe(false);
    expect(await people.endSession(personId, "%")).toBe(false);
    expect(await people.endSession(personId, ids[0]!)).toBe(true);
    expect(await people.endSessions(personId, ids[1])).toBe(1);
    expect([await people.findSession(one!), await people.findSession(three!)]).toEqual([undefined, undefined]);
    expect(await people.findSession(two!)).toBeDefined();

    const waiting = await people.createSession({ personId, stage: "password", browser: "Firefox" });
    expect((await people.findSession(waiting))!.stage).toBe("password");
    expect((await people.sessions(personId)).length).toBe(1);
    await state.advance(10 * 60_000);
    expect(await people.findSession(waiting)).toBe(undefined);
    await state.jobs.maintain();
    expect(await people.findSession(two!)).toBeDefined();
  });

  test("a change of role ends the sessions, and an organization keeps its last owner", async () => {
    const state = await open();
    const { people } = state;
    const [acme, globex] = await organizations(state);
    const { personId } = (await people.acceptInvite((await invited(state, "ada@acme.com", acme)).secret, ada))!;
    const bob = (await people.acceptInvite((await invited(state, "bob@acme.com", acme, "reader")).secret, ada))!;
    expect(await people.setRole(acme, personId, "reader")).toBe("last owner");
    expect(await people.setRole(acme, personId, undefined)).toBe("last owner");
    expect(await people.setRole(globex, bob.personId, "owner")).toBe("unknown");
    const secret = await people.createSession({ personId: bob.personId, stage: "open", browser: "" });
    expect(await people.setRole(acme, bob.personId, "reader")).toBe("changed");
    expect(await people.findSession(secret)).toBeDefined();
    expect(await people.setRole(acme, bob.personId, "owner")).toBe("changed");
    expect(await people.findSession(secret)).toBe(undefined);
    expect(await people.setRole(acme, personId, undefined)).toBe("changed");
    expect((await people.members(acme)).map(({ person, role }) => [person.email, role])).toEqual([
      ["bob@acme.com", "owner"],
    ]);
    // Somebody who has left may be invited again, with a new password.
    const again = await invited(state, "ada@acme.com", acme, "reader");
    expect(await people.acceptInvite(again.secret, { name: "Ada L.", passwordHash: "x" })).toMatchObject({ personId });
  });

  /** Every call that can lower the role of a person, or remove the person. */
  const demotions = (state: State & { now(): number }, organizationId: string, { personId, email }: Person) => ({
    "a change of role": () => state.people.setRole(organizationId, personId, "editor"),
    "a removal": () => state.people.setRole(organizationId, personId, undefined),
    "an invite": async () => {
      const { secret } = await invited(state, email, organizationId, "reader");
      return state.people.acceptInvite(secret, { personId });
    },
    "single sign-on": () =>
      state.people.enterBySubject({
        subject: `https://id ${email}`,
        email,
        name: "",
        membership: { organizationId, role: "reader", isMapped: true },
      }),
  });
  const ownersOf = async (state: State, organizationId: string) =>
    (await state.people.members(organizationId)).flatMap(({ person, role }) => (role === "owner" ? person.email : []));

  test("the last owner stays owner and logged in, whatever would lower the role", async () => {
    const state = await open();
    const { people } = state;
    const [acme] = await organizations(state);
    const owner = (await people.acceptInvite((await invited(state, "ada@acme.com", acme)).secret, ada))!;
    const { personId } = owner;
    const secret = await people.createSession({ personId, stage: "open", browser: "" });
    for (const [name, demote] of Object.entries(demotions(state, acme, owner))) {
      await demote();
      expect([name, await ownersOf(state, acme)]).toEqual([name, ["ada@acme.com"]]);
      expect(await people.findSession(secret)).toBeDefined();
    }
    const { entries } = await people.auditLog(acme, { limit: 10 });
    const lines = entries.filter(({ action }) => action === "person.role-kept");
    expect(lines.map(({ actor, subject, detail }) => [actor, subject, detail])).toEqual(
      ["by single sign-on", "invited by the service"].map((reason) => [
        ...["Ada (ada@acme.com)", "ada@acme.com"],
        `stays owner, not reader: nobody else is an owner (${reason})`,
      ]),
    );
  });

  test("of two owners who are demoted at the same time by two processes, one stays owner", async () => {
    const state = await open();
    const other = { ...(await state.another()), now: state.now };
    const [acme] = await organizations(state);
    const owners: Person[] = [];
    for (const email of ["ada@acme.com", "bob@acme.com"])
      owners.push((await state.people.acceptInvite((await invited(state, email, acme)).secret, ada))!);
    const ways = ["a change of role", "a removal", "an invite", "single sign-on"] as const;
    for (const first of ways)
      for (const second of ways) {
        for (const { personId, email } of owners) {
          const { secret } = await invited(state, email, acme, "owner");
          await state.people.acceptInvite(secret, (await state.people.memberships(personId))[0] ? { personId } : ada);
        }
        expect((await ownersOf(state, acme)).length).toBe(2);
        await Promise.all([demotions(state, acme, owners[0]!)[first](), demotions(other, acme, owners[1]!)[second]()]);
        expect([first, second, (await ownersOf(state, acme)).length]).toEqual([first, second, 1]);
      }
  });

  test("without a mapping, single sign-on changes no role, neither by its default nor by a pending invite", async () => {
    const state = await open();
    const { people } = state;
    const [acme, globex] = await organizations(state);
    const { personId } = (await people.acceptInvite((await invited(state, "ada@acme.com", acme)).secret, ada))!;
    await invited(state, "bob@acme.com", acme).then(({ secret }) => people.acceptInvite(secret, ada));
    await invited(state, "ada@acme.com", acme, "reader");
    await invited(state, "ada@acme.com", globex, "editor");
    const membership = { organizationId: acme, role: "reader", isMapped: false } as const;
    const entered = await people.enterBySubject({ subject: "s", email: "ada@acme.com", name: "", membership });
    expect(entered).toMatchObject({ person: { personId }, isRoleKept: false });
    expect((await people.memberships(personId)).map(({ role }) => role)).toEqual(["owner", "editor"]);
    expect([(await people.invites(acme)).length, (await people.invites(globex)).length]).toEqual([1, 0]);
    const { person } = (await people.enterBySubject({ subject: "t", email: "new@acme.com", name: "", membership }))!;
    expect((await people.memberships(person.personId)).map(({ role }) => role)).toEqual(["reader"]);
  });

  test("a session by single sign-on has to be confirmed again after its time", async () => {
    const state = await open();
    const { people } = state;
    const [acme] = await organizations(state);
    const { personId } = (await people.acceptInvite((await invited(state, "ada@acme.com", acme)).secret, ada))!;
    const session = { personId, stage: "open", browser: "" } as const;
    const secret = await people.createSession({ ...session, recheckMs: 60_000 });
    const byPassword = await people.createSession(session);
    await state.advance(59_999);
    expect((await people.findSession(secret))!.stage).toBe("open");
    await state.advance(1);
    expect((await people.findSession(secret))!.stage).toBe("recheck");
    expect((await people.findSession(byPassword))!.stage).toBe("open");
  });

  test("a code of the second factor and a recovery code count once", async () => {
    const state = await open();
    const { people } = state;
    const [acme] = await organizations(state);
    const { personId } = (await people.acceptInvite((await invited(state, "ada@acme.com", acme)).secret, ada))!;
    const steps = await Promise.all([people.useTotpStep(personId, 7), people.useTotpStep(personId, 7)]);
    expect(steps.toSorted()).toEqual([false, true]);
    expect([await people.useTotpStep(personId, 6), await people.useTotpStep(personId, 8)]).toEqual([false, true]);
    await people.changePerson(personId, { recoveryCodes: ["h1", "h2"] });
    const codes = await Promise.all([people.useRecoveryCode(personId, "h1"), people.useRecoveryCode(personId, "h1")]);
    expect(codes.toSorted()).toEqual([false, true]);
    await people.changePerson(personId, { name: "Countess", totpSecret: "S" });
    expect(await people.personByEmail("ada@acme.com")).toMatchObject({
      name: "Countess",
      recoveryCodes: ["h2"],
      totpSecret: "S",
    });
    await people.changePerson(personId, { totpSecret: null });
    expect((await people.personByEmail("ada@acme.com"))!.totpSecret).toBe(undefined);
  });

  test("single sign-on finds a person by subject, then by address, and creates one only with a membership or an invite", async () => {
    const state = await open();
    const { people } = state;
    const [acme, globex] = await organizations(state);
    const entry = { subject: "https://id 1", email: "Ada@acme.com", name: "Ada" };
    expect(await people.enterBySubject(entry)).toBe(undefined);
    await invited(state, "ada@acme.com", acme, "editor");
    const { personId } = (await people.enterBySubject(entry))!.person;
    expect((await people.memberships(personId)).map(({ role }) => role)).toEqual(["editor"]);
    expect(await people.invites(acme)).toEqual([]);
    expect((await people.enterBySubject({ ...entry, email: "new@acme.com" }))!.person.personId).toBe(personId);
    // The address alone does not lead to the person of another subject.
    expect(await people.enterBySubject({ ...entry, subject: "https://id 2" })).toBe(undefined);
    const membership = { organizationId: globex, role: "reader", isMapped: true } as const;
    const { person: bob } = (await people.enterBySubject({
      subject: "https://id 3",
      email: "bob@acme.com",
      name: "Bob",
      membership,
    }))!;
    expect((await people.memberships(bob.personId)).map(({ role }) => role)).toEqual(["reader"]);
    expect(bob.passwordHash).toBe(undefined);
    const secret = await people.createSession({ personId: bob.personId, stage: "open", browser: "" });
    await people.enterBySubject({ subject: "https://id 3", email: "bob@acme.com", name: "Bob", membership });
    expect(await people.findSession(secret)).toBeDefined();
    const asOwner = { ...membership, role: "owner" } as const;
    await people.enterBySubject({ subject: "https://id 3", email: "bob@acme.com", name: "Bob", membership: asOwner });
    expect(await people.findSession(secret)).toBe(undefined);
  });

  test("the invites of an owner who is demoted, removed or erased end, and no others", async () => {
    const state = await open();
    const { people, erasures } = state;
    const { organizationId } = await state.accounts.organization("Acme");
    const endsAt = new Date(Date.now() + 60_000);
    const join = async (email: string) => {
      const { secret } = await people.invite({ email, organizationId, role: "owner", endsAt });
      return (await people.acceptInvite(secret, { name: "Ada", passwordHash: "x" }))!.personId;
    };
    const dada = await join("dada@acme.com");
    const invitedBy = async (personId: string, email: string) =>
      (await people.invite({ email, organizationId, role: "owner", endsAt }, { personId })).secret;
    const kept = await invitedBy(dada, "kept@acme.com");
    const by = { personId: dada };
    const ends: Readonly<Record<string, (personId: string) => Promise<unknown>>> = {
      "demoted@x.com": (personId) => people.setRole(organizationId, personId, "editor", by),
      "removed@x.com": (personId) => people.setRole(organizationId, personId, undefined, by),
      "erased@x.com": (personId) =>
        erasures.erase({ kind: "person", personId, onlyIn: organizationId, keepNames: true }, by),
    };
    for (const [email, end] of Object.entries(ends)) {
      // As an ending of the address above.
      const personId = await join(email === "demoted@x.com" ? "ada@acme.com" : `ada-${email}`);
      const secret = await invitedBy(personId, email);
      await people.changePerson(personId, { name: "Countess" });
      await end(personId);
      expect([email, await people.findInvite(secret)]).toEqual([email, undefined]);
    }
    expect(await people.findInvite(kept)).toBeDefined();
    const { entries } = await people.auditLog(organizationId, { limit: 100 });
    expect(entries.filter(({ action }) => action === "person.withdraw").map(({ subject }) => subject)).toEqual([
      "erased@x.com",
      "removed@x.com",
      "demoted@x.com",
    ]);
  });

  test("texts that the database cannot store find nothing, and do not fail the database", async () => {
    const state = await open();
    const { organizationId } = await state.accounts.organization("Acme");
    const text = "a\0b\ud800";
    expect(await state.people.personByEmail(text)).toBe(undefined);
    expect(await state.people.withdrawInvite(organizationId, text)).toBe(false);
    expect(await state.accounts.projectByName(organizationId, text)).toBe(undefined);
    expect(await state.threads.find(text)).toBe(undefined);
    expect((await state.jobs.list(organizationId, { domain: text, limit: 3 })).jobs).toEqual([]);
    const created = await state.accounts.createOrganization(text);
    expect(created).toBeDefined();
  });

  test("the audit log is listed newest first in pages, by organization, and kept for 400 days", async () => {
    const state = await open();
    const { people } = state;
    const [acme, globex] = await organizations(state);
    const { personId } = (await people.acceptInvite((await invited(state, "ada@acme.com", acme)).secret, ada))!;
    for (const subject of ["one", "two", "three"])
      await people.addAuditEntry({ organizationId: acme, personId, action: "job.cancel", subject, detail: "a\0b" });
    await people.addAuditEntry({
      organizationId: globex,
      keyId: "key_1",
      action: "job.start",
      subject: "x",
      detail: "",
    });
    const first = await people.auditLog(acme, { limit: 2 });
    expect(first.entries).toEqual(
      ["three", "two"].map((subject, index) => ({
        at: new Date(state.now()),
        position: expect.any(Number),
        actor: "Ada (ada@acme.com)",
        personId,
        action: "job.cancel",
        subject,
        detail: "a\ufffdb",
        line: 6 - index,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      })),
    );
    const second = await people.auditLog(acme, { limit: 2, cursor: first.next });
    expect(second.entries.map(({ subject, action }) => [subject, action])).toEqual([
      ["one", "job.cancel"],
      ["ada@acme.com", "person.join"],
    ]);
    const third = await people.auditLog(acme, { limit: 2, cursor: second.next });
    expect([third.entries.map(({ action }) => action), third.next]).toEqual([
      ["person.invite", "organization.create"],
      undefined,
    ]);
    expect((await people.auditLog(globex, { limit: 2 })).entries.map(({ actor }) => actor)).toEqual(["key_1", ""]);
    await state.advance(401 * dayMs);
    await state.jobs.maintain();
    expect((await people.auditLog(acme, { limit: 2 })).entries).toEqual([]);
  });
});

test("only one file changes who belongs to an organization, so that no path removes the last owner", () => {
  const root = fileURLToPath(new URL("../../../src/", import.meta.url));
  const writers = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name.endsWith(".ts") &&
      // The membership of a person is deleted with the person's row.
      /(?:insert into|update|delete from) memberships\b|delete from people\b/.test(
        readFileSync(join(root, name), "utf8"),
      ),
  );
  expect(writers).toEqual(["service/jobs/people/memberships.ts"]);
});
