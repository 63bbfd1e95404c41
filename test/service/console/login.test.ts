import { expect, test } from "vitest";
import { openConsoleWorld } from "../../support/console-world.js";
import { waitUntil } from "../../support/wait-until.js";

test("somebody with a password logs in, sees a page and logs out", async () => {
  const world = await openConsoleWorld();
  await world.person("ada@acme.com", "owner");
  const ada = world.browser();
  const closed = await ada.get("/console?x=1");
  expect([closed.status, closed.to]).toEqual([303, "/console/login?to=%2Fconsole%3Fx%3D1"]);
  const form = await ada.get(closed.to!);
  expect(form.text).toContain('name="to" value="/console?x=1"');
  const entered = await ada.logIn("Ada@acme.com", "/console?x=1");
  expect([entered.status, entered.to]).toEqual([303, "/console?x=1"]);
  const page = await ada.get("/console");
  expect(page.status).toBe(200);
  expect(page.text).toContain("Acme");
  expect((await ada.post("/console/logout")).to).toBe("/console/login");
  expect((await ada.get("/console")).status).toBe(303);
});

test("an invite opens the console once, for a name and a good password", async () => {
  const world = await openConsoleWorld();
  const { people } = world.store;
  const invite = (email: string, hours = 24) =>
    people.invite({
      email,
      organizationId: world.acme.organizationId,
      role: "editor",
      endsAt: new Date(world.clock.ms + hours * 60 * 60_000),
    });
  const ada = world.browser();
  const { secret } = await invite("ada@acme.com");
  const path = `/console/invite/${secret}`;
  const form = await ada.get(path);
  expect(form.text).toContain("Welcome to Acme");
  expect(form.text).toContain("ada@acme.com");
  const short = await ada.post(path, { name: "", password: "short" });
  expect(short.status).toBe(422);
  expect(short.text).toContain("Take 12 characters or more; these are 5.");
  expect(short.text).toMatch(/<input id="name"[^>]*aria-invalid="true"[^>]*autofocus/);
  expect((await ada.post(path, { name: "Ada", password: "aaaaaaaaaaaaaaa" })).status).toBe(422);
  expect((await ada.post(path, { name: "Ada", password: "ada@acme.com!" })).status).toBe(422);
  const entered = await ada.post(path, { name: "Ada", password: "correct horse battery" });
  expect([entered.status, entered.to]).toEqual([303, "/console"]);
  const home = await ada.get("/console");
  expect(home.text).toContain("Welcome.");
  expect((await ada.get("/console")).text).not.toContain("Welcome.");
  // Used, unknown and expired links look alike.
  const used = await world.browser().get(path);
  const unknown = await world.browser().get("/console/invite/x");
  const { secret: late } = await invite("bob@acme.com", 1);
  world.clock.ms += 60 * 60_000;
  const expired = await world.browser().get(`/console/invite/${late}`);
  expect([used.status, unknown.text, expired.text]).toEqual([404, used.text, used.text]);
  expect((await people.auditLog(world.acme.organizationId, { limit: 4 })).entries).toMatchObject([
    { actor: "", action: "person.invite", subject: "bob@acme.com" },
    {
      actor: "Ada (ada@acme.com)",
      action: "login",
      subject: "ada@acme.com",
      detail: expect.stringMatching(/, from 198\.51\.100\.7$/),
    },
    {
      actor: "Ada (ada@acme.com)",
      action: "person.join",
      subject: "ada@acme.com",
      detail: "editor, invited by the service",
    },
    { actor: "", action: "person.invite", subject: "ada@acme.com", detail: "editor" },
  ]);
});

test("somebody of another organization joins with the account that they have", async () => {
  const world = await openConsoleWorld();
  await world.person("ada@acme.com", "owner");
  const { secret } = await world.store.people.invite({
    email: "ada@acme.com",
    organizationId: world.globex.organizationId,
    role: "reader",
    endsAt: new Date(world.clock.ms + 1000),
  });
  const path = `/console/invite/${secret}`;
  const ada = world.browser();
  expect((await ada.get(path)).text).toContain("Log in to join");
  expect((await ada.post(path, { name: "Eve", password: "correct horse battery" })).text).toContain("Log in to join");
  await ada.logIn("ada@acme.com");
  expect((await ada.get(path)).text).not.toContain("Log in to join");
  expect((await ada.post(path)).to).toBe("/console");
  const home = await ada.get("/console");
  expect(home.text).toContain("reader, Globex");
  const back = await ada.post("/console/organization", { organization: world.acme.organizationId });
  expect(back.to).toBe("/console");
  expect((await ada.get("/console")).text).toContain("owner, Acme");
  expect((await ada.post("/console/organization", { organization: "org_other" })).status).toBe(404);
});

test("a login that fails says the same for a wrong password and an unknown person, and is limited to ten an hour", async () => {
  const world = await openConsoleWorld();
  await world.person("ada@acme.com");
  const visitor = world.browser();
  const attempt = (email: string, password: string, from: string) =>
    visitor.post("/console/login", { email, password }, { from });
  const wrong = await attempt("ada@acme.com", "wrong", "192.0.2.1");
  const unknown = await attempt("eve@acme.com", "wrong", "192.0.2.1");
  expect([wrong.status, unknown.status]).toEqual([422, 422]);
  expect(unknown.text.replaceAll("eve@", "ada@")).toBe(wrong.text);
  // Nine more for the account, each from another address.
  for (let i = 2; i <= 10; i++) expect((await attempt("ada@acme.com", "wrong", `192.0.2.${i}`)).status).toBe(422);
  const limited = await attempt("ada@acme.com", "correct horse battery", "192.0.2.99");
  expect(limited.status).toBe(429);
  expect(limited.text).toContain("Try again in 60 minutes.");
  // Nine more from the first address, each for another account; a success does not count.
  for (let i = 0; i < 8; i++) expect((await attempt(`p${i}@acme.com`, "wrong", "192.0.2.1")).status).toBe(422);
  expect((await attempt("p9@acme.com", "wrong", "192.0.2.1")).status).toBe(429);
  world.clock.ms += 60 * 60_000;
  expect((await attempt("ada@acme.com", "correct horse battery", "192.0.2.1")).status).toBe(303);
});

test("failed logins and codes are in the audit log of the person's organizations, as acts of somebody", async () => {
  const world = await openConsoleWorld();
  const { personId } = await world.person("ada@acme.com", "owner");
  const { people } = world.store;
  await world.browser().post("/console/login", { email: "ada@acme.com", password: "wrong" });
  await world.browser().post("/console/login", { email: "nobody@acme.com", password: "wrong" });
  await people.changePerson(personId, { totpSecret: "A".repeat(32) });
  const ada = world.browser();
  await ada.logIn("ada@acme.com");
  await ada.post("/console/login/code", { code: "000000" });
  const failures = async () => {
    const { entries } = await people.auditLog(world.acme.organizationId, { limit: 20, oldestFirst: true });
    return entries.filter(({ action }) => action === "login.fail");
  };
  await waitUntil("both lines", async () => (await failures()).length >= 2);
  expect(await failures()).toMatchObject([
    { actor: "somebody at 198.51.100.7", subject: "ada@acme.com", detail: "wrong password" },
    { actor: "somebody at 198.51.100.7", subject: "ada@acme.com", detail: "wrong code" },
  ]);
});
