import { expect, test } from "vitest";
import type { NewTurn } from "../../../src/service/jobs/index.js";
import { describeStates } from "./open-test-state.js";

const dayMs = 24 * 60 * 60_000;
let thread = { threadId: "01J0000000000000000000000A", projectId: "", readerHash: "r", keyHash: "k" };

const turn = (fields: Partial<NewTurn> = {}): NewTurn => ({
  thread,
  messageId: "msg_1",
  askedAt: 0,
  question: "Which Node?",
  answer: "Node 22.",
  sources: [{ url: "https://docs.acme.com/a", title: "A" }],
  outcome: "answered",
  caller: "api",
  promptTokens: 30,
  completionTokens: 4,
  ...fields,
});

describeStates("the assistant's state", (open) => {
  /** A state with the site of `thread`. */
  const opened = async (...rules: Parameters<typeof open>) => {
    const state = await open(...rules);
    const { organizationId } = await state.accounts.organization("Acme");
    const source = { kind: "git", url: "https://git.acme.com/docs.git" } as const;
    const site = { organizationId, domain: "threads.acme.com", source, deployment: "cloud" } as const;
    thread = { ...thread, projectId: (await state.accounts.addProject(site)).projectId };
    return state;
  };

  test("a thread keeps its owner and its newest 20 turns, oldest first", async () => {
    const { threads, now } = await opened();
    expect(await threads.find(thread.threadId)).toBe(undefined);
    const turns = Array.from({ length: 22 }, (_, i) =>
      turn({ messageId: `msg_${i}`, askedAt: now(), question: `Question ${i}` }),
    );
    await threads.add(turns.slice(0, 1));
    await threads.add(turns.slice(1));
    const found = await threads.find(thread.threadId);
    expect(found).toEqual({ ...thread, turns: expect.anything() });
    expect(found!.turns.map(({ question }) => question)).toEqual(turns.slice(2).map(({ question }) => question));
    // What no database can store as text is replaced.
    await threads.add([turn({ askedAt: now(), question: "a\0b\ud83d", answer: "x".repeat(150_000) })]);
    const last = (await threads.find(thread.threadId))!.turns.at(-1)!;
    expect([last.question, last.answer.length]).toEqual(["a\ufffdb\ufffd", 100_000]);
  });

  test("an answer is rated in its own thread only, and a thread is deleted by its own project only", async () => {
    const { threads, now } = await opened();
    await threads.add([turn({ askedAt: now() })]);
    expect(await threads.rate(thread.threadId, "msg_1", { helpful: false, comment: "Wrong." })).toBe(true);
    expect(await threads.rate(thread.threadId, "msg_2", { helpful: true })).toBe(false);
    expect(await threads.rate("01J0000000000000000000000B", "msg_1", { helpful: true })).toBe(false);
    expect(await threads.remove("prj_2", thread.threadId)).toBe(false);
    expect(await threads.remove(thread.projectId, thread.threadId)).toBe(true);
    expect(await threads.find(thread.threadId)).toBe(undefined);
  });

  test("threads are kept for 90 days after their last turn, each turn for 90 days, or nothing is stored", async () => {
    const { threads, jobs, now, advance } = await opened();
    await threads.add([turn({ askedAt: now(), question: "Old" })]);
    await advance(60 * dayMs);
    await threads.add([turn({ askedAt: now(), messageId: "msg_2", question: "New" })]);
    await advance(31 * dayMs);
    await jobs.maintain();
    expect((await threads.find(thread.threadId))!.turns.map(({ question }) => question)).toEqual(["New"]);
    await advance(60 * dayMs);
    await jobs.maintain();
    expect(await threads.find(thread.threadId)).toBe(undefined);

    const nothing = await opened({ threadRetentionMs: 0 });
    await nothing.threads.add([turn({ askedAt: nothing.now() })]);
    expect(await nothing.threads.find(thread.threadId)).toBe(undefined);
  });

  test("a removed site's threads are deleted", async () => {
    const { threads, accounts, erasures, now } = await open();
    const { organizationId } = await accounts.organization("Acme");
    const source = { kind: "folder", path: "/docs" } as const;
    const site = { organizationId, domain: "docs.acme.com", source, deployment: "cloud" } as const;
    const { projectId } = await accounts.addProject(site);
    await threads.add([turn({ askedAt: now(), thread: { ...thread, projectId } })]);
    await erasures.erase({ kind: "site", organizationId, domain: "docs.acme.com" });
    expect(await threads.find(thread.threadId)).toBe(undefined);
  });

  test("threads of an organization are listed page by page, unanswered ones first", async () => {
    const { threads, accounts, now } = await open();
    const siteOf = async (organization: string, domain: string) => {
      const { organizationId } = await accounts.organization(organization);
      const source = { kind: "folder", path: "/docs" } as const;
      return accounts.addProject({ organizationId, domain, source, deployment: "cloud" });
    };
    const [docs, api, foreign] = [
      await siteOf("Acme", "docs.acme.com"),
      await siteOf("Acme", "api.acme.com"),
      await siteOf("Other", "docs.other.com"),
    ];
    const start = now();
    const add = (name: string, site: typeof docs, minute: number, fields: Partial<NewTurn> = {}) =>
      threads.add([
        turn({
          thread: { ...thread, threadId: name, projectId: site.projectId },
          messageId: `msg_${name}_${minute}`,
          askedAt: start + minute * 60_000,
          question: `Question of ${name}`,
          ...fields,
        }),
      ]);
    await add("A", docs, 1, { outcome: "unanswered" });
    await add("B", api, 2);
    await add("C", docs, 3);
    await add("D", docs, 3, { outcome: "unanswered" });
    await add("E", docs, 4);
    await add("F", foreign, 5);
    await add("A", docs, 6, { question: "And then?" });
    await threads.rate("C", "msg_C_3", { helpful: false, comment: "Too short." });

    const names: string[][] = [];
    let after: string | undefined;
    do {
      const page = await threads.list(docs.organizationId, { limit: 2, after });
      names.push(page.map(({ threadId }) => threadId));
      after = page.at(-1)?.position;
    } while (after !== undefined);
    expect(names).toEqual([["A", "D"], ["E", "C"], ["B"], []]);

    const only = async (page: object) =>
      (await threads.list(docs.organizationId, { limit: 9, ...page })).map(({ threadId }) => threadId);
    expect(await only({ only: "unanswered" })).toEqual(["A", "D"]);
    expect(await only({ only: "unhelpful" })).toEqual(["C"]);
    expect(await only({ projectId: api.projectId })).toEqual(["B"]);
    expect(await only({ projectId: foreign.projectId })).toEqual([]);
    expect(await only({ after: "9-x'" })).toHaveLength(5);

    const [first] = await threads.list(docs.organizationId, { limit: 1 });
    expect(first).toEqual({
      threadId: "A",
      projectId: docs.projectId,
      domain: "docs.acme.com",
      updatedAt: new Date(start + 6 * 60_000),
      question: "Question of A",
      turnCount: 2,
      isUnanswered: true,
      helpfulCount: 0,
      unhelpfulCount: 0,
      position: expect.any(String),
    });
    expect(await threads.turns("A")).toMatchObject([{ outcome: "unanswered" }, { question: "And then?" }]);
    const { thread: _, ...stored } = turn({
      messageId: "msg_C_3",
      askedAt: start + 180_000,
      question: "Question of C",
    });
    expect(await threads.turns("C")).toEqual([{ ...stored, rating: { helpful: false, comment: "Too short." } }]);
  });

  test("a site's identifier is the first label of its domain that is free", async () => {
    const state = await open();
    const { organizationId } = await state.accounts.organization("Acme");
    const add = async (domain: string) => {
      const source = { kind: "folder", path: "/docs" } as const;
      return (await state.accounts.addProject({ organizationId, domain, source, deployment: "cloud" })).identifier;
    };
    const domains = ["docs.acme.com", "docs.acme.org", "docs.acme.net", "docs", "localhost"];
    const identifiers: string[] = [];
    for (const domain of domains) identifiers.push(await add(domain));
    expect(identifiers).toEqual(["docs", "docs-acme", "docs-acme-net", "docs-2", "localhost"]);
    const named = async (name: string) => (await state.accounts.projectByName(organizationId, name))?.domain;
    expect(await named("docs-acme")).toBe("docs.acme.org");
    expect(await named("docs.acme.net")).toBe("docs.acme.net");
    expect(await named("docs")).toBe("docs.acme.com");
    expect(await named("acme")).toBe(undefined);
    const other = await state.accounts.organization("Globex");
    expect(await state.accounts.projectByName(other.organizationId, "docs")).toBe(undefined);
    // Another organization has identifiers of its own.
    const project = { organizationId: other.organizationId, source: { kind: "folder", path: "/docs" } } as const;
    const third = await state.accounts.addProject({ ...project, domain: "docs.third.net", deployment: "cloud" });
    expect(third.identifier).toBe("docs");
    expect((await state.accounts.projectByName(other.organizationId, "docs"))?.domain).toBe("docs.third.net");
    // Earlier releases gave it a longer one.
    const guide = await state.accounts.addProject({ ...project, domain: "docs.guide.net", deployment: "cloud" });
    expect(guide.identifier).toBe("docs-guide");
    await state.erasures.erase({ kind: "site", organizationId: other.organizationId, domain: "docs.third.net" });
    expect((await state.accounts.projectByName(other.organizationId, "docs"))?.domain).toBe("docs.guide.net");
    expect(await state.accounts.projectByName(other.organizationId, "doc")).toBe(undefined);
    // A removed site frees its identifier.
    await state.erasures.erase({ kind: "site", organizationId, domain: "docs.acme.com" });
    expect(await add("docs.acme.dev")).toBe("docs");
  });

  test("uses are added up by bucket until it ends, and a salt is the same for all processes", async () => {
    const state = await open();
    const { accounts } = state;
    const start = state.now();
    const bucket = (startsAt: number, uses: number) => ({ name: "a", startsAt, endsAt: startsAt + 1000, uses });
    await accounts.addUses([bucket(start, 3), bucket(start - 500, 1)]);
    await accounts.addUses([bucket(start, 4), { ...bucket(start, 9), name: "b" }]);
    expect(await accounts.usesSince("a", start)).toEqual(new Map([[start, 7]]));
    expect(await accounts.usesSince("a", 0)).toEqual(
      new Map([
        [start, 7],
        [start - 500, 1],
      ]),
    );
    const another = await state.another();
    const salts = await Promise.all([accounts, another.accounts].map((each) => each.salt("day 1", start + 1000)));
    expect(salts).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), salts[0]]);
    await state.advance(1000);
    await state.jobs.maintain();
    expect(await accounts.usesSince("a", 0)).toEqual(new Map());
    expect(await accounts.salt("day 1", start + 5000)).not.toBe(salts[0]);
  });
});
