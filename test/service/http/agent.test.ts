import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ApiAnswer, openApiWorld } from "../../support/api-world.js";

const repository = "https://git.acme.com/docs";

/** An API with a model that may use git.acme.com, and a site of Acme from there. */
async function openWorld({
  model = "openai/gpt",
  url = `${repository}.git`,
}: {
  /** Null: there is none. */
  readonly model?: string | null;
  readonly url?: string;
} = {}) {
  const setup = { ...(model !== null && { model }) };
  const world = await openApiWorld({}, { maxQueued: 200 }, undefined, setup);
  const project = (await world.store.accounts.projectByDomain("docs.acme.com"))!;
  const { organizationId, projectId } = project;
  await world.store.credentials.add(
    { organizationId, kind: "token", prefix: "https://git.acme.com/", secret: "token", forge: "gitea" },
    { actor: "test" },
  );
  const source = { kind: "git", url } as const;
  await world.store.accounts.changeProject(organizationId, projectId, { source, deployment: "cloud" });
  const root = `/v2/agent/${projectId}`;
  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer> =>
    world.call(method, `${root}${path}`, { key: world.key, ...(body !== undefined && { body }), headers });
  return {
    ...world,
    project,
    root,
    ask: call,
    async create(body: object = { prompt: "Mend it." }): Promise<string> {
      const answer = await call("POST", "/job", body);
      expect(answer.status, answer.text).toBe(201);
      return answer.json.id;
    },
  };
}
type AgentApi = Awaited<ReturnType<typeof openWorld>>;
const unknownId = `aj_${"0".repeat(32)}`;

