import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { oidcOptions } from "../../../src/cli/open-console.js";
import type { OidcOptions } from "../../../src/service/console/route.js";
import { publicUrl } from "../../support/api-world.js";
import { temporaryFolder } from "../../support/cli.js";
import { openConsoleWorld } from "../../support/console-world.js";
import { startIdentityProvider } from "../../support/identity-provider.js";

const callback = "/console/login/oidc/callback";

async function openWorld(options: Partial<OidcOptions> = {}) {
  const provider = await startIdentityProvider(publicUrl + callback);
  provider.claims = { email: "ada@acme.com", email_verified: true, name: "Ada Lovelace" };
  const { issuer, clientId, clientSecret } = provider;
  const oidc = {
    issuer,
    clientId,
    clientSecret,
    domains: [],
    groups: {},
    groupsClaim: "groups",
    organizationId: "",
    recheckMs: 60 * 60_000,
    only: false,
    ...options,
  };
  const world = await openConsoleWorld({ oidc });
  Object.assign(oidc, { organizationId: world.acme.organizationId });
  /** The whole way; `change` alters the address that leads back. */
  async function logIn(browser = world.browser(), change = (_: URL): void => {}) {
    const begun = await browser.get("/console/login/oidc?to=/console/jobs");
    const back = await provider.logIn(begun.to!);
    change(back);
    return { browser, back, answer: await browser.get(back.pathname + back.search) };
  }
  const membersOf = async () =>
    (await world.store.people.members(world.acme.organizationId)).map(({ person, role }) => [person.email, role]);
  return { ...world, provider, logIn, membersOf };
}

test("somebody who is invited enters by single sign-on, stays the same person, and logs out", async () => {
  const world = await openWorld();
  expect((await world.logIn()).answer.text).toContain("You have not been invited to this console.");
  const endsAt = new Date(world.clock.ms + 60_000);
  const organizationId = world.acme.organizationId;
  await world.store.people.invite({ email: "Ada@acme.com", organizationId, role: "editor", endsAt });
  const { browser, answer } = await world.logIn();
  expect([answer.status, answer.to]).toEqual([303, "/console/jobs"]);
  expect((await browser.get("/console/jobs")).text).toContain("Ada Lovelace");
  expect(browser.cookies.has("offprint-oidc")).toBe(false);
  await world.logIn();
  expect(await world.membersOf()).toEqual([["ada@acme.com", "editor"]]);
  expect((await browser.post("/console/logout")).status).toBe(303);
  expect((await browser.get("/console")).status).toBe(303);
  // The account of somebody without a password has no form for one.
  expect((await (await world.logIn()).browser.get("/console/account")).text).not.toContain("Current password");
});

test("an answer is refused whose state, nonce, issuer, audience, time or signature is wrong, or that comes twice", async () => {
  onTestFinished(() => void vi.useRealTimers());
  const world = await openWorld({ domains: ["acme.com"] });
  const { provider } = world;
  const refused = async (name: string, ...way: Parameters<typeof world.logIn>) => {
    const { answer, browser } = await world.logIn(...way);
    expect([name, answer.status]).toEqual([name, 403]);
    expect(answer.text).toContain("The provider's response is invalid.");
    expect(browser.cookies.has("offprint")).toBe(false);
  };
  const browser = world.browser();
  await refused("state", browser, (back) => back.searchParams.set("state", "x"));
  await refused("issuer of the answer", browser, (back) => back.searchParams.set("iss", "https://evil.example"));
  await refused("code", browser, (back) => back.searchParams.set("code", "x"));
  await refused("PKCE", browser, () => {
    const underWay = JSON.parse(decodeURIComponent(browser.cookies.get("offprint-oidc")!)) as object;
    const other = JSON.stringify({ ...underWay, verifier: "x".repeat(43) });
    browser.cookies.set("offprint-oidc", encodeURIComponent(other));
  });
  await refused("code that has expired", browser, () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 });
  });
  vi.useRealTimers();
  const hour = 60 * 60;
  const changes: Readonly<Record<string, (claims: Record<string, unknown>) => object>> = {
    nonce: () => ({ nonce: "x" }),
    "no nonce": () => ({ nonce: undefined }),
    issuer: () => ({ iss: "https://evil.example" }),
    audience: () => ({ aud: "another" }),
    expired: ({ exp }) => ({ exp: (exp as number) - 2 * hour, iat: (exp as number) - 3 * hour }),
  };
  for (const [name, change] of Object.entries(changes)) {
    provider.tamper = (claims) => ({ ...claims, ...change(claims) });
    await refused(name);
  }
  provider.tamper = undefined;
  provider.signsWithOtherKey = true;
  await refused("signature");
  provider.signsWithOtherKey = false;
  let underWay = "";
  const visitor = world.browser();
  const {
    back,
    answer,
    browser: ada,
  } = await world.logIn(visitor, () => {
    underWay = visitor.cookies.get("offprint-oidc")!;
  });
  expect(answer.status).toBe(303);
  // A code counts once, even in the browser that it was for.
  visitor.cookies.set("offprint-oidc", underWay);
  expect((await visitor.get(back.pathname + back.search)).text).toContain("The provider's response is invalid.");
  // Without the cookie of the browser that began, and with it a second time.
  expect((await world.browser().get(back.pathname + back.search)).text).toContain("was started in another browser");
  expect((await ada.get(back.pathname + back.search)).status).toBe(403);
});

