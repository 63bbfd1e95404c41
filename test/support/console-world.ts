import { lazy } from "../../src/lib/memo.js";
import { createConsole } from "../../src/service/console/console.js";
import { hashPassword } from "../../src/service/console/password.js";
import type { Forges } from "../../src/service/git/forge/index.js";
import type { ApiOptions, Assistant } from "../../src/service/http/index.js";
import type { Role } from "../../src/service/jobs/index.js";
import { openApiWorld, publicUrl } from "./api-world.js";

export const password = "correct horse battery";
/** A hash is slow on purpose, except in tests. */
const passwordCost = 10;
const passwordHash = lazy(() => hashPassword(password, passwordCost));

export interface Visit {
  /** The form of a POST. It gets the token of the session, unless it has one. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

/** An empty value takes a header away. */
const withoutEmpty = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));

/** A console over the world of the API's tests. */
export async function openConsoleWorld(
  deps: Partial<Parameters<typeof createConsole>[0]> = {},
  forges?: Forges,
  options: ApiOptions = {},
  assistant?: Assistant,
) {
  const world = await openApiWorld(options, {}, assistant, deps.agent, forges);
  const { store, clock } = world;
  const consoleOf = await createConsole({
    store,
    publicUrl,
    passwordCost,
    now: () => clock.ms,
    log: (level, message, facts) => world.lines.push(JSON.stringify({ level, message, ...facts })),
    ...deps,
  });

  /** A browser: it keeps cookies, and the token of the last page that had one. */
  function browser() {
    const cookies = new Map<string, string>();
    let token: string | undefined;
    async function send(method: string, path: string, { form, headers = {}, from = "198.51.100.7" }: Visit = {}) {
      const body = form && new URLSearchParams({ ...(token === undefined ? {} : { csrf: token }), ...form }).toString();
      const request = new Request(publicUrl + path, {
        method,
        headers: withoutEmpty({
          ...(cookies.size > 0 && { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
          ...(body !== undefined && { "Content-Type": "application/x-www-form-urlencoded", Origin: publicUrl }),
          ...headers,
        }),
        ...(body !== undefined && { body }),
      });
      const response = await consoleOf.fetch(request, { remoteAddress: from });
      for (const each of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
        if (value === "") cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      const text = await response.text();
      token = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? token;
      return { status: response.status, headers: response.headers, text, to: response.headers.get("Location") };
    }
    return {
      cookies,
      get: (path: string, visit?: Visit) => send("GET", path, visit),
      post: (path: string, form: Readonly<Record<string, string>> = {}, visit: Visit = {}) =>
        send("POST", path, { ...visit, form }),
      send,
      logIn: (email: string, to = "/console") => send("POST", "/console/login", { form: { email, password, to } }),
    };
  }

  /** A person with the password above. */
  async function person(email: string, role: Role = "owner", organizationId = world.acme.organizationId) {
    const endsAt = new Date(clock.ms + 60_000);
    const { secret } = await store.people.invite({ email, organizationId, role, endsAt });
    const known = await store.people.personByEmail(email);
    const by = known
      ? { personId: known.personId }
      : { name: email.replace(/@.*/, ""), passwordHash: await passwordHash() };
    return (await store.people.acceptInvite(secret, by))!;
  }

  /** A browser of somebody who has logged in. It has seen a page, so it has the token of the forms. */
  async function member(role: Role, organizationId = world.acme.organizationId) {
    const email = `${role}-${organizationId.slice(-4)}@acme.com`;
    const endsAt = new Date(clock.ms + 60_000);
    const { secret } = await store.people.invite({ email, organizationId, role, endsAt });
    const entered = await store.people.acceptInvite(secret, { name: role, passwordHash: "none" });
    return browserOf((entered ?? (await store.people.personByEmail(email))!).personId);
  }

  async function browserOf(personId: string) {
    const visitor = browser();
    visitor.cookies.set("offprint", await store.people.createSession({ personId, stage: "open", browser: "Test" }));
    await visitor.get("/console/account");
    return visitor;
  }

  return { ...world, console: consoleOf, browser, person, member, browserOf };
}
