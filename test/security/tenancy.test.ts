import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { SiteIndex } from "../../src/service/assistant/index.js";
import { routes as consoleRoutes } from "../../src/service/console/routes.js";
import type { Assistant } from "../../src/service/http/index.js";
import type { Project } from "../../src/service/jobs/index.js";
import { fillConsole } from "../support/console-data.js";
import { openConsoleWorld } from "../support/console-world.js";
import { passage, scriptedAssistant } from "../support/scripted-assistant.js";

// Globex has an owner and all kinds of keys. Each route is asked for what belongs to Acme, and for what does not exist: the
// answers are the same. A route that is new fails here until a line in one of the tables says how it names an object.

const adminToken = "operator-".repeat(5);
const marker = "only-of-acme";
const question = { role: "user", content: "Which versions of Node?" };
/** An object of Acme, or one of the same form that does not exist. */
type Ids = Readonly<
  Record<"job" | "agent" | "site" | "domain" | "thread" | "key" | "credential" | "person", string>
> & {
  readonly organization: string;
  readonly invite: string;
  readonly session: string;
  readonly objectKey: string;
};
const unknownIds: Ids = {
  job: `se_${"0".repeat(32)}`,
  agent: `aj_${"0".repeat(32)}`,
  site: `prj_${"0".repeat(32)}`,
  domain: "docs.none.com",
  thread: "01J0000000000000000000000Z",
  key: `key_${"0".repeat(32)}`,
  credential: `crd_${"0".repeat(32)}`,
  person: `per_${"0".repeat(32)}`,
  organization: `org_${"0".repeat(32)}`,
  invite: `inv_${"0".repeat(32)}`,
  session: "0".repeat(16),
  objectKey: "static-exports/se_0/1/bundle.tar.gz",
};