test("an address counts only if it is verified; domains and groups give roles, the highest of several", async () => {
  const world = await openWorld({ domains: ["acme.com"], groups: { admins: "owner", writers: "editor" } });
  const { provider } = world;
  const enter = async (claims: object) => {
    provider.claims = claims as Record<string, unknown>;
    return (await world.logIn()).answer;
  };
  const ada = { email: "ada@acme.com", email_verified: true };
  expect((await enter({ ...ada, email_verified: false })).text).toContain("is not verified");
  expect((await enter({ ...ada, email_verified: "true" })).text).toContain("is not verified");
  expect((await enter({ account: "x", email_verified: true })).text).toContain("has no email address");
  expect((await enter({ ...ada, email: "ada@acme.com.evil.example" })).text).toContain("is not allowed to open");
  expect((await enter({ ...ada, email: "eve@evil.example", groups: ["others"] })).text).toContain(
    "is not allowed to open",
  );
  expect(await world.membersOf()).toEqual([]);
  expect((await enter(ada)).status).toBe(303);
  expect(await world.membersOf()).toEqual([["ada@acme.com", "reader"]]);
  expect((await enter({ ...ada, groups: ["writers", "admins", "others"] })).status).toBe(303);
  expect((await enter({ email: "bob@else.example", email_verified: true, groups: "writers" })).status).toBe(303);
  expect(await world.membersOf()).toEqual([
    ["ada@acme.com", "owner"],
    ["bob@else.example", "editor"],
  ]);
  // Another account there that has taken over the address is not the same person.
  expect((await enter({ ...ada, account: "another" })).text).toContain("You have not been invited");
});

test("an address that is not verified leads to no account, whoever has it", async () => {
  const world = await openWorld();
  const { provider } = world;
  await world.person("ada@acme.com");
  const { personId } = (await world.store.people.personByEmail("ada@acme.com"))!;
  const claims: readonly (readonly [object, ((token: Record<string, unknown>) => Record<string, unknown>)?])[] = [
    [{ email_verified: false }],
    [{ email_verified: undefined }],
    // The token names no address, but says that it is verified; the page about the person names one that is not.
    [{ email_verified: false }, ({ email: _, ...token }) => ({ ...token, email_verified: true })],
  ];
  for (const [change, tamper] of claims) {
    provider.claims = { email: "ada@acme.com", account: "eve", ...change };
    provider.tamper = tamper;
    const { answer, browser } = await world.logIn();
    expect(answer.text).toContain("is not verified");
    expect(browser.cookies.has("offprint")).toBe(false);
    expect((await world.store.people.personByEmail("ada@acme.com"))!.oidcSubject).toBe(undefined);
  }
  provider.tamper = undefined;
  provider.claims = { email: "ada@acme.com", account: "ada", email_verified: true };
  expect((await world.logIn()).answer.status).toBe(303);
  const linked = (await world.store.people.personByEmail("ada@acme.com"))!;
  expect([linked.personId, linked.oidcSubject !== undefined]).toEqual([personId, true]);
});

