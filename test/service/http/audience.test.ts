/** What a key of the assistant may see of a site whose pages are for groups of readers: real exports and indexes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createExtractiveAnswerer, createSiteIndexes } from "../../../src/service/assistant/index.js";
import { writeIndex } from "../../../src/service/assistant/retrieval/write-index.js";
import { indexKey } from "../../../src/service/store/index.js";
import { newFolder, writeSite } from "../../security/site-folder.js";
import { openApiWorld } from "../../support/api-world.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { scriptedAssistant } from "../../support/scripted-assistant.js";

const folder = newFolder("key-groups");
const page = (title: string, groups: string, text: string): string =>
  `---\ntitle: ${title}\n${groups}\n---\n\n${text}\n`;
const source = writeSite(join(folder, "site"), {
  "docs.json": JSON.stringify({
    theme: "mint",
    name: "Kept",
    colors: { primary: "#0f766e" },
    navigation: { pages: ["index", "staff", "partners"] },
  }),
  "index.mdx": page("Start", "", "The harbour opens at six. Pumps run all night."),
  "staff.mdx": page("Staff", "groups: [staff]", "The heron staff pumps have the code word osprey."),
  "partners.mdx": page("Partners", "groups: [partners]", "The heron partner pumps have the code word bittern."),
});

/** A world with a completed export for each audience. */
async function openWorld(...audiences: readonly (readonly string[])[]) {
  const scripted = scriptedAssistant();
  const late = { indexes: scripted.indexes };
  const answerer = createExtractiveAnswerer();
  const world = await openApiWorld(
    {},
    {},
    {
      answerer,
      indexes: {
        of: (...asked) => late.indexes.of(...asked),
        isMissing: (project) => late.indexes.isMissing(project),
        close: async () => {},
      },
    },
  );
  const { store, clock } = world;
  late.indexes = createSiteIndexes({ store, log: () => {}, now: () => clock.ms });
  onTestFinished(() => late.indexes.close());
  for (const audience of audiences) {
    const name = audience.join("-") || "everyone";
    const archive = join(world.folder, `${name}.tar.gz`);
    assert.equal((await exportInProcess({ source, archive, audience })).ok, true);
    const index = join(world.folder, `${name}.index`);
    await writeIndex(archive, index, "https://docs.acme.com");
    const jobId = await world.startJob(audience.length > 0 ? { audience } : {});
    const lease = await world.takeJob();
    assert.deepEqual(lease.job.audience ?? [], audience);
    await store.objects.put(indexKey(jobId, lease.fence), index, "application/octet-stream");
    const bundle = {
      objectKey: `static-exports/${jobId}/${lease.fence}/bundle.tar.gz`,
      bytes: 1,
      sha256: "0".repeat(64),
    };
    assert.equal(await store.jobs.complete(lease, bundle, 1), true);
  }
  /** Titles of the pages that a key finds, in whatever way it asks. */
  const seen = async (
    groups: readonly string[] | undefined,
    filter?: { readonly groups?: readonly string[] | null },
  ) => {
    const { secret: key } = await world.newKey({ kind: "assistant", scopes: [], ...(groups && { groups }) });
    const found = await world.call("POST", "/discovery/v1/search/docs", {
      key,
      body: { query: "pumps code word", filter },
    });
    expect(found.status).toBe(200);
    const titles = new Set<string>(found.json.map((hit: { metadata: { title: string } }) => hit.metadata.title));
    const pages = await Promise.all(
      ["/staff", "/partners"].map((path) =>
        world.call("POST", "/discovery/v1/page/docs", { key, body: { path, groups: filter?.groups } }),
      ),
    );
    const read = pages.flatMap(({ status }, i) => (status === 200 ? [["Staff", "Partners"][i]!] : []));
    const answers = await Promise.all(
      ["v1", "v2"].map((version) =>
        world.call("POST", `/discovery/${version}/assistant/docs/message`, {
          key,
          body: { fp: "anonymous", messages: [{ role: "user", content: "Which code word do pumps have?" }], filter },
        }),
      ),
    );
    // An agent cannot name groups: it has all of its key.
    if (filter === undefined) {
      const send = async (name: string, given: object): Promise<string> => {
        const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
        const headers = { Accept: "application/json, text/event-stream" };
        return (await world.call("POST", "/mcp/docs", { key, body, headers })).text;
      };
      const calls = [
        send("search", { query: "pumps code word" }),
        send("list_pages", {}),
        ...["/staff", "/partners", "/llms.txt"].map((path) => send("read_page", { path })),
      ];
      const seenByAgents = (await Promise.all(calls)).join();
      for (const [title, word] of [
        ["Staff", "osprey"],
        ["Partners", "bittern"],
      ] as const)
        assert.equal(
          new RegExp(`${word}|- /${title.toLowerCase()}: |\\[${title}\\]`).test(seenByAgents),
          read.includes(title),
        );
    }
    const all = JSON.stringify([found.json, answers.map(({ text }) => text)]);
    const told = [...(/osprey/.test(all) ? ["Staff"] : []), ...(/bittern/.test(all) ? ["Partners"] : [])];
    assert.deepEqual(told, read);
    assert.deepEqual([...titles].filter((title) => title !== "Start").sort(), [...read].sort());
    return read.sort();
  };
  return { ...world, seen };
}

