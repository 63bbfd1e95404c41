import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/cli/commands.js";
import { routes as consoleRoutes } from "../../src/service/console/routes.js";
import type { Actor, State } from "../../src/service/jobs/index.js";
import { openApiWorld } from "../support/api-world.js";
import { describeStates, newJob } from "./jobs/open-test-state.js";

interface World {
  readonly state: State;
  readonly organizationId: string;
  readonly projectId: string;
  readonly personId: string;
  readonly keyId: string;
  readonly by: Actor;
}

const domain = "docs.acme.com";
const source = { kind: "git", url: "https://git.acme.com/docs.git" } as const;
const endsAt = new Date(Date.now() + 60_000);

const credential = {
  kind: "token" as const,
  ...{ credentialId: "crd_1", name: "docs", prefix: "https://git.acme.com/" },
  ...{ hint: "1234", keyId: "1", sealed: "sealed" },
};

/** Each method of a store by which somebody changes something: the action of its line, and a call that makes it. */
const changes: Readonly<Record<string, readonly [action: string, run: (world: World) => Promise<unknown>]>> = {
  "accounts.organization": ["organization.create", ({ state, by }) => state.accounts.organization("New", "pro", by)],
  "accounts.createOrganization": [
    "organization.create",
    ({ state, by }) => state.accounts.createOrganization("Newer", "pro", by),
  ],
  "accounts.setPlan": [
    "organization.plan",
    ({ state, organizationId, by }) => state.accounts.setPlan(organizationId, "pro", by),
  ],
  "accounts.addProject": [
    "site.add",
    ({ state, organizationId, by }) =>
      state.accounts.addProject({ organizationId, domain: "b.acme.com", source, deployment: "cloud" }, by),
  ],
  "accounts.changeProject": [
    "site.change",
    ({ state, organizationId, projectId, by }) =>
      state.accounts.changeProject(organizationId, projectId, { source, deployment: "air-gapped" }, by),
  ],
  "accounts.setCounting": [
    "site.set-counting",
    ({ state, organizationId, by }) => state.accounts.setCounting(organizationId, domain, { humansFrom: "logs" }, by),
  ],
  "accounts.rotateWebhookSecret": [
    "site.rotate-secret",
    ({ state, organizationId, by }) => state.accounts.rotateWebhookSecret(organizationId, domain, 0, by),
  ],
  "accounts.createKey": [
    "key.create",
    ({ state, organizationId, by }) =>
      state.accounts.createKey({ organizationId, kind: "admin", name: "ci", scopes: [], allowedAddresses: [] }, by),
  ],
  "accounts.rotateKey": [
    "key.rotate",
    ({ state, organizationId, keyId, by }) => state.accounts.rotateKey(organizationId, keyId, 1000, by),
  ],
  "accounts.revokeKey": [
    "key.revoke",
    ({ state, organizationId, keyId, by }) => state.accounts.revokeKey(organizationId, keyId, by),
  ],
  "people.changePerson": [
    "person.rename",
    ({ state, personId, by }) => state.people.changePerson(personId, { name: "Ada Lovelace" }, by),
  ],
  "accounts.unlock": [
    "person.unlock",
    ({ state, personId, by }) => state.accounts.unlock({ personId, email: "ada@acme.com" }, ["a"], by),
  ],
  "people.setRole": [
    "person.role",
    ({ state, organizationId, personId, by }) => state.people.setRole(organizationId, personId, "reader", by),
  ],
  "sealedCredentials.add": [
    "credential.add",
    ({ state, organizationId, by }) => state.sealedCredentials.add({ ...credential, organizationId }, by),
  ],
  "sealedCredentials.replaceSecret": [
    "credential.rotate",
    ({ state, organizationId, by }) =>
      state.sealedCredentials.replaceSecret(organizationId, credential.credentialId, credential, by),
  ],
  "sealedCredentials.remove": [
    "credential.remove",
    ({ state, organizationId, by }) => state.sealedCredentials.remove(organizationId, credential.credentialId, by),
  ],
  "people.invite": [
    "person.invite",
    ({ state, organizationId, by }) =>
      state.people.invite({ email: "bob@acme.com", organizationId, role: "reader", endsAt }, by),
  ],
  "people.inviteToReset": [
    "password.reset-link",
    ({ state, by }) => state.people.inviteToReset("ada@acme.com", endsAt, by),
  ],
  "people.withdrawInvite": [
    "person.withdraw",
    async ({ state, organizationId, by }) => {
      const { invite } = await state.people.invite({ email: "c@acme.com", organizationId, role: "reader", endsAt });
      await state.people.withdrawInvite(organizationId, invite.inviteId, by);
    },
  ],
  "people.endSessions": [
    "person.log-out",
    ({ state, personId, by }) => state.people.endSessions(personId, undefined, by),
  ],
  "people.addAuditEntry": [
    "login.fail",
    ({ state, personId, by }) =>
      state.people.addAuditEntry({
        ofPerson: personId,
        ...by,
        action: "login.fail",
        subject: "ada@acme.com",
        detail: "",
      }),
  ],
  "jobs.create": [
    "job.start",
    ({ state, organizationId, projectId, by }) =>
      state.jobs.create(newJob({ organizationId, projectId }), undefined, by),
  ],
  "jobs.cancel": [
    "job.cancel",
    async ({ state, organizationId, projectId, by }) => {
      const created = await state.jobs.create(newJob({ organizationId, projectId }));
      if ("job" in created) await state.jobs.cancel(created.job.jobId, "It was cancelled.", by);
    },
  ],
  "agents.create": ["agent.start", (world) => newAgentJob(world, world.by)],
  "agents.addMessage": [
    "agent.message",
    async (world) =>
      world.state.agents.addMessage(await newAgentJob(world), { prompt: "And this.", domain }, undefined, world.by),
  ],
  "agents.cancel": [
    "agent.cancel",
    async (world) => world.state.agents.cancel(await newAgentJob(world), "It was cancelled.", world.by),
  ],
  "agents.archive": ["agent.archive", async (world) => world.state.agents.archive(await newAgentJob(world), world.by)],
  "threads.remove": [
    "questions.delete",
    async ({ state, projectId, by }) => {
      const thread = { threadId: "01J", projectId, readerHash: "", keyHash: "" };
      const turn = { messageId: "m", askedAt: Date.now(), question: "?", answer: ".", sources: [] };
      const counts = { promptTokens: 0, completionTokens: 0 };
      await state.threads.add([{ thread, ...turn, ...counts, outcome: "answered", caller: "web" }]);
      await state.threads.remove(projectId, "01J", by);
    },
  ],
  "erasures.erase": [
    "site.remove",
    ({ state, organizationId, by }) => state.erasures.erase({ kind: "site", organizationId, domain }, by),
  ],
};