test("an owner who logs in with an address of a domain stays an owner", async () => {
  const world = await openWorld({ domains: ["acme.com"] });
  await world.person("ada@acme.com");
  await world.person("bob@acme.com");
  await world.logIn();
  expect(await world.membersOf()).toEqual([
    ["ada@acme.com", "owner"],
    ["bob@acme.com", "owner"],
  ]);
});

test("groups that would demote the last owner change nothing, and the owner is told", async () => {
  const world = await openWorld({ groups: { writers: "editor" } });
  await world.person("ada@acme.com");
  world.provider.claims["groups"] = ["writers"];
  const { browser } = await world.logIn();
  expect((await browser.get("/console/people")).text).toContain(
    "You stay an owner, since nobody else is one. Your groups make you editor once there is another owner.",
  );
  world.clock.ms += 60 * 60_000;
  await world.logIn(browser);
  const log = (await browser.get("/console/log")).text;
  expect(log).not.toContain("You stay");
  // The log reports it once a day.
  expect(log.split("stays owner, not editor: nobody else is an owner").length).toBe(2);
  expect(await world.membersOf()).toEqual([["ada@acme.com", "owner"]]);
  await world.person("bob@acme.com");
  await world.logIn();
  expect(await world.membersOf()).toEqual([
    ["ada@acme.com", "editor"],
    ["bob@acme.com", "owner"],
  ]);
});

test("groups that the ID token lacks are read from the provider's page about the person", async () => {
  const world = await openWorld({ domains: ["acme.com"], groups: { admins: "owner" } });
  world.provider.claims["groups"] = ["admins"];
  world.provider.tamper = ({ groups: _, ...token }) => token;
  expect((await world.logIn()).answer.status).toBe(303);
  expect(await world.membersOf()).toEqual([["ada@acme.com", "owner"]]);
});

test("an invite does not demote the last owner, who is told", async () => {
  const world = await openConsoleWorld();
  const { personId } = await world.person("ada@acme.com");
  const browser = await world.browserOf(personId);
  const endsAt = new Date(world.clock.ms + 60_000);
  const { organizationId } = world.acme;
  const { secret } = await world.store.people.invite({ email: "ada@acme.com", organizationId, role: "reader", endsAt });
  expect((await browser.post(`/console/invite/${secret}`)).to).toBe("/console");
  expect((await browser.get("/console")).text).toContain("You stay owner, since nobody else is an owner.");
  const log = (await browser.get("/console/log")).text;
  expect(log).toContain("person.role-kept");
  // Only the owner has ever joined.
  expect(log.split("person.join")).toHaveLength(2);
});

test("the provider confirms a session again after an hour, and ends that of somebody it has removed", async () => {
  const world = await openWorld({ domains: ["acme.com"] });
  const { browser } = await world.logIn();
  const globex = world.globex.organizationId;
  const endsAt = new Date(world.clock.ms + 60_000);
  const { secret } = await world.store.people.invite({
    ...{ email: "ada@acme.com", organizationId: globex, role: "reader", endsAt },
  });
  await browser.get("/console/account");
  await browser.post(`/console/invite/${secret}`);
  expect((await browser.get("/console")).text).toContain("Globex");
  world.clock.ms += 60 * 60_000 - 1;
  expect((await browser.get("/console/jobs")).status).toBe(200);
  world.clock.ms += 1;
  const due = await browser.get("/console/jobs?status=failed");
  expect([due.status, due.to]).toEqual([303, "/console/login/oidc?to=%2Fconsole%2Fjobs%3Fstatus%3Dfailed"]);
  expect((await browser.get("/console/events")).status).toBe(401);
  const begun = await browser.get(due.to!);
  const back = await world.provider.logIn(begun.to!);
  const confirmed = await browser.get(back.pathname + back.search);
  expect([confirmed.status, confirmed.to]).toEqual([303, "/console/jobs?status=failed"]);
  const { person, organizationId } = (await world.store.people.findSession(browser.cookies.get("offprint")!))!;
  expect([organizationId, (await world.store.people.sessions(person.personId)).length]).toEqual([globex, 1]);

  world.clock.ms += 60 * 60_000;
  world.provider.claims = { ...world.provider.claims, account: "another" };
  expect((await world.logIn(browser)).answer.status).toBe(403);
  expect((await browser.get("/console/jobs")).status).toBe(303);
  // Neither the form of the login nor the way out leads to the provider again.
  expect((await browser.get("/console/login")).status).toBe(200);
  expect((await browser.post("/console/logout")).to).toBe("/console/login?to=%2Fconsole");
});