interface Attempt {
  /** Values of the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: string;
}
/** `own`: what Globex has itself. */
type Attempts = (ids: Ids, own: Ids) => readonly Attempt[];

/** No part of the request can name an object of another organization. */
const namesNothing: Attempts = () => [{}];
const ofJob: Attempts = ({ job }) => [{ params: { jobId: job } }];
const asks =
  (body: object): Attempts =>
  ({ domain }) => [{ params: { domain }, body }];
const rating = { messageId: "msg_0", helpful: false };
const ofProject: Attempts = ({ site }) => [{ params: { projectId: site } }];
const ofAgent =
  (body?: object): Attempts =>
  ({ site, agent }, own) => [
    { params: { projectId: site, id: agent }, body },
    { params: { projectId: own.site, id: agent }, body },
  ];
const message = { prompt: "Mend it." };
const noFilter = { query: "node", numResults: 5, text: true };
const asContext = { query: "node", format: "txt" };
const tool = { name: "search", arguments: { query: "node" } };
const git = { url: "https://git.globex.com/docs.git" };

/** By method and path of the OpenAPI document. The operator's routes are asked with Globex in their path. */
const apiAttempts: Readonly<Record<string, Attempts>> = {
  "post /v1/static-export/jobs": ({ domain }) => [{ body: { domain } }],
  "get /v1/static-export/jobs": ({ domain }) => [{ query: `?domain=${domain}` }, {}],
  "get /v1/static-export/jobs/{jobId}": ofJob,
  "delete /v1/static-export/jobs/{jobId}": ofJob,
  "post /v1/static-export/jobs/{jobId}/rerun": ofJob,
  "get /v1/static-export/jobs/{jobId}/diagnostics": ofJob,
  "get /v1/static-export/jobs/{jobId}/logs": ofJob,
  "post /v1/static-export/jobs/{jobId}/webhooks/replay": ofJob,
  "post /v1/static-export/jobs/{jobId}/bundle": ofJob,
  "delete /v1/static-export/jobs/{jobId}/bundle": ofJob,
  "post /discovery/v1/assistant/{domain}/message": ({ domain, thread }, own) => [
    { params: { domain }, body: { fp: "a", messages: [question] } },
    { params: { domain: own.domain }, body: { fp: "a", messages: [question], threadId: thread } },
  ],
  "post /discovery/v2/assistant/{domain}/message": ({ domain, thread }, own) => [
    { params: { domain }, body: { fp: "a", messages: [question] } },
    { params: { domain: own.domain }, body: { fp: "a", messages: [question], threadId: thread } },
  ],
  "post /discovery/v1/search/{domain}": asks({ query: "node" }),
  "post /discovery/v1/page/{domain}": asks({ path: "/" }),
  "post /mcp/{domain}": ({ domain }, own) => [
    { params: { domain }, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
    { params: { domain: own.domain }, body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool } },
  ],
  "post /api/universal-search/v1/search": ({ domain }) => [
    { body: noFilter },
    { body: { ...noFilter, includeDomains: [domain] } },
  ],
  "post /api/universal-search/v1/contents": ({ domain }) => [
    { body: { ids: ["docs:/guides/install", "api:/guides/install"] } },
    { body: { urls: [`https://${domain}/guides/install`] } },
  ],
  "post /api/universal-search/v1/context": ({ domain }) => [
    { body: asContext },
    { body: { ...asContext, includeDomains: [domain] } },
  ],
  "post /discovery/v1/assistant/{domain}/feedback": ({ domain, thread }, own) => [
    { params: { domain }, body: { threadId: thread, ...rating } },
    { params: { domain: own.domain }, body: { threadId: thread, ...rating } },
  ],
  "post /discovery/v2/assistant/{domain}/feedback": ({ domain, thread }, own) => [
    { params: { domain }, body: { threadId: thread, ...rating } },
    { params: { domain: own.domain }, body: { threadId: thread, ...rating } },
  ],
  "delete /discovery/v1/assistant/{domain}/threads/{threadId}": ({ domain, thread }, own) => [
    { params: { domain, threadId: thread } },
    { params: { domain: own.domain, threadId: thread } },
  ],
  ...Object.fromEntries(
    "views visitors missing assistant assistant/caller-stats searches feedback feedback/by-page"
      .split(" ")
      .map((path) => [`get /v1/analytics/{projectId}/${path}`, ofProject]),
  ),
  "get /v1/analytics/{projectId}/assistant/threads/{threadId}": ({ site, thread }, own) => [
    { params: { projectId: site, threadId: thread } },
    { params: { projectId: own.site, threadId: thread } },
  ],
  "get /v1/projects": namesNothing,
  "post /v1/project/update/{projectId}": ofProject,
  "post /v1/project/preview/{projectId}": ({ site }) => [{ params: { projectId: site }, body: { branch: "main" } }],
  "get /v1/project/update-status/{statusId}": ({ job }) => [{ params: { statusId: job } }],
  "post /v1/workflow/{projectId}/{workflowSchemaId}/trigger": ({ site }) => [
    { params: { projectId: site, workflowSchemaId: "nightly" } },
  ],
  "get /v1/objects/{objectKey}": ({ objectKey }) => [{ params: { objectKey }, query: "?expires=1&signature=none" }],
  "post /v1/agent/{projectId}/job": ({ site }) => [
    { params: { projectId: site }, body: { messages: [{ role: "user", content: "Mend it." }] } },
  ],
  "get /v1/agent/{projectId}/job/{id}": ofAgent(),
  "get /v1/agent/{projectId}/jobs": ofProject,
  "post /v2/agent/{projectId}/job": ({ site }) => [{ params: { projectId: site }, body: message }],
  "post /v2/agent/{projectId}/job/{id}/message": ofAgent(message),
  "get /v2/agent/{projectId}/job/{id}": ofAgent(),
  "get /v2/agent/{projectId}/jobs": ofProject,
  "post /v2/agent/{projectId}/job/{id}/cancel": ofAgent(),
  "post /v2/agent/{projectId}/job/{id}/archive": ofAgent(),
  "get /v2/agent/{projectId}/job/{id}/events": ofAgent(),
  // Readers' browsers send views without a key; the site's own pages alone are counted.
  "post /v1/collect/{domain}": ({ domain }) => [{ params: { domain }, body: "{}" }],
  "get /healthz": namesNothing,
  "get /readyz": namesNothing,
  "get /v1/admin/organizations": namesNothing,
  "post /v1/admin/organizations": () => [{ body: { name: "Acme" } }],
  "patch /v1/admin/organizations/{organizationId}": () => [{ body: { plan: "free" } }],
  "get /v1/admin/organizations/{organizationId}/sites": namesNothing,
  "post /v1/admin/organizations/{organizationId}/sites": () => [{ body: { domain: "new.globex.com", git } }],
  "patch /v1/admin/organizations/{organizationId}/sites/{domain}": asks({ humansFrom: "logs" }),
  "delete /v1/admin/organizations/{organizationId}/sites/{domain}": ({ domain }) => [{ params: { domain } }],
  "post /v1/admin/organizations/{organizationId}/sites/{domain}/rotate-secret": asks({}),
  "get /v1/admin/organizations/{organizationId}/keys": namesNothing,
  "post /v1/admin/organizations/{organizationId}/keys": () => [{ body: { name: "new" } }],
  "post /v1/admin/organizations/{organizationId}/keys/{keyId}/rotate": ({ key }) => [
    { params: { keyId: key }, body: {} },
  ],
  "delete /v1/admin/organizations/{organizationId}/keys/{keyId}": ({ key }) => [{ params: { keyId: key } }],
  "delete /v1/admin/organizations/{organizationId}/jobs/{jobId}/bundle": ({ job }) => [{ params: { jobId: job } }],
  "delete /v1/admin/organizations/{organizationId}/threads/{threadId}": ({ thread }) => [
    { params: { threadId: thread } },
  ],
  // The operator alone asks these, and for any organization.
  "delete /v1/admin/organizations/{organizationId}": () => [{ params: { organizationId: unknownIds.organization } }],
  "delete /v1/admin/people/{email}": () => [{ params: { email: "nobody@none.com" } }],
  "get /v1/admin/erasures/{erasureId}": () => [{ params: { erasureId: "era_none" } }],
  "get /v1/admin/organizations/{organizationId}/credentials": namesNothing,
  "post /v1/admin/organizations/{organizationId}/credentials": () => [
    { body: { kind: "token", prefix: "https://git.acme.com/", secret: "token-of-globex" } },
  ],
  "post /v1/admin/organizations/{organizationId}/credentials/{credentialId}/rotate": ({ credential }) => [
    { params: { credentialId: credential }, body: { secret: "token-of-globex" } },
  ],
  "delete /v1/admin/organizations/{organizationId}/credentials/{credentialId}": ({ credential }) => [
    { params: { credentialId: credential } },
  ],
};

type Visit = { readonly query?: string; readonly form?: Readonly<Record<string, string>> };
type Visits = (ids: Ids) => readonly Visit[];
const shows: Visits = () => [{}];
const withSite: Visits = ({ domain }) => [{}, { query: `?site=${domain}` }];

/** Routes of the console without an object in their path: those with one are asked for Acme's. */
const consoleVisits: Readonly<Record<string, Visits>> = {
  "GET ": shows,
  "GET /jobs": withSite,
  "GET /events": ({ job }) => [{ query: `?jobs=${job}&once` }],
  "GET /agent": shows,
  "POST /agent": ({ site }) => [{ form: { site, prompt: "Mend it." } }],
  "GET /sites": shows,
  "GET /sites/new": shows,
  // A domain is unique among all organizations, so adding one reveals whether it is taken.
  "POST /sites": () => [{ form: { domain: "docs.globex.com", url: git.url, deployment: "cloud" } }],
  "GET /views": withSite,
  "GET /views/csv": withSite,
  "GET /questions": withSite,
  "GET /questions/csv": withSite,
  "GET /keys": shows,
  "GET /keys/new": shows,
  "POST /keys": () => [{ form: { kind: "admin", name: "x", scope: "no" } }],
  "GET /credentials": shows,
  "GET /credentials/new": shows,
  "POST /credentials": () => [{ form: { kind: "token", prefix: "x", secret: "y" } }],
  "POST /credentials/github/begin": () => [{ form: { host: "github.com" } }],
  "GET /credentials/github": () => [{ query: "?installation_id=7&state=x&code=y" }],
  "POST /credentials/github": () => [{ form: { installation: "7", secretState: "x", code: "y" } }],
  "GET /people": shows,
  "POST /people": () => [{ form: { email: "no address", role: "reader" } }],
  "POST /people/withdraw": ({ invite }) => [{ form: { invite } }],
  "GET /organization/delete": shows,
  // The form has the name of an organization, and the session says which one it is.
  "POST /organization/delete": () => [{ form: { organization: "Acme", password: "wrong" } }],
  "GET /log": shows,
  "GET /account": shows,
  "POST /account/name": () => [{ form: { name: "Bob" } }],
  "POST /account/password": () => [{ form: { password: "wrong", new: "correct horse battery staple" } }],
  "GET /account/second-factor": shows,
  "POST /account/second-factor": () => [{ form: { secret: "x", code: "000000" } }],
  "POST /account/sessions/end": ({ session }) => [{ form: { session } }],
  "POST /account/sessions/others": () => [{ form: {} }],
  "POST /mode": () => [{ form: { mode: "dark", to: "/console" } }],
  "POST /organization": ({ organization }) => [{ form: { organization } }],
  "POST /logout": () => [{ form: {} }],
};
/** They need no session, and name no object but an invite, whose secret is the right to use it. */
const openRoutes = ["/login", "/login/oidc", "/login/oidc/callback", "/login/code", "/invite/{secret}"];

/** An export with a bundle. */
async function completeJob(
  { store, takeJob, folder }: Awaited<ReturnType<typeof openConsoleWorld>>,
  { organizationId, projectId, domain }: Project,
) {
  const created = await store.jobs.create({ organizationId, projectId, domain });
  const lease = await takeJob();
  if (!("job" in created) || lease.job.jobId !== created.job.jobId) throw new Error("Another job was taken.");
  const { jobId } = created.job;
  const objectKey = `static-exports/${jobId}/${lease.fence}/bundle.tar.gz`;
  writeFileSync(join(folder, "bundle"), "bundle");
  await store.objects.put(objectKey, join(folder, "bundle"), "application/gzip");
  await store.jobs.complete(lease, { objectKey, bytes: 6, sha256: "0".repeat(64) }, 1);
  return { jobId, objectKey };
}

/** Each site of Globex has the pages of the scripted assistant, and each of Acme has others. */
function assistantOfBoth(): Assistant {
  const scripted = scriptedAssistant();
  const { index, found } = scripted.settings;
  const ofAcme: SiteIndex = {
    ...index!,
    search: async () => ({ ...found, passages: [{ ...passage, title: marker, text: marker }] }),
    page: async (path) => ({ path, content: marker }),
  };
  const ofGlobex: SiteIndex = {
    ...index!,
    baseUrl: "https://docs.globex.com",
    search: async () => ({ ...found, passages: [{ ...passage, url: "https://docs.globex.com/guides/install" }] }),
  };
  const of: Assistant["indexes"]["of"] = async ({ domain }) => (domain.endsWith("acme.com") ? ofAcme : ofGlobex);
  return { ...scripted, indexes: { ...scripted.indexes, of } };
}

async function openWorld() {
  const world = await openConsoleWorld({}, undefined, { adminToken }, assistantOfBoth());
  const { store, clock, acme, globex } = world;
  const filled = await fillConsole(world, (_, usual) => usual.map((text) => `${text}-${marker}`));
  const organizationId = acme.organizationId;
  const endsAt = new Date(clock.ms + 60_000);
  const { invite } = await store.people.invite({
    email: `new-${marker}@acme.com`,
    organizationId,
    role: "reader",
    endsAt,
  });
  await world.member("owner");
  const owner = (await store.people.members(organizationId)).find(({ role }) => role === "owner")!;
  const objectKey = (await store.jobs.get(filled.completed))!.bundle!.objectKey;
  const acmeIds: Ids = {
    ...{ job: filled.completed, agent: filled.agentJob, site: filled.site, domain: "docs.acme.com" },
    ...{ thread: filled.thread, key: filled.key, credential: filled.credential, person: filled.person },
    ...{ organization: organizationId, invite: invite.inviteId, objectKey },
    session: (await store.people.sessions(owner.person.personId))[0]!.sessionId,
  };
  const own = (await store.accounts.projectByDomain("docs.globex.com"))!;
  const ownIds: Ids = { ...unknownIds, site: own.projectId, domain: own.domain, organization: globex.organizationId };
  const { personId } = await world.person("owner@globex.com", "owner", globex.organizationId);
  const visitorOf = () => world.browserOf(personId);
  const bundleOfGlobex = await completeJob(world, own);
  const keyOf = async (kind: "admin" | "assistant"): Promise<string> =>
    (await world.newKey({ organizationId: globex.organizationId, kind, scopes: kind === "admin" ? ["write"] : [] }))
      .secret;
  const keys = { adminKey: await keyOf("admin"), assistantKey: await keyOf("assistant"), operatorToken: adminToken };

  /** The rows of the database that name something of Acme. */
  const rowsOfAcme = (): readonly string[] => {
    const database = new DatabaseSync(join(world.folder, "state.db"), { readOnly: true });
    const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    const names = [marker, ...Object.values(acmeIds)];
    const rows = tables.flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .map((row) => `${name} ${JSON.stringify(row)}`),
    );
    database.close();
    return rows.filter((row) => names.some((each) => row.includes(each))).sort();
  };
  /** Without the ids that the request itself contained. */
  const plain = (text: string, ids: Ids, request: string): string =>
    Object.entries(ids).reduce(
      (rest, [name, id]) => (request.includes(id) ? rest.replaceAll(id, `<${name}>`) : rest),
      text,
    );
  const leaks = (text: string): readonly string[] => {
    const ids = Object.entries(acmeIds).flatMap(([name, id]) => (text.includes(id) ? [name] : []));
    return text.includes(marker) ? [marker, ...ids] : ids;
  };
  return { ...world, acmeIds, ownIds, visitorOf, bundleOfGlobex, keys, rowsOfAcme, plain, leaks };
}