async function newAgentJob({ state, organizationId, projectId }: World, by?: Actor): Promise<string> {
  const job = { organizationId, projectId, domain, repository: "https://git.acme.com/docs", mode: "repair" } as const;
  const started = await state.agents.create({ ...job, model: "offprint/repair", asDraft: false }, "Do.", undefined, by);
  if (!("job" in started)) throw new Error(started.kind);
  return started.job.agentJobId;
}

/** What people do for themselves; `people.test.ts` and the console's tests have their lines. */
const ownActs = [
  "people.acceptInvite",
  "people.enterBySubject",
  "people.createSession",
  "people.endSession",
  "people.useRecoveryCode",
];

/** Methods that change nothing, or that nobody calls on purpose: each with the reason. */
const others: Readonly<Record<string, readonly string[]>> = {
  reads: [
    ..."organizations organizationById projects projectByDomain projectByName projectById keys findKey usesSince"
      .split(" ")
      .map((name) => `accounts.${name}`),
    ..."hasPeople personByEmail memberships members invites findInvite findSession sessions auditLog verifyAuditLog auditRetentionMs"
      .split(" ")
      .map((name) => `people.${name}`),
    ..."repeated get newestExport newestExports latest list log counts countsOf workers outdated waitForWork waitForChange"
      .split(" ")
      .map((name) => `jobs.${name}`),
    ..."get list run patch messages events".split(" ").map((name) => `agents.${name}`),
    ..."retentionMs find list turns conversations transcript callers".split(" ").map((name) => `threads.${name}`),
    ..."list encryptedByOthers".split(" ").map((name) => `sealedCredentials.${name}`),
  ],
  "does not change what a credential opens": [
    ..."markUsed encryptAgain addPendingInstallation usePendingInstallation"
      .split(" ")
      .map((name) => `sealedCredentials.${name}`),
  ],
  "is counting for a limit": [
    "accounts.countUse",
    "accounts.failures",
    "accounts.countFailure",
    "accounts.takeBackFailure",
    "accounts.forgetFailures",
    "accounts.releaseUse",
    "accounts.addUses",
    "accounts.salt",
    "accounts.markKeyUsed",
  ],
  "is a part of a login": ["people.useTotpStep"],
  "chooses what somebody looks at": ["people.chooseOrganization"],
  "is the work of a worker; the job's log has it": [
    ..."take heartbeat complete fail release addLog workerHeartbeat removeWorker"
      .split(" ")
      .map((name) => `jobs.${name}`),
    ..."update complete storePatch storeReply".split(" ").map((name) => `agents.${name}`),
  ],
  "deletes what is too old": ["jobs.maintain", "jobs.remove"],
  "is the work of an erasure that has a line": [
    "erasures.takeWork",
    "erasures.objectsRemoved",
    "erasures.unconfirmed",
    "erasures.confirm",
  ],
  "reads receipts": ["erasures.get", "erasures.list"],
  "sends webhooks": ["jobs.takeDelivery", "jobs.endDelivery", "jobs.replayDeliveries"],
  "is what readers say": ["threads.add", "threads.rate"],
};