test("with single sign-on alone no password opens the console", async () => {
  const world = await openWorld({ only: true });
  await world.person("ada@acme.com");
  const visitor = world.browser();
  const { text } = await visitor.get("/console/login?to=/console/jobs");
  expect(text).toContain("/console/login/oidc?to=%2Fconsole%2Fjobs");
  expect(text).not.toContain('type="password"');
  expect((await visitor.logIn("ada@acme.com")).status).toBe(404);
  const { secret } = (await world.store.people.inviteToReset("ada@acme.com", new Date(world.clock.ms + 1000)))!;
  expect((await visitor.get(`/console/invite/${secret}`)).text).not.toContain('type="password"');
  const body = { name: "Ada", password: "a very long password" };
  expect((await visitor.post(`/console/invite/${secret}`, body)).status).toBe(404);
  expect((await world.logIn()).answer.status).toBe(303);
});

test("a provider that does not answer is reported", async () => {
  const world = await openWorld({ issuer: "http://127.0.0.1:9" });
  const answer = await world.browser().get("/console/login/oidc");
  expect([answer.status, answer.to]).toEqual([503, null]);
  expect(answer.text).toContain("is not reachable");
});

test("the environment names the provider", async () => {
  const { store } = await openConsoleWorld();
  const file = join(temporaryFolder(), "secret");
  writeFileSync(file, "s3cret\n");
  const env = {
    OFFPRINT_OIDC_ISSUER: "https://id.example.com/",
    OFFPRINT_OIDC_CLIENT_ID: "offprint",
    OFFPRINT_OIDC_SECRET_FILE: file,
    OFFPRINT_OIDC_DOMAINS: "Acme.com, acme.org",
    OFFPRINT_OIDC_GROUPS: "cn=docs,dc=x=owner",
    OFFPRINT_OIDC_ORGANIZATION: "Acme",
  };
  await expect(oidcOptions(store, env, false)).rejects.toThrow('"cn=docs" is invalid');
  expect(await oidcOptions(store, { ...env, OFFPRINT_OIDC_GROUPS: "a b=owner, w=editor" }, true)).toEqual({
    issuer: "https://id.example.com",
    clientId: "offprint",
    clientSecret: "s3cret",
    domains: ["acme.com", "acme.org"],
    groups: { "a b": "owner", w: "editor" },
    groupsClaim: "groups",
    organizationId: (await store.accounts.organization("Acme")).organizationId,
    recheckMs: 60 * 60_000,
    only: true,
  });
  const recheckMs = async (minutes: string) =>
    (await oidcOptions(store, { ...env, OFFPRINT_OIDC_GROUPS: "", OFFPRINT_OIDC_RECHECK_MINUTES: minutes }, false))!
      .recheckMs;
  expect(await recheckMs("5")).toBe(300_000);
  await expect(recheckMs("0")).rejects.toThrow("OFFPRINT_OIDC_RECHECK_MINUTES must be a whole number above 0");
  expect(await oidcOptions(store, {}, false)).toBe(undefined);
  await expect(oidcOptions(store, {}, true)).rejects.toThrow("--console-login oidc needs OFFPRINT_OIDC_ISSUER");
  await expect(oidcOptions(store, { OFFPRINT_OIDC_ISSUER: "https://id" }, false)).rejects.toThrow("CLIENT_ID");
});
