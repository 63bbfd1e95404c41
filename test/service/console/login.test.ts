import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callCli } from "../../support/cli.js";
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

/** Attempts to log in from any address. */
async function openLogin() {
  const world = await openConsoleWorld();
  await world.person("ada@acme.com");
  const attempt = (email: string, password: string, from = "192.0.2.1") =>
    world.browser().post("/console/login", { email, password }, { from });
  return { ...world, attempt };
}
const right = "correct horse battery";

test("a failed login says the same for a wrong password and an unknown person", async () => {
  const { attempt, lines } = await openLogin();
  const wrong = await attempt("ada@acme.com", "wrong");
  const unknown = await attempt("eve@acme.com", "wrong");
  expect([wrong.status, unknown.status]).toEqual([422, 422]);
  expect(unknown.text.replaceAll("eve@", "ada@")).toBe(wrong.text);
  const failed = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === "a login failed");
  expect(failed).toEqual(Array(2).fill(expect.objectContaining({ factor: "password", clientAddress: "192.0.2.1" })));
  expect(JSON.stringify(failed)).not.toContain("@");
});

test("an account must wait from the fifth failure on, twice as long after each further one and at most 15 minutes", async () => {
  const { attempt, clock } = await openLogin();
  // Each from another address.
  let from = 0;
  const fail = () => attempt("ada@acme.com", "wrong", `192.0.2.${++from}`);
  for (let i = 0; i < 5; i++) expect((await fail()).status).toBe(422);
  for (const seconds of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]) {
    const waiting = await attempt("ada@acme.com", right, `192.0.2.${++from}`);
    expect([waiting.status, waiting.headers.get("Retry-After")]).toEqual([429, String(seconds)]);
    clock.ms += seconds * 1000 - 1;
    expect((await fail()).status).toBe(429);
    clock.ms += 1;
    expect((await fail()).status).toBe(422);
  }
  const page = await attempt("ada@acme.com", right);
  expect(page.text).toContain("Too many attempts have failed. Try again in 15 minutes.");
  expect(page.text).toContain("offprint console unlock you@example.com");
  clock.ms += 900_000;
  expect((await attempt("ada@acme.com", right)).status).toBe(303);
  // A success begins anew.
  expect((await attempt("ada@acme.com", "wrong")).status).toBe(422);
  expect((await attempt("ada@acme.com", right)).status).toBe(303);
});

test("of many attempts at the same time, only the allowed ones are checked", async () => {
  const { attempt } = await openLogin();
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => (await attempt("ada@acme.com", "wrong", `192.0.2.${i}`)).status),
  );
  expect(statuses.filter((status) => status === 422)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(15);
});

test("failures of others at an address lock nobody out, and do not let lists of passwords be tried out", async () => {
  const { attempt, clock, person } = await openLogin();
  await person("bob@acme.com");
  const address = "192.0.2.1";
  for (let i = 0; i < 60; i++) expect((await attempt(`p${i}@acme.com`, "wrong", address)).status).toBe(422);
  expect((await attempt("ada@acme.com", right, address)).status).toBe(303);
  // An account with its own failures waits for the address, but may log in from elsewhere.
  for (let i = 0; i < 3; i++) expect((await attempt("bob@acme.com", "wrong", address)).status).toBe(422);
  expect((await attempt("bob@acme.com", right, address)).status).toBe(429);
  expect((await attempt("bob@acme.com", right, "203.0.113.1")).status).toBe(303);
  for (let i = 60; i < 97; i++) expect((await attempt(`p${i}@acme.com`, "wrong", address)).status).toBe(422);
  const limited = await attempt("ada@acme.com", right, address);
  expect([limited.status, limited.headers.get("Retry-After")]).toEqual([429, "900"]);
  expect((await attempt("ada@acme.com", right, "203.0.113.1")).status).toBe(303);
  // An hour without another failure.
  clock.ms += 60 * 60_000;
  expect((await attempt("ada@acme.com", right, address)).status).toBe(303);
});

test("a command lets somebody log in who must wait", async () => {
  const { attempt, folder, store } = await openLogin();
  for (let i = 0; i < 5; i++) await attempt("ada@acme.com", "wrong", `192.0.2.${i}`);
  expect((await attempt("ada@acme.com", right)).status).toBe(429);
  const data = join(folder, "data");
  mkdirSync(data);
  symlinkSync(join(folder, "state.db"), join(data, "offprint.db"));
  const { accounts } = store;
  const unlocked = await callCli(["console", "unlock", "Ada@acme.com", "--data", data]);
  expect(unlocked).toMatchObject({ code: 0 });
  expect((await accounts.failures("password of ada@acme.com")).count).toBe(0);
  expect((await attempt("ada@acme.com", right)).status).toBe(303);
  expect((await callCli(["console", "unlock", "eve@acme.com", "--data", data])).stderr).toContain(
    "no account has the email address",
  );
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