describeStates("each change that somebody makes", (open) => {
  test("adds a line with its actor, in the organization's log", async () => {
    const state = await open();
    const { organizationId } = await state.accounts.organization("Acme");
    const { projectId } = await state.accounts.addProject({ organizationId, domain, source, deployment: "cloud" });
    const { key } = await state.accounts.createKey({
      ...{ organizationId, kind: "admin", name: "first", scopes: [], allowedAddresses: [] },
    });
    const [personId = ""] = await Promise.all(
      ["ada@acme.com", "owner@acme.com"].map(async (email) => {
        const { secret } = await state.people.invite({ email, organizationId, role: "owner", endsAt });
        return (await state.people.acceptInvite(secret, { name: "Ada", passwordHash: "x" }))!.personId;
      }),
    );
    for (const [method, [action, run]] of Object.entries(changes)) {
      const by = { actor: `somebody who calls ${method}` };
      await run({ state, organizationId, projectId, personId, keyId: key.keyId, by });
      const all = await Promise.all(
        (await state.accounts.organizations()).map((each) =>
          state.people.auditLog(each.organizationId, { limit: 200 }),
        ),
      );
      const lines = all.flatMap(({ entries }) => entries).filter(({ actor }) => actor === by.actor);
      expect([method, lines.map((line) => line.action)]).toEqual([method, [action]]);
    }
    expect((await state.people.verifyAuditLog(organizationId)).broken).toBe(undefined);
  });

  test("is in the lists of this test, like every other method of a store", async () => {
    const { accounts, people, jobs, agents, threads, erasures, sealedCredentials } = await open();
    const methods = Object.entries({ accounts, people, jobs, agents, threads, erasures, sealedCredentials }).flatMap(
      ([name, store]) => Object.keys(store).map((method) => `${name}.${method}`),
    );
    const listed = [...Object.keys(changes), ...ownActs, ...Object.values(others).flat()];
    expect(listed.toSorted()).toEqual(methods.toSorted());
  });
});

