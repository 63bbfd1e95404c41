import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { packRecord, readSearchFile } from "../../../src/service/assistant/retrieval/index-object.js";
import { openSiteIndex } from "../../../src/service/assistant/retrieval/open-site-index.js";
import { createSiteIndexes } from "../../../src/service/assistant/retrieval/site-indexes.js";
import type { Job, Project } from "../../../src/service/jobs/index.js";
import { indexOf, page, sections } from "../../bundle/search/index-of.js";
import { waitUntil } from "../../support/wait-until.js";

const projectOf = (projectId: string): Project =>
  ({ projectId, domain: `${projectId}.example.com`, organizationId: "org_1" }) as Project;

/** An index as the worker makes it. */
async function objectOf(files: ReadonlyMap<string, string>, facts: object = { siteName: "Site" }): Promise<Buffer> {
  const records = [packRecord("", Buffer.from(JSON.stringify(facts)))];
  for (const [path, text] of files) records.push(packRecord(path, Buffer.from(text)));
  return Buffer.concat(await Promise.all(records));
}

let files: ReadonlyMap<string, string>;
beforeAll(async () => {
  const install = page("Install", {
    sections: sections("Install the program.", ["On Linux", "Run the apt package manager."]),
  });
  files = new Map([...(await indexOf([install])), ["install.md", "# Install\n\nInstall the program.\n"]]);
});

describe("the indexes of the newest exports", () => {
  /** A store whose reads can be held up. */
  async function setUp(maxBytes?: number) {
    const objects = new Map<string, Buffer>();
    const newest = new Map<string, string>();
    const state = { reads: 0, polls: 0, now: 0, isDown: false, hold: undefined as Promise<void> | undefined };
    const log: string[] = [];
    const complete = async (projectId: string, jobId: string, siteName: string): Promise<void> => {
      objects.set(`static-exports/${jobId}/1/index`, await objectOf(files, { siteName }));
      newest.set(projectId, jobId);
    };
    const indexes = createSiteIndexes({
      store: {
        jobs: {
          newestExport: async (projectId) => {
            state.polls++;
            if (state.isDown) throw new Error("the database is down");
            const jobId = newest.get(projectId);
            return jobId === undefined ? undefined : ({ jobId, attempt: 1, bundle: { objectKey: "b" } } as Job);
          },
        },
        objects: {
          read: async (key, start, length) => {
            if (start === 0) state.reads++;
            await state.hold;
            const object = objects.get(key);
            return object && { bytes: object.subarray(start, start + length), size: object.length };
          },
        },
      },
      log: (_, message) => void log.push(message),
      now: () => state.now,
      maxBytes,
    });
    return { indexes, state, log, complete, objects, newest };
  }

  test("are loaded once, also when many requests wait", async () => {
    const { indexes, state, complete } = await setUp();
    assert.equal(await indexes.of(projectOf("p1")), undefined);
    await complete("p1", "se_1", "First");
    state.now += 5000;
    const found = await Promise.all(Array.from({ length: 50 }, () => indexes.of(projectOf("p1"))));
    assert.equal(new Set(found).size, 1);
    assert.equal(found[0]!.siteName, "First");
    assert.equal(state.reads, 1);
    // Until the next poll, no request reads the database.
    const { polls } = state;
    state.now += 1000;
    await indexes.of(projectOf("p1"));
    assert.equal(state.polls, polls);
    // The clock was set back.
    state.now -= 3_600_000;
    await indexes.of(projectOf("p1"));
    assert.equal(state.polls, polls + 1);
  });

  test("of a withdrawn export answer no more, even long after the last question", async () => {
    const { indexes, state, complete, newest } = await setUp();
    await complete("p1", "se_1", "First");
    assert.equal((await indexes.of(projectOf("p1")))?.siteName, "First");
    newest.delete("p1");
    state.now += 3_600_000;
    assert.equal(await indexes.of(projectOf("p1")), undefined);
  });

  test("change to a new export while the older one answers", async () => {
    const { indexes, state, complete } = await setUp();
    await complete("p1", "se_1", "First");
    await indexes.of(projectOf("p1"));
    await complete("p1", "se_2", "Second");
    let release!: () => void;
    state.hold = new Promise((resolve) => (release = resolve));
    state.now += 5000;
    for (let i = 0; i < 5; i++) assert.equal((await indexes.of(projectOf("p1")))?.siteName, "First");
    release();
    await waitUntil("the second index", async () => (await indexes.of(projectOf("p1")))?.siteName === "Second");
    assert.equal(state.reads, 2);
  });

  test("are unloaded once the export is withdrawn, and loaded again with the next one", async () => {
    const { indexes, state, complete, newest } = await setUp();
    await complete("p1", "se_1", "First");
    assert.equal((await indexes.of(projectOf("p1")))?.siteName, "First");
    newest.delete("p1");
    state.now += 5000;
    await waitUntil("no index", async () => (await indexes.of(projectOf("p1"))) === undefined);
    assert.equal(indexes.isMissing(projectOf("p1")), false);
    await complete("p1", "se_2", "Second");
    state.now += 5000;
    assert.equal((await indexes.of(projectOf("p1")))?.siteName, "Second");
  });

  test("stay loaded while the database is down, and are unloaded with their object", async () => {
    const { indexes, state, complete, newest, log } = await setUp();
    await complete("p1", "se_1", "First");
    await indexes.of(projectOf("p1"));
    state.isDown = true;
    state.now += 5000;
    assert.equal((await indexes.of(projectOf("p1")))?.siteName, "First");
    await waitUntil("the log", () => log.includes("the index of an export could not be loaded"));
    state.isDown = false;
    newest.set("p1", "se_9");
    state.now += 5000;
    assert.equal(indexes.isMissing(projectOf("p1")), false);
    await waitUntil("no index", async () => (await indexes.of(projectOf("p1"))) === undefined);
    assert.equal(indexes.isMissing(projectOf("p1")), true);
    await complete("p1", "se_10", "Third");
    state.now += 5000;
    assert.equal((await indexes.of(projectOf("p1")))?.siteName, "Third");
    assert.equal(indexes.isMissing(projectOf("p1")), false);
  });

  test("a damaged one is no answer, and the next export is", async () => {
    const { indexes, state, complete, objects } = await setUp();
    await complete("p1", "se_1", "First");
    objects.set("static-exports/se_1/1/index", Buffer.from("nonsense"));
    assert.equal(await indexes.of(projectOf("p1")), undefined);
    await complete("p1", "se_2", "Second");
    state.now += 5000;
    assert.equal((await indexes.of(projectOf("p1")))?.siteName, "Second");
  });

  test("that were used least recently are unloaded when the memory is full", async () => {
    const { indexes, state, complete } = await setUp(1);
    for (const id of ["p1", "p2"]) await complete(id, `se_${id}`, id);
    await indexes.of(projectOf("p1"));
    await indexes.of(projectOf("p2"));
    assert.equal((await indexes.of(projectOf("p2")))?.siteName, "p2");
    assert.equal(state.reads, 2);
    assert.equal((await indexes.of(projectOf("p1")))?.siteName, "p1");
    assert.equal(state.reads, 3);
    await indexes.close();
    assert.equal(await indexes.of(projectOf("p1")), undefined);
  });
});