/** Those that answer something else than 403 or 404 for what does not exist. */
const emptyAnswers: Readonly<Record<string, number>> = {
  "post /v1/static-export/jobs": 400,
  "get /v1/static-export/jobs": 200,
  "post /v1/collect/{domain}": 204,
  "post /api/universal-search/v1/search": 200,
  "post /api/universal-search/v1/contents": 200,
  "post /api/universal-search/v1/context": 200,
};

test("an organization reaches nothing of another one by any route of the API", async () => {
  const { specification, call, acmeIds, ownIds, keys, rowsOfAcme, plain, leaks } = await openWorld();
  const operations = Object.entries(specification.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [] }]) => ({
      name: `${method} ${path}`,
      method,
      path,
      security,
    })),
  );
  expect(operations.map(({ name }) => name).toSorted()).toEqual(Object.keys(apiAttempts).toSorted());
  const before = rowsOfAcme();
  let compared = 0;
  const headers = { "X-Request-Id": "the-same-for-all", Accept: "application/json, text/event-stream" };
  for (const { name, method, path, security } of operations) {
    const kind = (Object.keys(security[0] ?? {})[0] ?? "adminKey") as keyof typeof keys;
    const ask = async ({ params, body, query = "" }: Attempt, ids: Ids) => {
      const values: Readonly<Record<string, string>> = { organizationId: ownIds.organization, ...params };
      const address = path.replace(/\{(\w+)\}/g, (_, each: string) => values[each]!) + query;
      const { status, text } = await call(method.toUpperCase(), address, { key: keys[kind], body, headers });
      const said = plain(text, ids, address + JSON.stringify(body));
      // The operator sees the name of each organization.
      expect([name, kind === "operatorToken" ? [] : leaks(said)]).toEqual([name, []]);
      return { name, status, text: said };
    };
    const forUnknown = apiAttempts[name]!(unknownIds, ownIds);
    for (const [at, attempt] of apiAttempts[name]!(acmeIds, ownIds).entries()) {
      const answer = await ask(attempt, acmeIds);
      if (JSON.stringify(attempt) === JSON.stringify(forUnknown[at])) continue;
      expect(answer).toEqual(await ask(forUnknown[at]!, unknownIds));
      const allowed = emptyAnswers[name] === undefined ? [403, 404] : [emptyAnswers[name]];
      expect(allowed, `${name}: ${answer.status} ${answer.text}`).toContain(answer.status);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(35);
  expect(rowsOfAcme()).toEqual(before);
});

