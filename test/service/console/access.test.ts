import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createRouter } from "../../../src/service/console/console.js";
import { routes } from "../../../src/service/console/routes.js";
import { includesRole, roles } from "../../../src/service/jobs/index.js";
import { fillConsole } from "../../support/console-data.js";
import { openConsoleWorld } from "../../support/console-world.js";

type World = Awaited<ReturnType<typeof openConsoleWorld>>;

/** The address of a route with an object of Acme in it. A route with another kind of object needs a line here. */
async function addresses(world: World) {
  const filled = await fillConsole(world);
  const endsAt = new Date(world.clock.ms + 60_000);
  const organizationId = world.acme.organizationId;
  const { secret } = await world.store.people.invite({ email: "new@acme.com", organizationId, role: "reader", endsAt });
  const ids: Readonly<Record<string, string>> = {
    "/jobs/{id}": filled.completed,
    "/agent/{id}": filled.agentJob,
    "/sites/{id}": filled.site,
    "/keys/{id}": filled.key,
    "/credentials/{id}": filled.credential,
    "/questions/{thread}": filled.thread,
    "/people/{id}": filled.person,
    "/invite/{secret}": secret,
  };
  return routes.map((route) => {
    const pattern = /^[^{]*\{\w+\}/.exec(route.path)?.[0];
    if (pattern !== undefined && ids[pattern] === undefined) throw new Error(`Give the test an object for ${pattern}.`);
    const address = pattern === undefined ? route.path : route.path.replace(/\{\w+\}/, ids[pattern]!);
    return { ...route, address: `/console${address}`, hasObject: pattern !== undefined };
  });
}

/** Everything in the database, as a hash by table. */
function contentOf(world: World): Record<string, string> {
  const database = new DatabaseSync(join(world.folder, "state.db"), { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  const content = tables.map(({ name }) => {
    const rows = JSON.stringify(database.prepare(`select * from "${name}"`).all());
    return [name, createHash("sha256").update(rows).digest("hex")];
  });
  database.close();
  return Object.fromEntries(content);
}

test("a service without invited users answers no console path, and logs nothing", async () => {
  const world = await openConsoleWorld();
  for (const { method, path } of routes) {
    const visitor = world.browser();
    const address = `/console${path.replace(/\{\w+\}/, "x")}`;
    const answer = method === "GET" ? await visitor.get(address) : await visitor.post(address, { email: "a@b.c" });
    expect([address, answer.status, answer.to]).toEqual([address, 404, null]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  const { text } = await world.browser().get("/console");
  expect(text).toContain("offprint console invite you@example.com --role owner");
  expect(world.lines.filter((line) => line.includes("console"))).toEqual([]);
});

describe("each route", () => {
  test("without a session leads to the login; the events are refused", async () => {
    const world = await openConsoleWorld();
    const before = await addresses(world);
    for (const { method, role, path, address } of before) {
      const visitor = world.browser();
      const answer = method === "GET" ? await visitor.get(address) : await visitor.post(address);
      if (path === "/events") expect([address, answer.status]).toEqual([address, 401]);
      else if (role !== "open") {
        const to = method === "GET" ? address : "/console";
        const wanted = `/console/login?to=${encodeURIComponent(to)}`;
        expect([address, answer.status, answer.to]).toEqual([address, 303, wanted]);
      }
    }
    const unknown = await world.browser().get("/console/nothing");
    expect(unknown.to).toBe("/console/login?to=%2Fconsole%2Fnothing");
  });

  test("with a role that is too low, or an object of another organization, is an unknown path", async () => {
    const world = await openConsoleWorld();
    const all = await addresses(world);
    const asked = (visitor: Awaited<ReturnType<World["member"]>>, method: string, address: string) =>
      method === "GET" ? visitor.get(address) : visitor.post(address);
    const problem = (text: string) => /<main.*<\/main>/s.exec(text)?.[0];
    for (const role of roles) {
      const unknown = problem((await (await world.member(role)).get("/console/nothing")).text);
      for (const route of all) {
        if (route.role === "open" || includesRole(role, route.role)) continue;
        const visitor = await world.member(role);
        const answer = await asked(visitor, route.method, route.address);
        expect([role, route.address, answer.status]).toEqual([role, route.address, 404]);
        expect(problem(answer.text)).toBe(unknown);
      }
    }
    for (const route of all) {
      if (route.role === "open" || !route.hasObject) continue;
      const visitor = await world.member("owner", world.globex.organizationId);
      const answer = await asked(visitor, route.method, route.address);
      expect([route.address, answer.status]).toEqual([route.address, 404]);
    }
  });

  test("opens for its role; a GET changes nothing in the store but the log of exports", async () => {
    const world = await openConsoleWorld();
    const all = await addresses(world);
    const visitors = new Map(await Promise.all(roles.map(async (role) => [role, await world.member(role)] as const)));
    const before = contentOf(world);
    const logged = (await world.store.people.auditLog(world.acme.organizationId, { limit: 100 })).entries.length;
    for (const { method, role, path, address } of all) {
      if (method !== "GET") continue;
      const visitor = role === "open" ? world.browser() : visitors.get(role)!;
      const { status } = await visitor.get(path === "/events" ? `${address}?jobs=&once` : address);
      const wanted =
        { "/login/code": 303, "/login/oidc": 404, "/login/oidc/callback": 404, "/credentials/github": 422 }[path] ??
        200;
      expect([address, status]).toEqual([address, wanted]);
    }
    const { audit_log: _, sqlite_sequence: __, audit_heads: ___, ...after } = contentOf(world);
    expect(before).toMatchObject(after);
    // Whoever takes conversations away is in the log.
    const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 100 });
    const added = entries.slice(0, -logged).map(({ action }) => action);
    expect(new Set(added)).toEqual(new Set(["questions.export"]));
  });

  test("that posts takes no other Origin, none at all, and no token of another session", async () => {
    const world = await openConsoleWorld();
    const all = (await addresses(world)).filter(({ method }) => method === "POST");
    const owner = await world.member("owner");
    const before = contentOf(world);
    const attacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      "another origin": { Origin: "https://evil.example" },
      "another port": { Origin: "http://127.0.0.1:2" },
      "a sandboxed frame": { Origin: "null" },
      "no header": { Origin: "" },
      "another site without an Origin": { Origin: "", "Sec-Fetch-Site": "cross-site" },
    };
    for (const { address } of all)
      for (const [name, headers] of Object.entries(attacks)) {
        const { status } = await owner.post(address, {}, { headers });
        expect([address, name, status]).toEqual([address, name, 403]);
      }
    for (const { address, role } of all) {
      if (role === "open") continue;
      for (const csrf of ["", "x".repeat(43), "old"]) {
        const answer = await owner.post(address, { csrf, email: "kept@acme.com", password: "never shown" });
        expect([address, csrf, answer.status]).toEqual([address, csrf, 403]);
        expect(answer.text).toContain("kept@acme.com");
        expect(answer.text).not.toContain("never shown");
      }
    }
    expect(contentOf(world)).toEqual(before);
    const own = await owner.post(
      "/console/mode",
      { mode: "dark" },
      { headers: { Origin: "", "Sec-Fetch-Site": "same-origin" } },
    );
    expect(own.status).toBe(303);
  });
});

test("unknown paths, methods and forms are refused", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  expect((await owner.get("/console/nothing")).status).toBe(404);
  const wrong = await owner.send("DELETE", "/console/jobs");
  expect(wrong.status).toBe(405);
  expect(wrong.text).toContain("It takes GET.");
  expect((await owner.get("/console/logout")).status).toBe(405);
  const json = await owner.post("/console/people", {}, { headers: { "Content-Type": "application/json" } });
  expect(json.status).toBe(415);
  expect((await owner.post("/console/people", { email: "x".repeat(70_000) })).status).toBe(413);
});

test("without the database the page shows the reason, and the browser may try again", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  await world.store.close();
  const answer = await owner.get("/console");
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(answer.text).toContain("The database is not reachable");
});