describe("an agent job", () => {
  test("is created, polled and completed; its answers have the keys of the published interface and no others", async () => {
    const world = await openWorld();
    const created = await world.ask("POST", "/job", { prompt: "Mend it." });
    expect([created.status, created.json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^aj_[0-9a-f]{32}$/),
        status: "active",
        source: { repository, ref: null },
        model: "openai/gpt",
        prLink: null,
        createdAt: "2026-06-01T06:00:00.000Z",
        archivedAt: null,
      },
    ]);
    const { id } = created.json;
    expect(created.headers.get("Location")).toBe(`${world.root}/job/${id}`);
    expect((await world.ask("GET", `/job/${id}`)).json).toEqual(created.json);
    const result = { ref: "offprint/agent-1", pullRequest: `${repository}/pulls/1` };
    await world.store.agents.complete(await world.takeJob(), result);
    const completed = {
      ...created.json,
      status: "completed",
      source: { repository, ref: result.ref },
      prLink: result.pullRequest,
    };
    expect((await world.ask("GET", `/job/${id}`)).json).toEqual(completed);
    expect((await world.ask("GET", "/jobs?status=completed")).json).toEqual({ jobs: [completed], nextCursor: null });
    expect((await world.store.agents.get(id))!.requestedBy).toBe("test");
  });

  test("uses the model if the request does not ask for the repair", async () => {
    const world = await openWorld();
    const modelOf = async (body: object) => (await world.ask("POST", "/job", { prompt: "Go.", ...body })).json.model;
    expect([await modelOf({}), await modelOf({ mode: "model" }), await modelOf({ mode: "repair" })]).toEqual([
      "openai/gpt",
      "openai/gpt",
      "offprint/repair",
    ]);
    const id = await world.create({ prompt: "Go.", asDraft: true });
    expect(await world.store.agents.get(id)).toMatchObject({ asDraft: true, mode: "model" });
  });

  test("is active again with a message; an archived one takes none", async () => {
    const world = await openWorld();
    const id = await world.create();
    await world.store.jobs.fail(await world.takeJob(), "The forge is gone.", false);
    expect((await world.ask("GET", `/job/${id}`)).json.status).toBe("failed");
    const said = await world.ask("POST", `/job/${id}/message`, { prompt: "Again." });
    expect([said.status, said.json.status]).toEqual([200, "active"]);
    const archived = await world.ask("POST", `/job/${id}/archive`);
    expect(archived.json).toMatchObject({ status: "archived", archivedAt: "2026-06-01T06:00:00.000Z" });
    const late = await world.ask("POST", `/job/${id}/message`, { prompt: "Again." });
    expect([late.status, late.json.error]).toEqual([
      409,
      "The job is archived and takes no messages. Create a new job.",
    ]);
  });

  test("that is cancelled has failed; cancelling twice is harmless", async () => {
    const world = await openWorld();
    const id = await world.create();
    for (let time = 0; time < 2; time++) {
      const { status, json } = await world.ask("POST", `/job/${id}/cancel`);
      expect([status, json.status]).toEqual([200, "failed"]);
    }
    const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 10 });
    expect(entries.map(({ action }) => action).slice(0, 2)).toEqual(["agent.cancel", "agent.start"]);
    expect(entries.filter(({ action }) => action === "agent.cancel")).toHaveLength(1);
  });

  test("is created once per Idempotency-Key", async () => {
    const world = await openWorld();
    const key = { "Idempotency-Key": "one" };
    const first = await world.ask("POST", "/job", { prompt: "Mend it." }, key);
    const second = await world.ask("POST", "/job", { prompt: "Mend it." }, key);
    expect([second.status, second.json.id, second.headers.get("Idempotent-Replayed")]).toEqual([
      201,
      first.json.id,
      "true",
    ]);
    expect((await world.ask("POST", "/job", { prompt: "Other." }, key)).status).toBe(422);
    const message = `/job/${first.json.id}/message`;
    await world.ask("POST", message, { prompt: "More." }, key);
    expect((await world.ask("POST", message, { prompt: "More." }, key)).headers.get("Idempotent-Replayed")).toBe(
      "true",
    );
    expect(await world.store.agents.messages(first.json.id)).toHaveLength(2);
  });

  test("reports events until it ends, from the last one that was received", async () => {
    const world = await openWorld();
    const id = await world.create();
    const lease = await world.takeJob();
    await world.store.jobs.addLog(lease.job.jobId, "info", "Changed files: 2.");
    await world.store.agents.complete(lease, {});
    const answer = await world.ask("GET", `/job/${id}/events`);
    expect(answer.headers.get("Content-Type")).toContain("text/event-stream");
    const events = answer.text
      .trimEnd()
      .split("\n\n")
      .map((text) => Object.fromEntries(text.split("\n").map((line) => line.split(/: (.*)/s))));
    expect(events.map(({ event }) => event)).toEqual(["log", "log", "log", "job"]);
    expect(JSON.parse(events[0]!.data).message).toBe("The job is queued.");
    expect(JSON.parse(events[1]!.data)).toEqual({
      time: "2026-06-01T06:00:00.000Z",
      level: "info",
      message: "Changed files: 2.",
      runId: lease.job.jobId,
    });
    expect(JSON.parse(events[3]!.data)).toMatchObject({ id, status: "completed" });
    const rest = await world.ask("GET", `/job/${id}/events`, undefined, { "Last-Event-ID": events[1]!.id });
    expect(rest.text).not.toContain("Files to change");
    expect(rest.text).toContain("The job is completed.");
  });

  test("of an active job: the events end when the client leaves or the server closes", async () => {
    const world = await openWorld();
    const id = await world.create();
    const closing = new AbortController();
    const request = new Request(`http://127.0.0.1${world.root}/job/${id}/events`, {
      headers: { Authorization: `Bearer ${world.key}` },
    });
    const response = await world.api.fetch(request, { closing: closing.signal });
    const reader = response.body!.getReader();
    for (const part of ["The job is queued.", '"status":"active"'])
      expect(new TextDecoder().decode((await reader.read()).value)).toContain(part);
    closing.abort();
    expect((await reader.read()).done).toBe(true);
  });

  test("of a removed site is as unknown as its site", async () => {
    const world = await openWorld();
    const id = await world.create();
    const domain = "docs.acme.com";
    const { organizationId } = (await world.store.accounts.projectByDomain(domain))!;
    await world.store.erasures.erase({ kind: "site", organizationId, domain }, { actor: "test" });
    const answers = [
      await world.ask("GET", `/job/${id}`),
      await world.ask("POST", "/job", { prompt: "Mend it." }),
      await world.ask("POST", `/job/${id}/message`, { prompt: "Mend it." }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test("of an active job: the events end when the key is revoked", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const world = await openWorld();
    const { key, secret } = await world.newKey();
    const request = new Request(`http://127.0.0.1${world.root}/job/${await world.create()}/events`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    const text = world.api.fetch(request).then((response) => response.text());
    await vi.advanceTimersByTimeAsync(10_000);
    await world.store.accounts.revokeKey(key.organizationId, key.keyId, { actor: "test" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await text).toContain('"status":"active"');
  });
});

const refused: readonly (readonly [rule: string, body: unknown, error: string])[] = [
  ["no prompt", {}, '"prompt" is missing.'],
  ["an empty prompt", { prompt: "" }, '"prompt" is empty.'],
  ["a blank prompt", { prompt: " \n\t" }, '"prompt" is blank.'],
  ["a prompt of 20,001 characters", { prompt: "x".repeat(20_001) }, "more than 20000 characters"],
  ["a number as prompt", { prompt: 7 }, '"prompt" is a number, but must be a string.'],
  ["an unknown mode", { prompt: "Go.", mode: "magic" }, '"mode" must be model or repair.'],
  ["a text as asDraft", { prompt: "Go.", asDraft: "yes" }, '"asDraft" is a string, but must be a boolean.'],
  ["an unknown field", { prompt: "Go.", branch: "main" }, 'There is no field "branch".'],
  ["an array", [], "The body is an array"],
  ["null", null, "The body is null"],
  ["no JSON", "{", "The body is not valid JSON"],
];
test("a request that makes no sense gets 400 and a message with the reason", async () => {
  const world = await openWorld();
  for (const [rule, body, error] of refused) {
    const { status, json } = await world.ask("POST", "/job", body);
    expect([rule, status, json.error]).toEqual([rule, 400, expect.stringContaining(error)]);
  }
  const id = await world.create({ prompt: "x".repeat(20_000) });
  for (const [rule, body, error] of refused.slice(0, 5)) {
    const { status, json } = await world.ask("POST", `/job/${id}/message`, body);
    expect([rule, status, json.error]).toEqual([rule, 400, expect.stringContaining(error)]);
  }
  for (const query of ["limit=0", "limit=101", "cursor=x", "status=queued"])
    expect((await world.ask("GET", `/jobs?${query}`)).status).toBe(400);
});

const noModel =
  'no language model, so it cannot carry out a prompt. Start it with a model: OFFPRINT_MODEL=qwen3:32b offprint service. Or send "mode": "repair"';
const unready: readonly (readonly [rule: string, open: () => Promise<AgentApi>, body: object, error: string])[] = [
  [
    "a repository without a token",
    () => openWorld({ url: "https://other.com/docs.git" }),
    {},
    "no credential for https://other.com/docs.git. Add one: offprint credential add https://other.com/ --organization Acme --secret-file <token>",
  ],
  ["the mode of a model without one", () => openWorld({ model: null }), { mode: "model" }, noModel],
  ["no mode and no model", () => openWorld({ model: null }), {}, noModel],
];
for (const [rule, open, body, error] of unready)
  test(`a service that is not set up answers 409 with advice: ${rule}`, async () => {
    const world = await open();
    const { status, json } = await world.ask("POST", "/job", { prompt: "Go.", ...body });
    expect([status, json.error]).toEqual([409, expect.stringContaining(error)]);
  });
test("a site from a folder gets 409 with the command that helps", async () => {
  const world = await openWorld();
  const { organizationId, projectId } = world.project;
  const source = { kind: "folder", path: world.folder } as const;
  await world.store.accounts.changeProject(organizationId, projectId, { source, deployment: "cloud" });
  const { status, json } = await world.ask("POST", "/job", { prompt: "Go." });
  expect([status, json.error]).toEqual([409, expect.stringContaining("offprint site add docs.acme.com --git <url>")]);
});

test("without a model, a job with the mode repair accepts prompts, does not carry them out, and names offprint/repair as its model", async () => {
  const world = await openWorld({ model: null });
  const id = await world.create({ prompt: "Go.", mode: "repair" });
  const said = await world.ask("POST", `/job/${id}/message`, { prompt: "Again." });
  expect([said.status, said.json.model]).toEqual([200, "offprint/repair"]);
});

test("foreign and unknown projects and jobs are one 404", async () => {
  const world = await openWorld();
  const id = await world.create();
  const { secret: foreign } = await world.newKey({ organizationId: world.globex.organizationId });
  const globex = (await world.store.accounts.projectByDomain("docs.globex.com"))!.projectId;
  const answers = [
    await world.call("GET", `${world.root}/job/${id}`, { key: foreign }),
    await world.call("POST", `${world.root}/job`, { key: foreign, body: { prompt: "Go." } }),
    await world.call("GET", `/v2/agent/${globex}/job/${id}`, { key: foreign }),
  ];
  for (const path of ["null", "undefined", unknownId, `${id}x`, encodeURIComponent("' or 1=1"), "se_1"])
    answers.push(await world.ask("GET", `/job/${path}`));
  for (const project of ["null", "docs", "docs.acme.com", `prj_${"0".repeat(32)}`])
    answers.push(await world.call("GET", `/v2/agent/${project}/job/${id}`, { key: world.key }));
  for (const action of ["message", "cancel", "archive"])
    answers.push(await world.ask("POST", `/job/${unknownId}/${action}`, { prompt: "Go." }));
  answers.push(await world.ask("GET", `/job/${unknownId}/events`));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(404);
});

test("a GET needs the scope read, a POST the scope write; other keys and none are refused", async () => {
  const world = await openWorld();
  const id = await world.create();
  const { secret: reader } = await world.newKey({ scopes: ["read"] });
  const { secret: assistant } = await world.newKey({ kind: "assistant", scopes: [] });
  const status = async (method: string, path: string, key?: string): Promise<number> =>
    (await world.call(method, `${world.root}${path}`, { key, ...(method === "POST" && { body: { prompt: "Go." } }) }))
      .status;
  expect(await status("GET", `/job/${id}`, reader)).toBe(200);
  for (const path of ["/job", `/job/${id}/message`, `/job/${id}/cancel`, `/job/${id}/archive`])
    expect(await status("POST", path, reader)).toBe(403);
  expect([await status("GET", `/job/${id}`, assistant), await status("GET", `/job/${id}`)]).toEqual([403, 401]);
});

test("the 101st creation or message of a project within an hour gets 429; repeated requests do not count", async () => {
  const world = await openWorld();
  const key = { "Idempotency-Key": "one" };
  const first = await world.ask("POST", "/job", { prompt: "Go." }, key);
  for (let count = 1; count < 100; count++) {
    if (count % 25 === 0) await world.ask("POST", "/job", { prompt: "Go." }, key);
    const path = count % 2 === 0 ? "/job" : `/job/${first.json.id}/message`;
    expect((await world.ask("POST", path, { prompt: "Go." })).status).toBeLessThan(300);
  }
  for (const path of ["/job", `/job/${first.json.id}/message`]) {
    const { status, headers, json } = await world.ask("POST", path, { prompt: "Go." });
    expect([status, headers.get("Retry-After")]).toEqual([429, "3600"]);
    expect(headers.get("RateLimit")).toBe('"agent";r=0;t=3600');
    expect(json.error).toContain("100 agent jobs and messages per hour");
  }
  expect((await world.ask("POST", "/job", { prompt: "Go." }, key)).json.id).toBe(first.json.id);
  world.clock.ms += 60 * 60_000;
  expect((await world.ask("POST", "/job", { prompt: "Go." })).status).toBe(201);
});

test("a run is no export: the routes of exports neither list nor find it", async () => {
  const world = await openWorld();
  const id = await world.create();
  const { runId } = (await world.store.agents.get(id))!;
  const exports = "/v1/static-export/jobs";
  expect((await world.call("GET", exports, { key: world.key })).json.jobs).toEqual([]);
  for (const each of [id, runId])
    expect((await world.call("GET", `${exports}/${each}`, { key: world.key })).status).toBe(404);
});

describe("the first version of the routes", () => {
  const v1 = (world: AgentApi) => (method: string, path: string, body?: unknown) =>
    world.call(method, `/v1/agent/${world.project.projectId}${path}`, {
      key: world.key,
      ...(body !== undefined && { body }),
    });

  test("creates a job from messages, streams its events, shows it and lists it", async () => {
    const world = await openWorld();
    const ask = v1(world);
    const messages = [
      { role: "system", content: "Write short sentences." },
      { role: "user", content: "Add a quickstart guide.\nFor Python." },
    ];
    const answer = ask("POST", "/job", { messages, asDraft: true, model: "opus", branch: "docs/quickstart" });
    const lease = await vi.waitFor(async () => (await world.store.jobs.take("worker-1")) ?? Promise.reject());
    await world.store.agents.complete(lease, { ref: "offprint/agent-1", pullRequest: `${repository}/pulls/1` });
    const { status, headers, text } = await answer;
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
    const id = headers.get("X-Session-Id")!;
    expect(headers.get("X-Branch-Name")).toBe("docs/quickstart");
    expect(await world.store.agents.get(id)).toMatchObject({ branch: "docs/quickstart" });
    expect(text).toContain('"haultReason":"completed"');
    const [message] = await world.store.agents.messages(id);
    expect(message!.prompt).toBe(
      "Add a quickstart guide.\nFor Python.\n\nEarlier message of the system:\nWrite short sentences.",
    );
    expect(await world.store.agents.get(id)).toMatchObject({ mode: "model", asDraft: true });
    const session = {
      sessionId: id,
      subdomain: "docs",
      branch: "offprint/agent-1",
      haulted: true,
      haultReason: "completed",
      pullRequestLink: `${repository}/pulls/1`,
      messageToUser: "",
      todos: [],
      title: "Add a quickstart guide.",
      createdAt: "2026-06-01T06:00:00.000Z",
    };
    expect((await ask("GET", `/job/${id}`)).json).toEqual(session);
    expect((await ask("GET", "/jobs?skip=0&take=1")).json).toEqual({ allSessions: [session] });
    expect((await ask("GET", "/jobs?skip=1")).json).toEqual({ allSessions: [] });
    for (const query of ["take=0", "take=101", "skip=-1"])
      expect((await ask("GET", `/jobs?${query}`)).status).toBe(400);
  });

  test("says why a job was interrupted or failed", async () => {
    const world = await openWorld();
    const ask = v1(world);
    const [failed, cancelled] = [await world.create(), await world.create()];
    await world.store.jobs.fail(await world.takeJob(), "The forge is gone.", false);
    await world.ask("POST", `/job/${cancelled}/cancel`);
    const reasonOf = async (id: string) => (await ask("GET", `/job/${id}`)).json.haultReason;
    expect([await reasonOf(failed), await reasonOf(cancelled)]).toEqual(["error", "interrupted"]);
  });

  test("refuses a name that no branch can have and messages without a prompt with 400", async () => {
    const world = await openWorld();
    const messages = [{ role: "user", content: "Go." }];
    for (const branch of ["", "-f", "+main", "a..b", "a b", "a.lock"])
      expect((await v1(world)("POST", "/job", { messages, branch })).status, branch).toBe(400);
    for (const wrong of [[], [{ role: "assistant", content: "Done." }], [{ role: "user", content: " " }]])
      expect((await v1(world)("POST", "/job", { messages: wrong })).status).toBe(400);
    expect((await v1(await openWorld({ model: null }))("POST", "/job", { messages })).status).toBe(409);
  });
});