test("each store call that changes something records who does it", () => {
  const files = ["src/cli", "src/service/http", "src/service/console"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  const methods = Object.keys(changes).filter((name) => !["people.endSessions", "people.addAuditEntry"].includes(name));
  const calls = [...methods.map((name) => name.replace(".", "\\.")), "\\bcreateKey", "\\brotateKey", "\\berase"].join(
    "|",
  );
  const found: string[] = [];
  const anonymous: string[] = [];
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    for (const { 0: call, index } of text.matchAll(new RegExp(`(?<!routes\\.|function )(?:${calls})\\(`, "g"))) {
      let depth = 0;
      let end = index + call.length - 1;
      do depth += { "(": 1, ")": -1 }[text[end++]!] ?? 0;
      while (depth > 0);
      found.push(call);
      const written = text.slice(index, end);
      if (!/\bby\b|commandLineActor\(\)|keyOf\(c\)|\{ keyId: |\{\s*keyId,?\s*\}/.test(written))
        anonymous.push(`${file}: ${written}`);
    }
  }
  expect(found.length).toBeGreaterThan(45);
  expect(anonymous).toEqual([]);
});

/** Routes and commands by the actions that they log, or the reason why they log none. */
const consoleLines: Readonly<Record<string, string>> = {
  "/jobs/{id}/cancel": "job.cancel",
  "/jobs/{id}/again": "job.start",
  "/jobs/{id}/download": "job.download",
  "/jobs/{id}/withdraw": "job.withdraw",
  "/agent": "agent.start",
  "/agent/{id}/message": "agent.message",
  "/agent/{id}/cancel": "agent.cancel",
  "/agent/{id}/archive": "agent.archive",
  "/sites": "site.add",
  "/sites/{id}/export": "job.start",
  "/sites/{id}/source": "site.change",
  "/sites/{id}/counting": "site.set-counting",
  "/sites/{id}/webhook-secret": "site.rotate-secret",
  "/sites/{id}/remove": "site.remove",
  "/questions/{thread}/delete": "questions.delete",
  "/keys": "key.create",
  "/keys/{id}/rotate": "key.rotate",
  "/keys/{id}/revoke": "key.revoke",
  "/credentials": "credential.add",
  "/credentials/github": "credential.add",
  "/credentials/github/begin": "none: nothing is bound before the return from GitHub",
  "/credentials/{id}/rotate": "credential.rotate",
  "/credentials/{id}/remove": "credential.remove",
  "/people": "person.invite",
  "/people/withdraw": "person.withdraw",
  "/people/{id}/role": "person.role",
  "/people/{id}/log-out": "person.log-out",
  "/people/{id}/remove": "person.remove, person.erase",
  "/mode": "none: a cookie",
  "/organization": "none: what somebody looks at",
  "/organization/delete": "none: the log is deleted; the receipt stays",
  "/account/name": "person.rename",
  "/account/password": "password.change",
  "/account/second-factor": "second-factor.on, second-factor.off",
  "/account/sessions/end": "logout",
  "/account/sessions/others": "person.log-out",
  "/login": "login, login.fail",
  "/login/code": "login, login.fail",
  "/logout": "logout",
  "/invite/{secret}": "person.join, password.reset",
};

const apiLines: Readonly<Record<string, string>> = {
  "POST /v1/static-export/jobs": "job.start",
  "DELETE /v1/static-export/jobs/{jobId}": "job.cancel",
  "POST /v1/static-export/jobs/{jobId}/rerun": "job.start",
  "POST /v1/static-export/jobs/{jobId}/bundle": "job.download",
  "DELETE /v1/static-export/jobs/{jobId}/bundle": "job.withdraw",
  "POST /v1/static-export/jobs/{jobId}/webhooks/replay": "none: what was sent is sent again",
  "POST /v1/project/update/{projectId}": "job.start",
  "POST /v1/project/preview/{projectId}": "job.start",
  "POST /v1/workflow/{projectId}/{workflowSchemaId}/trigger": "none: always 501",
  "POST /api/universal-search/v1/search": "none: a search",
  "POST /api/universal-search/v1/contents": "none: a search",
  "POST /api/universal-search/v1/context": "none: a search",
  "POST /v1/agent/{projectId}/job": "agent.start",
  "POST /v2/agent/{projectId}/job": "agent.start",
  "POST /v2/agent/{projectId}/job/{id}/message": "agent.message",
  "POST /v2/agent/{projectId}/job/{id}/cancel": "agent.cancel",
  "POST /v2/agent/{projectId}/job/{id}/archive": "agent.archive",
  "DELETE /v1/admin/organizations/{organizationId}": "none: the log is deleted; the receipt stays",
  "DELETE /v1/admin/organizations/{organizationId}/jobs/{jobId}/bundle": "job.withdraw",
  "DELETE /v1/admin/organizations/{organizationId}/threads/{threadId}": "questions.delete",
  "DELETE /v1/admin/people/{email}": "person.erase",
  "POST /v1/admin/organizations": "organization.create",
  "POST /v1/admin/organizations/{organizationId}/credentials": "credential.add",
  "POST /v1/admin/organizations/{organizationId}/credentials/{credentialId}/rotate": "credential.rotate",
  "DELETE /v1/admin/organizations/{organizationId}/credentials/{credentialId}": "credential.remove",
  "PATCH /v1/admin/organizations/{organizationId}": "organization.plan",
  "POST /v1/admin/organizations/{organizationId}/sites": "site.add",
  "PATCH /v1/admin/organizations/{organizationId}/sites/{domain}": "site.set-counting",
  "DELETE /v1/admin/organizations/{organizationId}/sites/{domain}": "site.remove",
  "POST /v1/admin/organizations/{organizationId}/sites/{domain}/rotate-secret": "site.rotate-secret",
  "POST /v1/admin/organizations/{organizationId}/keys": "key.create",
  "POST /v1/admin/organizations/{organizationId}/keys/{keyId}/rotate": "key.rotate",
  "DELETE /v1/admin/organizations/{organizationId}/keys/{keyId}": "key.revoke",
};

const commandLines: Readonly<Record<string, string>> = {
  "organization create": "organization.create",
  "organization set-plan": "organization.plan",
  "site add": "site.add",
  "site remove": "site.remove",
  "site set-counting": "site.set-counting",
  "site secret": "site.secret",
  "site rotate-secret": "site.rotate-secret",
  "job run": "job.start, by the API",
  "key create": "key.create",
  "key rotate": "key.rotate",
  "key revoke": "key.revoke",
  "console invite": "person.invite",
  "console reset": "password.reset-link",
  "console unlock": "person.unlock",
  "credential add": "credential.add",
  "credential rotate": "credential.rotate",
  "credential remove": "credential.remove",
  "credential rotate-key": "none: each credential stays the same; the key is the operator's",
  "analytics import": "views.import",
  "erase organization": "none: the log is deleted; the receipt stays",
  "erase person": "person.erase",
  "erase bundle": "job.withdraw",
  "erase thread": "questions.delete",
  service: "site.add, key.create, person.invite",
};

/** Commands without data of the service, and those that only read it. */
const readingCommands =
  /^(init|export|check|fix|preview|lsp|cache .*|serve|ask|mcp|api|worker|migrate|organization list|site list|key list|credential list|audit .*|erase show|explain|doctor|completion)$/;

test("each route and command that changes something is listed with its line of the audit log", async () => {
  const posts = consoleRoutes.filter(({ method }) => method === "POST").map(({ path }) => path);
  expect(Object.keys(consoleLines).toSorted()).toEqual(posts.toSorted());
  const world = await openApiWorld({ adminToken: "a".repeat(32) });
  const { json: document } = await world.call("GET", "/openapi.json");
  const operations = Object.entries(document.paths as Record<string, Record<string, unknown>>)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    // What readers ask, say and view.
    .filter((operation) =>
      /^(POST|PUT|PATCH|DELETE) (?!\/discovery|\/mcp\/|\/v[12]\/(assistant|collect|analytics))/.test(operation),
    );
  expect(operations.toSorted()).toEqual(Object.keys(apiLines).toSorted());
  const changing = Object.keys(commands).filter((name) => !readingCommands.test(name));
  expect(changing.toSorted()).toEqual(Object.keys(commandLines).toSorted());
});
