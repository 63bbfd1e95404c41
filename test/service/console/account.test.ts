import { expect, test } from "vitest";
import { totpCode, totpStep } from "../../../src/service/console/totp.js";
import { openConsoleWorld, password } from "../../support/console-world.js";

test("codes of the second factor follow RFC 6238, for clocks that differ by up to 30 seconds", () => {
  // The vectors of appendix B, with the last six of their eight digits.
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const vectors = [
    [59, "287082"],
    [1111111109, "081804"],
    [1234567890, "005924"],
    [20000000000, "353130"],
  ] as const;
  for (const [seconds, code] of vectors) {
    expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code);
    for (const ahead of seconds > 60 ? [-30, 0, 30] : [0, 30])
      expect(totpStep(secret, code, (seconds + ahead) * 1000)).toBeDefined();
    expect(totpStep(secret, code, (seconds + 90) * 1000)).toBe(undefined);
  }
});

test("somebody turns the second factor on, logs in with a code or a recovery code, each once, and turns it off", async () => {
  const world = await openConsoleWorld();
  await world.person("ada@acme.com");
  const ada = world.browser();
  await ada.logIn("ada@acme.com");
  const form = await ada.get("/console/account/second-factor");
  expect(form.text).toMatch(/<svg class="qr"[^>]*aria-label="The key below as a QR code"><path d="M4 4h7v1h-7z/);
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(form.text)![1]!;
  const code = () => totpCode(secret, Math.floor(world.clock.ms / 30_000));
  const turnOn = (fields: object) =>
    ada.post("/console/account/second-factor", { secret, password, code: code(), ...fields });
  expect((await turnOn({ password: "wrong" })).text).toContain("The password is wrong.");
  expect((await turnOn({ code: "000000" })).text).toContain("The code is wrong.");
  const on = await turnOn({});
  const recovery = [...on.text.matchAll(/<code>([a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4})<\/code>/g)].map(
    ([, each]) => each!,
  );
  expect(new Set(recovery).size).toBe(8);
  expect((await ada.get("/console/account")).text).toContain("8 recovery codes left");

  const phone = world.browser();
  const first = await phone.logIn("ada@acme.com", "/console/jobs");
  expect(first.to).toBe("/console/login/code?to=%2Fconsole%2Fjobs");
  // The password alone opens nothing.
  expect((await phone.get("/console/jobs")).to).toContain("/console/login");
  const enter = (each: string) => phone.post("/console/login/code", { code: each, to: "/console/jobs" });
  expect((await enter(code())).text).toContain("The code is wrong or has already been used.");
  world.clock.ms += 30_000;
  const entered = await enter(code());
  expect([entered.status, entered.to]).toEqual([303, "/console/jobs"]);
  expect((await phone.get("/console/jobs")).status).toBe(200);

  for (const [each, status] of [
    [recovery[0]!.toUpperCase().replaceAll("-", " "), 303],
    [recovery[0]!, 422],
  ] as const) {
    await phone.logIn("ada@acme.com");
    expect((await enter(each)).status).toBe(status);
  }
  for (let i = 0; i < 4; i++) expect((await enter("123456")).status).toBe(422);
  const limited = await enter(recovery[1]!);
  expect([limited.status, limited.headers.get("Retry-After")]).toEqual([429, "5"]);

  expect((await ada.post("/console/account/second-factor", { password: "wrong" })).status).toBe(422);
  expect((await ada.post("/console/account/second-factor", { password })).to).toBe("/console/account");
  expect((await phone.logIn("ada@acme.com")).to).toBe("/console");
});

test("a new password needs the old one, and ends the other sessions", async () => {
  const world = await openConsoleWorld();
  const { personId } = await world.person("ada@acme.com");
  const [ada, other] = [await world.browserOf(personId), await world.browserOf(personId)];
  const change = (fields: object) =>
    ada.post("/console/account/password", { password, new: "another long password", ...fields });
  expect((await change({ password: "wrong" })).text).toContain("The password is wrong.");
  expect((await change({ new: "short" })).text).toContain("Take 12 characters or more; these are 5.");
  expect((await change({ new: password })).text).toContain("This is your old password.");
  const changed = await change({});
  expect(changed.to).toBe("/console/account");
  expect((await other.get("/console")).status).toBe(303);
  expect((await ada.get("/console/account")).text).toContain("1 other session has ended.");
  expect((await world.browser().logIn("ada@acme.com")).status).toBe(422);
});

test("somebody sees and ends their own sessions, and no others", async () => {
  const world = await openConsoleWorld();
  const ada = await world.member("owner");
  const grace = await world.member("reader");
  const idOf = async (visitor: typeof ada) =>
    (await world.store.people.findSession(visitor.cookies.get("offprint")!))!.sessionId;
  expect((await ada.post("/console/account/sessions/end", { session: await idOf(grace) })).status).toBe(404);
  expect((await grace.get("/console")).status).toBe(200);
  const { person } = (await world.store.people.findSession(ada.cookies.get("offprint")!))!;
  const second = await world.browserOf(person.personId);
  expect((await ada.get("/console/account")).text.match(/Test/g)).toHaveLength(2);
  expect((await ada.post("/console/account/sessions/end", { session: await idOf(second) })).status).toBe(303);
  expect((await second.get("/console")).status).toBe(303);
});

test("an owner invites, changes roles and removes; each is in the log, and the last owner stays", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const grace = await world.person("grace@acme.com", "reader");
  const reader = await world.browserOf(grace.personId);
  const stranger = await world.person("eve@globex.com", "owner", world.globex.organizationId);
  expect((await owner.post("/console/people", { email: "no address", role: "reader" })).status).toBe(422);
  expect((await owner.post("/console/people", { email: "grace@acme.com", role: "owner" })).status).toBe(422);
  expect((await owner.post("/console/people", { email: "x@acme.com", role: "root" })).status).toBe(422);
  const invited = await owner.post("/console/people", { email: "New@acme.com", role: "editor" });
  const link = /http:\/\/127\.0\.0\.1:1(\/console\/invite\/[\w-]{43})/.exec(invited.text)![1]!;
  expect((await world.browser().get(link)).text).toContain("You become editor, as new@acme.com.");
  expect((await owner.get("/console/people")).text).not.toContain(link);
  const [invite] = await world.store.people.invites(world.acme.organizationId);
  expect((await owner.post("/console/people/withdraw", { invite: "inv_other" })).status).toBe(404);
  expect((await owner.post("/console/people/withdraw", { invite: invite!.inviteId })).status).toBe(303);
  expect((await world.browser().get(link)).status).toBe(404);

  const path = `/console/people/${grace.personId}`;
  expect((await owner.post(`${path}/role`, { role: "root" })).status).toBe(404);
  await owner.post(`${path}/role`, { role: "editor" });
  // With the new role comes a new session.
  expect((await reader.get("/console")).status).toBe(303);
  const editor = await world.browserOf(grace.personId);
  expect((await owner.post(`${path}/log-out`)).status).toBe(303);
  expect((await editor.get("/console")).status).toBe(303);
  const { person } = (await world.store.people.findSession(owner.cookies.get("offprint")!))!;
  await owner.post(`/console/people/${person.personId}/remove`);
  expect((await owner.get("/console/people")).text).toContain("someone else must become an owner first");
  expect((await owner.post(`/console/people/${stranger.personId}/remove`)).status).toBe(404);
  expect((await owner.post(`${path}/remove`)).status).toBe(303);
  expect(await world.store.people.memberships(grace.personId)).toEqual([]);
  const { text } = await owner.get("/console/log");
  const actions = [...text.matchAll(/badge-wait">(person\.[a-z-]+)</g)].map(([, action]) => action);
  const made = ["person.join", "person.invite", "person.join", "person.invite"];
  expect(actions).toEqual([
    ...["person.remove", "person.log-out", "person.role", "person.withdraw", "person.invite"],
    ...made,
  ]);
  expect(text).toContain("owner (owner-");
});

test("somebody who is removed has no account any more; the log keeps the name unless it is erased there, too", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const { people } = world.store;
  const [ada, bob] = [await world.person("ada@acme.com", "reader"), await world.person("bob@acme.com", "reader")];
  await world.person("ada@acme.com", "reader", world.globex.organizationId);
  const remove = (personId: string, form = {}) => owner.post(`/console/people/${personId}/remove`, form);
  await remove(bob.personId);
  expect(await people.personByEmail("bob@acme.com")).toBe(undefined);
  expect((await owner.get("/console/log")).text).toContain("bob (bob@acme.com)");
  // The other organization keeps the account.
  await remove(ada.personId, { log: "erase" });
  expect((await people.memberships(ada.personId)).map(({ organizationName }) => organizationName)).toEqual(["Globex"]);
  expect((await owner.get("/console/people")).text).toContain("since it belongs to another organization");
  const cyd = await world.person("cyd@acme.com", "reader");
  await remove(cyd.personId, { log: "erase" });
  const { text } = await owner.get("/console/log");
  expect(text).not.toContain("cyd@acme.com");
  expect(text).toContain(`erased person ${cyd.personId.slice(4, 12)}`);
  expect((await people.verifyAuditLog(world.acme.organizationId)).broken).toBe(undefined);
});

test("an owner deletes the organization with its name and the password, and sees the receipt", async () => {
  const world = await openConsoleWorld();
  const { store, acme, globex } = world;
  const ada = await world.person("ada@acme.com", "owner");
  const both = await world.person("both@acme.com", "owner");
  await world.person("both@acme.com", "reader", globex.organizationId);
  const [owner, other] = [await world.browserOf(ada.personId), await world.browserOf(both.personId)];
  expect((await (await world.member("editor")).get("/console/organization/delete")).status).toBe(404);
  expect((await owner.get("/console/people")).text).toContain('href="/console/organization/delete"');
  const send = (form: object) =>
    other.post("/console/organization/delete", { organization: "Acme", password, ...form });
  expect((await send({ organization: "Globex" })).text).toContain("Type Acme to delete this organization.");
  expect((await send({ password: "wrong" })).text).toContain("The password is wrong.");
  expect((await send({ csrf: "x" })).status).toBe(403);
  expect(await store.accounts.organizationById(acme.organizationId)).toBeDefined();

  const done = await send({});
  expect(done.status).toBe(200);
  const erasureId = /<code>(ers_[0-9a-f]{32})<\/code>/.exec(done.text)![1]!;
  expect(await store.erasures.get(erasureId)).toMatchObject({ kind: "organization", subject: acme.organizationId });
  expect(done.text).toContain("Go on with Globex");
  expect(await store.accounts.organizationById(acme.organizationId)).toBe(undefined);
  expect((await other.get("/console")).text).toContain("reader, Globex");
  // Somebody without another organization has no account any more.
  expect((await owner.get("/console")).to).toContain("/console/login");
  expect(await store.people.personByEmail("ada@acme.com")).toBe(undefined);
});

test("who deletes the only organization is logged out", async () => {
  const world = await openConsoleWorld();
  const { personId } = await world.person("ada@acme.com");
  const owner = await world.browserOf(personId);
  const done = await owner.post("/console/organization/delete", { organization: " Acme ", password });
  expect(done.text).toContain("Your account is deleted as well. Save this receipt.");
  expect(owner.cookies.has("offprint")).toBe(false);
  expect((await world.store.erasures.list(1))[0]!.requestedBy).toBe(`erased person ${personId.slice(4, 12)}`);
  expect(done.text).not.toContain("ada@acme.com");
});

test("an owner without a password deletes the organization only soon after the login", async () => {
  const world = await openConsoleWorld();
  const membership = { organizationId: world.acme.organizationId, role: "owner", isMapped: false } as const;
  const subject = "https://id.acme.com ada";
  const entered = await world.store.people.enterBySubject({ subject, email: "ada@acme.com", name: "Ada", membership });
  const owner = await world.browserOf(entered!.person.personId);
  const send = () => owner.post("/console/organization/delete", { organization: "Acme" });
  world.clock.ms += 16 * 60_000;
  const late = await send();
  expect([late.status, late.text]).toEqual([422, expect.stringContaining("You logged in more than 15 minutes ago.")]);
  world.clock.ms -= 16 * 60_000;
  expect((await send()).text).toContain("Acme is deleted");
});

test("of two at once only one uses an invite", async () => {
  const world = await openConsoleWorld();
  await world.person("ada@acme.com");
  const endsAt = new Date(world.clock.ms + 60_000);
  const organizationId = world.acme.organizationId;
  const { secret } = await world.store.people.invite({ email: "b@acme.com", organizationId, role: "reader", endsAt });
  const both = await Promise.all(
    ["One", "Two"].map((name) => world.browser().post(`/console/invite/${secret}`, { name, password })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 404]);
});