test("an organization reaches nothing of another one by any route of the console", async () => {
  const { visitorOf, acmeIds, rowsOfAcme, plain, leaks } = await openWorld();
  const objects: Readonly<Record<string, (ids: Ids) => string>> = {
    jobs: ({ job }) => job,
    agent: ({ agent }) => agent,
    sites: ({ site }) => site,
    questions: ({ thread }) => thread,
    keys: ({ key }) => key,
    credentials: ({ credential }) => credential,
    people: ({ person }) => person,
  };
  const named = consoleRoutes.filter(({ path, role }) => role !== "open" && !path.includes("{"));
  expect(named.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    Object.keys(consoleVisits).toSorted(),
  );
  expect([...new Set(consoleRoutes.filter(({ role }) => role === "open").map(({ path }) => path))]).toEqual(openRoutes);
  const before = rowsOfAcme();
  let compared = 0;
  for (const { method, path, role } of consoleRoutes) {
    if (role === "open") continue;
    const name = `${method} ${path}`;
    // A logout ends the session.
    const visitor = await visitorOf();
    const visit = async ({ query = "", form = {} }: Visit, ids: Ids) => {
      const address = `/console${path.replace(/\{\w+\}/, () => objects[path.split("/")[1]!]!(ids))}${query}`;
      const answer = method === "GET" ? await visitor.get(address) : await visitor.post(address, form);
      const request = address + JSON.stringify(form);
      const plainly = (text: string): string => plain(text, ids, request);
      const said = `${answer.text} ${answer.to ?? ""} ${answer.headers.getSetCookie().join()}`;
      expect([name, leaks(plainly(said))]).toEqual([name, []]);
      const shown = /<main.*<\/main>/s.exec(answer.text)?.[0] ?? answer.text;
      return { name, status: answer.status, to: plainly(answer.to ?? ""), shown: plainly(shown) };
    };
    const visits = path.includes("{") ? shows : consoleVisits[name]!;
    const forUnknown = visits(unknownIds);
    for (const [at, each] of visits(acmeIds).entries()) {
      const answer = await visit(each, acmeIds);
      if (!path.includes("{") && JSON.stringify(each) === JSON.stringify(forUnknown[at])) continue;
      expect(answer).toEqual(await visit(forUnknown[at]!, unknownIds));
      if (path.includes("{")) expect([name, answer.status]).toEqual([name, 404]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(35);
  expect(rowsOfAcme()).toEqual(before);
});

test("an organization cannot turn the link to its own bundle into one to another's", async () => {
  const { call, acmeIds, bundleOfGlobex, keys } = await openWorld();
  const made = await call("POST", `/v1/static-export/jobs/${bundleOfGlobex.jobId}/bundle`, { key: keys.adminKey });
  const own = new URL(made.json.bundleUrl);
  expect((await call("GET", own.pathname + own.search)).status).toBe(200);
  const path = own.pathname.replace(bundleOfGlobex.objectKey, acmeIds.objectKey);
  expect(path).toContain(acmeIds.objectKey);
  const unknown = own.pathname.replace(bundleOfGlobex.objectKey, unknownIds.objectKey);
  const answers = await Promise.all([path, unknown].map((each) => call("GET", each + own.search)));
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  expect(answers[0]!.text).toBe(answers[1]!.text);
  for (const each of [path, unknown]) expect((await call("GET", each)).status).toBe(403);
});