describe("a key of the assistant", () => {
  test("sees what one of its groups may read, and filter.groups leaves out groups but adds none", async () => {
    const { seen } = await openWorld([], ["staff"], ["partners", "staff"]);
    expect(await seen(undefined)).toEqual([]);
    expect(await seen(undefined, { groups: ["staff"] })).toEqual([]);
    expect(await seen(["staff"])).toEqual(["Staff"]);
    expect(await seen(["staff"], { groups: ["partners", "staff"] })).toEqual(["Staff"]);
    expect(await seen(["staff"], { groups: ["partners"] })).toEqual([]);
    expect(await seen(["staff"], { groups: [] })).toEqual([]);
    expect(await seen(["partners", "staff"])).toEqual(["Partners", "Staff"]);
    expect(await seen(["partners", "staff"], { groups: null })).toEqual(["Partners", "Staff"]);
    expect(await seen(["partners", "staff"], { groups: ["staff"] })).toEqual(["Staff"]);
    // There is no export for these groups alone.
    expect(await seen(["partners"])).toEqual([]);
    expect(await seen(["partners", "staff", "*"])).toEqual([]);
  });

  test("without groups never sees an export for some readers, even if it is the newest or the only one", async () => {
    const { newKey, call, store } = await openWorld(["staff"]);
    const { secret: key } = await newKey({ kind: "assistant", scopes: [] });
    const asked = await call("POST", "/discovery/v1/search/docs", { key, body: { query: "pumps" } });
    expect(asked.status).toBe(503);
    const project = (await store.accounts.projectByDomain("docs.acme.com"))!;
    expect(await store.jobs.newestExport(project.projectId)).toBeUndefined();
    expect((await store.jobs.newestExport(project.projectId, ["staff"]))?.audience).toEqual(["staff"]);
  });
});

test("a job takes the groups of its readers in any order, and shows them; an invalid name is refused", async () => {
  const { call, key } = await openApiWorld();
  const start = (audience: unknown) =>
    call("POST", "/v1/static-export/jobs", { key, body: { domain: "docs.acme.com", audience } });
  const { status, json } = await start(["staff", " partners", "staff"]);
  expect([status, json.audience]).toEqual([202, ["partners", "staff"]]);
  const read = await call("GET", `/v1/static-export/jobs/${json.jobId}`, { key });
  expect(read.json.audience).toEqual(["partners", "staff"]);
  for (const [audience, fault] of [
    [["*"], 'contains "*"'],
    [["a,b"], 'contains "a,b"'],
    [[], "is empty"],
  ] as const) {
    const answer = await start(audience);
    expect([answer.status, answer.json.error]).toEqual([400, expect.stringContaining(fault)]);
  }
});