describe("an index from a hostile export", () => {
  const open = async (changes: Readonly<Record<string, string>>, facts?: object) => {
    const own = new Map(files);
    for (const [path, text] of Object.entries(changes)) {
      const key = [...own.keys()].find((each) => each.startsWith(path)) ?? path;
      own.set(key, text);
    }
    return await openSiteIndex(await objectOf(own, facts), "https://site.example.com");
  };
  const head = "_offprint/search/0.";

  const scripts = [
    ["code after the call", `offprintSearch("0",{});globalThis.pwned = 1;offprintSearch("0",{});\n`],
    ["code in place of data", `offprintSearch("0",globalThis.pwned = 1);\n`],
    ["another call", `alert("0");\n`],
    [
      "arrays that do not fit into memory",
      `offprintSearch("0",{"version":3,"terms":"","pages":"}}}}}#","sections":"$","hashes":""});\n`,
    ],
    ["another version", `offprintSearch("0",{"version":2,"terms":"","pages":"","sections":"","hashes":""});\n`],
    [
      "numbers in place of texts",
      `offprintSearch("0",{"version":3,"terms":1,"pages":"","sections":"","hashes":""});\n`,
    ],
  ] as const;
  for (const [what, script] of scripts)
    test(`with ${what} is refused, and nothing is run`, async () => {
      await assert.rejects(open({ [head]: script }));
      assert.equal("pwned" in globalThis, false);
    });

  test("with a part that stands for itself, for a later one or for none is refused", () => {
    const entries = (part: string): string => `offprintSearch("0/s0",["/a","A",[],"",["","","first"],${part}]);\n`;
    for (const part of ["0", '["b","B",0]']) assert.equal(readSearchFile(entries(part)).name, "0/s0");
    for (const part of ["1", "-1", "0.5", "9e9", '["b","B",1]', '["b",0,"B"]', "null"])
      assert.throws(() => readSearchFile(entries(part)), part);
  });

  test("that is cut off or names a wrong size is refused", async () => {
    const object = await objectOf(files);
    for (const end of [3, 12, object.length - 1])
      await assert.rejects(openSiteIndex(object.subarray(0, end), "https://site.example.com"));
    const large = Buffer.from(object);
    large.writeUInt32LE(4 * 1024 ** 3 - 1, 6);
    await assert.rejects(openSiteIndex(large, "https://site.example.com"), /too large/);
    large.writeUInt32LE(5, 6);
    await assert.rejects(openSiteIndex(large, "https://site.example.com"));
  });

  for (const href of ["https://evil.example", "//evil.example/x", "../../x.html", "a/%2e%2e/x.html", "/x", "a b"])
    test(`gives no passage that leads to ${href}`, async () => {
      const evil = await indexOf([page("Install", { href, sections: sections("Install the program.") })]);
      const { index } = await openSiteIndex(await objectOf(evil), "https://site.example.com");
      assert.deepEqual((await index.search({ query: "install the program", count: 5 })).passages, []);
    });

  for (const baseUrl of ["javascript:alert(1)", "file:///etc", "https://", 7])
    test(`has the address of its project, if it names ${baseUrl}`, async () => {
      const { index } = await open({}, { siteName: "Site", address: { baseUrl } });
      assert.equal(index.baseUrl, "https://site.example.com");
    });
});