test("over plain HTTP from elsewhere no login is possible; behind a proxy with TLS the cookies are secure", async () => {
  const world = await openConsoleWorld();
  await world.person("ada@acme.com");
  const plain = await world.console.fetch(new Request("http://docs.example.com/console/login"));
  expect(plain.status).toBe(403);
  expect(await plain.text()).toContain("The console needs HTTPS");
  const behind = await openConsoleWorld({ publicUrl: "https://docs.example.com" });
  await behind.person("ada@acme.com");
  const body = new URLSearchParams({ email: "ada@acme.com", password: "correct horse battery" });
  const headers = { Origin: "https://docs.example.com" };
  const entered = await behind.console.fetch(
    new Request("http://docs.example.com/console/login", { method: "POST", body, headers }),
  );
  expect(entered.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-offprint=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
});

test("every answer has the policy; no page may be stored or framed", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  for (const path of ["/console", "/console/nothing", "/console/login"]) {
    const { headers } = await owner.get(path);
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("Cache-Control")).toBe("no-store");
    // With "no-referrer" browsers would send the Origin "null" with our own forms.
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
  }
  const style = /href="(\/console\/assets\/[^"]+\.css)"/.exec((await owner.get("/console")).text)![1]!;
  const asset = await world.browser().get(style);
  expect([asset.status, asset.headers.get("Cache-Control")]).toEqual([200, "public, max-age=31536000, immutable"]);
  const font = /fonts\/[\w-]+\.woff2/.exec(asset.text)![0];
  expect((await world.browser().get(`/console/assets/${font}`)).status).toBe(200);
  expect((await world.browser().get("/console/assets/fonts/..%2fapp.css")).status).toBe(404);
});

test("the address after a login is a path of the console", async () => {
  const world = await openConsoleWorld();
  await world.member("owner");
  for (const to of [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "/console//evil",
    "/v1/x",
    "/consolex",
  ])
    expect((await world.browser().get(`/console/login?to=${encodeURIComponent(to)}`)).text).toContain(
      'name="to" value="/console"',
    );
});

test("a path without parameters has precedence over one with them", () => {
  const handle = async () => "not-found" as const;
  const find = createRouter([
    { method: "GET", path: "/jobs/{id}", role: "reader", handle },
    { method: "GET", path: "/jobs/new", role: "owner", handle },
  ]);
  expect(find("GET", "/jobs/new")).toMatchObject({ route: { role: "owner" } });
  expect(find("HEAD", "/jobs/se_1")).toMatchObject({ params: { id: "se_1" } });
  expect(find("POST", "/jobs/se_1")).toEqual({ allow: ["GET"] });
  expect(find("GET", "/jobs/a/b")).toBe(undefined);
});
