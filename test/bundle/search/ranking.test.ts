/** The rules that order results. Each has a small site in which another order would be likely. */
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { search } from "../../../src/bundle/search/engine/engine.js";
import { expandTerm } from "../../../src/bundle/search/engine/expand-term.js";
import { parseQuery } from "../../../src/bundle/search/engine/query.js";
import { readSynonyms } from "../../../src/bundle/search/engine/vocabulary.js";
import { indexOf, openIndex, page, searcher, sections, titlesOf } from "./index-of.js";

const filler = "Some other text about quite different things. ".repeat(12);

describe("the subject of a page", () => {
  const ask = searcher([
    page("Rules", { sections: sections("What is allowed.", ["policy", "The policy field. A policy."]) }),
    page("Policies", { sections: sections(filler) }),
    page("How do I log in", { sections: sections("Open the page.") }),
    page("Security", { sections: sections(`${filler} Rotate keys often. ${filler}`) }),
    page("Deduplication", {
      description: "Prevent duplicate runs.",
      sections: sections(`Prevent duplicate runs. ${filler}`),
    }),
    page("Lists", { sections: sections(filler, ["Filters", "Lists runs; can prevent a duplicate."]) }),
    page("Overview", { boost: 10, sections: sections("There are webhooks too, and other ways to hear of events.") }),
    page("Set up and test webhooks of a project", { sections: sections(filler) }),
  ]);
  const cases = [
    ["a title beats a heading, also in another form", "policy", "Policies"],
    ["words of a question count less than others", "how do I rotate keys", "Security"],
    ["a description counts more than text", "prevent duplicate runs", "Deduplication"],
    ["a boost does not make up for a page that hardly matches", "webhooks", "Set up and test webhooks of a project"],
  ] as const;
  for (const [rule, query, title] of cases)
    test(rule, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));
});

test("how a question is put says nothing about its subject", async () => {
  const ask = await searcher([
    page("Migration guide", { sections: sections(`Change the key. ${filler}`) }),
    page("Getting help", { sections: sections(`Please explain the text of a key. Thanks for each step. ${filler}`) }),
    page("Keys", { sections: sections(`Change the text of a key. ${filler}`) }),
  ]);
  for (const query of [
    "how to change the text of a key",
    "please help me change the text of a key",
    "change the text of a key please, thanks",
    "can you explain how to change the text of a key step by step",
  ])
    assert.equal(titlesOf(await ask(query))[0], "Keys", query);
});

test("words that ask a question are highlighted only if there are no others", async () => {
  const ask = await searcher([
    page("Is there a limit", { sections: sections(`Is a file too large? ${filler}`) }),
    page("Files", { sections: sections(`How do I upload a file? ${filler}`) }),
  ]);
  assert.deepEqual([...(await ask("how do I limit a file")).marks.words].toSorted(), ["file", "limit"]);
  assert.ok((await ask("how do I")).marks.words.has("how"));
});

describe("a question in Japanese or Chinese", () => {
  const ask = searcher([
    page("ワークフローの公開", { sections: sections("公開した後で前の版に戻すことができます。") }),
    page("利用の開始", {
      sections: sections("使いたいものを選んでください。したいことがあれば、からまでのことを書きます。"),
    }),
    page("重置密码", { sections: sections("管理员可以在命令行中重置密码。") }),
    page("我的", { sections: sections("我怎么才能把它的都也就是这个。") }),
    page("效果", { sections: sections("虚拟试穿的效果。") }),
  ]);
  const cases = [
    ["a verb is found in another form", "版を戻したい", "ワークフローの公開"],
    ["grammar counts less than a word", "どうすれば公開を使いたいことができますか", "ワークフローの公開"],
    ["pronouns and question words count less than a word", "我怎么才能重置密码", "重置密码"],
    ["a word that the browser cuts into characters is a word", "给衣服换模特 试穿", "效果"],
    ["it is read to its end", "まずどこから手をつけていいのかまったくわからないので版を戻したい", "ワークフローの公開"],
    ["a conjunction is not the beginning of a word", "效果 和 我的", "效果"],
  ] as const;
  for (const [rule, query, title] of cases)
    test(rule, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));
});

describe("a question in Korean or Russian", () => {
  const ask = searcher([
    page("열쇠", { sections: sections("관리자에게 문의하면 됩니다.") }),
    page("모임", { sections: sections("어디에서 쇠는 나요.") }),
    page("Деньги", { sections: sections("Возврат приходит за три дня.") }),
    page("Прочее", { sections: sections("Мне и где.") }),
  ]);
  const cases = [
    ["particles and endings of Korean count less than a word", "열쇠는 어디에서 받나요", "열쇠"],
    ["words of Russian questions count less than a word", "где мне взять возврат", "Деньги"],
  ] as const;
  for (const [rule, query, title] of cases)
    test(rule, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));
});

test("a verb is as frequent as all of its forms", async () => {
  const ask = await searcher([
    page("履歴", { sections: sections("戻しの印。") }),
    ...Array.from({ length: 8 }, (_, at) => page(`元の頁${at}`, { sections: sections(`前の頁へ戻る。${filler}`) })),
    ...Array.from({ length: 8 }, (_, at) => page(`手順${at}`, { sections: sections("公開の手順。") })),
  ]);
  assert.match(titlesOf(await ask("公開 戻したい"))[0]!, /^手順/);
});

describe("the words of Japanese and Chinese", () => {
  const ask = searcher([
    page("請求の仕組み", { sections: sections("毎月の請求は自動です。") }),
    page("プロダクト", { sections: sections("プロダクトの概要。プロとダクトとクトのロダ。") }),
    page("宣传文稿", { sections: sections("宣传文稿的条件大致如下。管理员上传。") }),
    page("大小限制", { sections: sections("每个文件的大小有限制。") }),
    page("Sign in to the console", { sections: sections("Use your password for the login.") }),
    page("Environments", { sections: sections("Each environment has variables.") }),
    page("サーバの設定", { sections: sections("サーバを再起動します。") }),
    page("作り方", { sections: sections("作る。作れる。") }),
    page("環境", { sections: sections(`${filler}動作の条件。${filler}`) }),
    page("一覧", { sections: sections("不要な行は削除します。") }),
  ]);
  const cases = [
    ["a word in katakana counts once, not once for each pair", "プロダクトの請求の仕組み", "請求の仕組み"],
    ["the end of one word with the beginning of the next is not a word", "文件大小上传文件大小", "大小限制"],
    ["a word in katakana is found with and without its long vowel", "サーバーを直したい", "サーバの設定"],
    ["each form of a Japanese verb finds what authors write for it", "消せる", "一覧"],
    ["a Japanese question finds English pages", "ログインの方法", "Sign in to the console"],
    ["a Chinese question finds English pages", "环境在哪里", "Environments"],
  ] as const;
  for (const [rule, query, title] of cases)
    test(rule, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));
  test("two characters at the border of two words are one word if they may be one, as in Japanese", () => {
    const pairs = (query: string) =>
      parseQuery(query, () => []).flatMap(({ word, optional, common }) => (optional || common ? [] : [word]));
    assert.deepEqual(pairs("顧客名を変更"), ["顧客", "客名", "変更"]);
    assert.deepEqual(pairs("文件大小"), ["文件", "大小"]);
  });
  test("the end of a word is not a verb form", async () =>
    assert.deepEqual(titlesOf(await (await ask)("動作を")), ["環境"]));
});

describe("what readers mean by several words", () => {
  const ask = searcher([
    page("Audit logs", {
      sections: sections("Logs of the browser. Keep logs for a year.", ["Keep logs", "How to keep logs."]),
    }),
    page("Sessions", { sections: sections(`${filler} Stay signed in.`, ["Login of a browser", "Keep the profile."]) }),
    page("Completion", { sections: sections("Completion is working.") }),
    page("Editor", { sections: sections(filler, ["Completion not working: what to do", filler]) }),
    page("Proxy", {
      href: "reference/proxy.html",
      trail: ["Reference"],
      sections: sections("The proxy field. A proxy."),
    }),
    page("Use a proxy", { href: "guides/proxies.html", sections: sections("Set a proxy.") }),
    page("Set up billing", { href: "changelog/billing.html", sections: sections("Set up billing.") }),
    page("Billing", { href: "guides/money.html", sections: sections("Set up billing here.") }),
    page("Set up cards", {
      href: "guides/cards.html",
      sections: sections(`${filler} Set up billing of cards. Billing.`),
    }),
  ]);
  const cases = [
    ["a particle belongs to the verb in any of its forms", "how to keep browser logged in", "Login of a browser"],
    ["a heading with the phrase comes first", "completion not working", "Completion not working: what to do"],
    ["a page of changes comes after others", "billing", "Billing"],
  ] as const;
  for (const [rule, query, title] of cases)
    test(rule, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));
});

describe("a name that is typed completely beats its parts", () => {
  const ask = searcher([
    page("Use state", { sections: sections("Use it for state.") }),
    page("Hooks", { sections: sections(filler, ["List", filler, "const [a, set] = useState(0)"]) }),
    page("Strict", { boost: 2, sections: sections("Strict checks. Be strict.") }),
    page("Command line", { sections: sections(`${filler} Add --strict to fail on a warning. ${filler}`) }),
    page("API v1", { sections: sections("The api, v1.") }),
    page("Jobs", { sections: sections(filler, ["Create", `${filler} POST /api/v1 and wait.`]) }),
    page("MCP session id", { sections: sections("The id of a session of MCP.") }),
    page("Transport", { sections: sections(`${filler} The server sends Mcp-Session-Id back. ${filler}`) }),
  ]);
  const cases = [
    ["useState", "List"],
    ["--strict", "Command line"],
    ["/api/v1", "Create"],
    ["Mcp-Session-Id", "Transport"],
  ] as const;
  for (const [query, title] of cases)
    test(query, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));

  test("finds the parts as well", async () => {
    assert.equal(titlesOf(await (await ask)("use state"))[0], "Use state");
    assert.ok(titlesOf(await (await ask)("mcp session")).includes("Transport"));
  });
});

describe("one word that may be two", () => {
  const ask = searcher([
    page("Frameworks", { sections: sections(`It works with Next.js. ${filler}`) }),
    page("Steps", { sections: sections("Next: go on to the next page.") }),
    page("Install", { href: "install/nextjs.html", sections: sections(filler) }),
    page("Fish", { sections: sections("All about the seahorse.") }),
  ]);
  test("is found with a hyphen, before a word that only begins like it", async () => {
    const titles = titlesOf(await (await ask)("nextjs"));
    assert.deepEqual([titles.slice(0, 2).sort(), titles.at(-1)], [["Frameworks", "Install"], "Steps"]);
  });
  test("is found as one word, although neither of the two exists", async () =>
    assert.deepEqual(titlesOf(await (await ask)("quagga sea horse")), ["Fish"]));
});

test("a name of two words finds the title that has them apart", async () => {
  const mention = "Set it with ResponseField. A ResponseField has a name.";
  const ask = await searcher([
    page("Fields", { keywords: ["ResponseField"], sections: sections(mention) }),
    page("Response fields", { sections: sections(`${mention} ${filler}`) }),
  ]);
  assert.equal(titlesOf(await ask("ResponseField"))[0], "Response fields");
});

test("a page with several sections about a word beats one that mentions it once", async () => {
  const text = "A lease ends on its own.";
  const ask = await searcher([
    page("First", { sections: sections("", ["Terms", text], ["Colors", filler], ["Shapes", filler]) }),
    page("Second", { sections: sections("", ["Times", text], ["Costs", `${text} ${filler}`], ["Ends", text]) }),
  ]);
  assert.equal((await ask("lease")).hits[0]?.href.split("#")[0], "second.html");
});

test("words match in other forms", async () => {
  const ask = await searcher([
    page("Caching answers", { sections: sections("Keep them.") }),
    page("Answer times", { sections: sections("An answer takes a second.") }),
    page("Running tasks", { sections: sections("They run.") }),
    page("Task lists", { sections: sections("A task is on a list.") }),
  ]);
  assert.equal(titlesOf(await ask("cached answer"))[0], "Caching answers");
  assert.equal(titlesOf(await ask("run task"))[0], "Running tasks");
});

test("Russian words match in other cases", async () => {
  const ask = await searcher([
    page("Секретная фраза", { sections: sections("Её знаете только вы.") }),
    page("Награды", { sections: sections("Комиссии делятся на части.") }),
    page("Кошелёк", { sections: sections("Он нужен для входа.") }),
  ]);
  assert.equal(titlesOf(await ask("у меня просят секретную фразу"))[0], "Секретная фраза");
  assert.deepEqual(titlesOf(await ask("без наград и комиссий")), ["Награды"]);
});

test("a short word does not match another one that is its beginning", async () => {
  const ask = await searcher([
    page("The log", { sections: sections("Each change is a line of the log.") }),
    page("Theme", { sections: sections(filler, ["Logo", "A file."]) }),
    page("Menu", { sections: sections("A menu opens.") }),
  ]);
  assert.equal(titlesOf(await ask("logo change"))[0], "Logo");
  assert.deepEqual(titlesOf(await ask("menus ")), ["Menu"]);
});

describe("paraphrases", () => {
  const ask = searcher([
    page("Remove a member", { sections: sections(`Removing takes a second. ${filler}`) }),
    page("Installation", { sections: sections(`Unpack the box. ${filler}`) }),
    page("Sets", { sections: sections(`A set of numbers. ${filler}`) }),
    page("Member list", { sections: sections(`Every member. ${filler}`) }),
    page("Verification of an address", { sections: sections(`It takes a second. ${filler}`) }),
    page("Address book", { sections: sections(`Every address. ${filler}`) }),
    page("Return a value", { sections: sections(`Functions return values. ${filler}`) }),
    page("Repeat a job", { sections: sections(`Start it a second time. ${filler}`) }),
    page("Erase a disk", { sections: sections(`Nothing is kept. ${filler}`) }),
    page("Clear the desk", { sections: sections(`Delete nothing. ${filler}`) }),
    page("Get a ticket", { sections: sections(`At the counter. ${filler}`) }),
    page("Find and sort", { sections: sections(`Find what is needed: a ticket, a list, a way. ${filler}`) }),
  ]);
  const cases = [
    ["a word is found by one that means the same", "delete member", "Remove a member"],
    ["a verb and its particle count as one word", "set up", "Installation"],
    ["a verb finds its noun", "verify address", "Verification of an address"],
    ["a word with a known meaning is not corrected", "rerun", "Repeat a job"],
    ["a verb of every question says little", "where do I find my ticket", "Get a ticket"],
  ] as const;
  for (const [rule, query, title] of cases)
    test(rule, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));

  test("the word itself beats one that means the same", async () => {
    const pages = ["Erase", "Delete"].map((title) => page(title, { sections: sections(filler) }));
    const both = await searcher(pages);
    assert.deepEqual(titlesOf(await both("delete")), ["Delete", "Erase"]);
    assert.deepEqual(titlesOf(await both("erase")), ["Erase", "Delete"]);
  });
  test("a rare word beats a frequent one that means the same", async () => {
    const frequent = Array.from({ length: 30 }, (_, n) => page(`Remove item ${n}`, { sections: sections(filler) }));
    const rare = page("Cleaning", { sections: sections(filler, ["Other", "Erase it."]) });
    assert.equal(titlesOf(await (await searcher([...frequent, rare]))("erase"))[0], "Other");
  });
});

describe("an endpoint as typed", () => {
  const ask = searcher([
    page("Runs", { sections: sections("POST /runs starts one, POST /runs waits.", ["By hand", "POST /runs"]) }),
    page("Start one", { href: "start.html", marker: "POST", sections: sections(`${filler} POST /v1/runs ${filler}`) }),
    page("All of them", { href: "list.html", marker: "GET", sections: sections(`${filler} GET /v1/runs ${filler}`) }),
    page("Wait", { href: "wait.html", marker: "GET", sections: sections("GET /v1/runs/wait waits.") }),
  ]);
  const cases = [
    ["is the page of its operation", "POST /runs", "start.html"],
    ["may be in small letters and have a slash at its end", "get /v1/runs/", "list.html"],
  ] as const;
  for (const [rule, query, href] of cases)
    test(rule, async () => assert.equal((await (await ask)(query)).hits[0]?.href, href));
});

test("words of German questions count less than what is asked about", async () => {
  const ask = await searcher([
    page("Konto", { sections: sections("Nur lesen, ohne dass noch mehr geht.") }),
    page("Probe", { sections: sections(`${filler} Was nach einem Test geschieht. ${filler}`) }),
  ]);
  assert.equal(titlesOf(await ask("nur ein Test, ohne zu bezahlen"))[0], "Probe");
});

describe("a query in Portuguese or Spanish", () => {
  const ask = searcher([
    page("Instalação", { sections: sections(filler) }),
    page("Linux", { sections: sections("Instale o pacote. Para instalar de novo, apague o antigo.") }),
    page("Excluir um produto", { sections: sections(filler) }),
    page("Produção", { sections: sections(filler) }),
    page("Testes", { sections: sections("Ir da produção para os testes.") }),
  ]);
  const cases = [
    ["a verb is found as a noun", "instalar", "Instalação"],
    ["a word has synonyms", "apagar produto", "Excluir um produto"],
    ["a verb such as to go says little", "ir para produção", "Produção"],
  ] as const;
  for (const [rule, query, title] of cases)
    test(rule, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));
});

describe("guides and API operations", () => {
  const ask = searcher([
    page("Resume a run", { href: "operation.html", marker: "POST", sections: sections("It starts at once.") }),
    page("Resume a run by hand", { href: "guide.html", sections: sections("It starts at once.") }),
    page("Run resumed", { href: "webhook.html", marker: "WEBHOOK", sections: sections("A run resumes.") }),
    page("A resumed run by hand", { href: "events.html", sections: sections("A run resumes.") }),
  ]);
  const cases = [
    ["a guide answers a question", "resume run later", "guide.html"],
    ["a guide comes before a webhook", "run resumed later", "events.html"],
    ["an operation answers its exact title", "resume a run", "operation.html"],
    ["an operation answers a question about the API", "resume run later api", "operation.html"],
  ] as const;
  for (const [rule, query, href] of cases)
    test(rule, async () => assert.equal((await (await ask)(query)).hits[0]?.href, href));
});

test("a section that many pages repeat is shown once and counts less", async () => {
  const header = ["Authorization", "Bearer token of the API."] as const;
  const endpoints = Array.from({ length: 20 }, (_, n) => page(`Endpoint ${n}`, { sections: sections(filler, header) }));
  const ask = await searcher([
    ...endpoints,
    page("Tokens", { sections: sections("", ["API tokens", "A bearer token."]) }),
  ]);
  const titles = titlesOf(await ask("authorization bearer token api"));
  assert.equal(titles.filter((title) => title === "Authorization").length, 1);
  assert.ok(titles.includes("API tokens"));
});

describe("products and copies", () => {
  const install = "Download the archive, unpack it, and start the program with your key.";
  const pages = [
    page("Install", {
      href: "one/install.html",
      trail: ["One"],
      sections: sections(`${install} Then open the first window.`),
    }),
    page("Install", {
      href: "two/install.html",
      trail: ["Two"],
      sections: sections(`${install} Then open the second window.`),
    }),
    page("Install", {
      href: "three/install.html",
      sections: sections("Ask your administrator for a chair and a table."),
    }),
    page("Install it", { href: "two/other.html", sections: sections(install) }),
  ];
  const ask = searcher(pages, [1, 2, 0, 2]);
  const hrefs = async (product?: number) => (await (await ask)("install", product)).hits.map(({ href }) => href);

  test("of copies in several products, the one in the reader's product is shown", async () => {
    assert.deepEqual((await hrefs(1)).slice(0, 1), ["one/install.html"]);
    assert.deepEqual((await hrefs(2)).slice(0, 1), ["two/install.html"]);
    for (const product of [0, 1, 2])
      assert.equal((await hrefs(product)).filter((href) => /(one|two)\/install/.test(href)).length, 1);
  });
  test("a reader may search one product, with the pages that belong to no product", async () => {
    const index = await openIndex(await indexOf(pages, undefined, [1, 2, 0, 2]));
    const { hits } = await search([index], "install", 1, true);
    assert.deepEqual(hits.map(({ href }) => href).sort(), ["one/install.html", "three/install.html"]);
  });
  test("pages of one name with different texts are not copies", async () =>
    assert.ok((await hrefs(1)).includes("three/install.html")));
  test("other pages come before a further copy, which has another section", async () => {
    const copy = (product: string, heading: string) =>
      page("Agent", {
        href: `${product}/agent.html`,
        sections: sections(filler, [heading, "How many old messages the agent remembers."]),
      });
    const ask = await searcher([
      copy("cloud", "Memory of an agent"),
      copy("server", "Remember old messages"),
      page("Chatbot", { href: "chatbot.html", sections: sections("How many old messages it remembers: ten.") }),
    ]);
    const { hits } = await ask("how many old messages does an agent remember");
    assert.equal(
      hits.findIndex(({ href }) => href === "chatbot.html"),
      1,
    );
    assert.equal(new Set(hits.map(({ href }) => href.replace(/#.*/, ""))).size, 3);
  });
  test("the reader's product comes before a better match in another", async () => {
    const ask = await searcher(
      [
        page("Events", { href: "one.html", sections: sections("", ["Retries", "Every minute."]) }),
        page("Retries", { href: "two.html", sections: sections("Never.") }),
      ],
      [1, 2],
    );
    assert.equal((await ask("retries", 1)).hits[0]?.href, "one.html#s1");
    assert.equal((await ask("retries", 2)).hits[0]?.href, "two.html");
    assert.equal((await ask("retries")).hits[0]?.href, "two.html");
  });
});

describe("Chinese and Japanese", () => {
  const ask = searcher([
    page("安装指南", { sections: sections("下载并安装软件。", ["网络设置", "配置服务器的网络连接。"]) }),
    page("繁體說明", { href: "tw.html", sections: sections("這個頁面說明資料庫與網域。") }),
    page("設定", { href: "ja.html", sections: sections("メニューから設定を開きます。") }),
    page("概述", { href: "overview.html", sections: sections("关于设备与安全的全部装置。") }),
  ]);
  const cases = [
    // A query in …                     query      first result
    ["two characters", "安装", "安装指南"],
    ["traditional characters", "安裝", "安装指南"],
    ["traditional characters in a text", "網絡連接", "网络设置"],
    ["simplified characters of a traditional text", "资料库", "繁體說明"],
    ["two Japanese characters", "設定", "設定"],
  ] as const;
  for (const [rule, query, title] of cases)
    test(`a query in ${rule}`, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));

  test("the table of characters is only in an index of Chinese", async () => {
    const files = async (title: string, text: string) => [
      ...(await indexOf([page(title, { sections: sections(text) })])).keys(),
    ];
    const hasTable = async (title: string, text: string) =>
      (await files(title, text)).some((path) => path.includes("/0/z."));
    assert.equal(await hasTable("安装指南", "下载并安装软件。"), true);
    assert.equal(await hasTable("設定", "メニューから設定を開きます。"), false);
    assert.equal(await hasTable("Setup", "Open the menu."), false);
  });

  test("the other spelling is highlighted", async () => {
    const { marks } = await (await ask)("網絡");
    assert.ok(marks.words.has("网络"));
  });
});

describe("a sentence", () => {
  const scattered = ["An archived report.", "The legend.", "Other colours.", "A chart."].join(
    ` ${filler.slice(0, 98)}`,
  );
  const ask = searcher([
    page("Reports", { sections: sections(scattered) }),
    page("Shapes", {
      sections: sections(`${filler} The legend of an archived chart can have other colours. ${filler}`),
    }),
  ]);

  test("is found where its words are near each other", async () =>
    assert.equal(titlesOf(await (await ask)("does the archived chart get other legend colours"))[0], "Shapes"));

  const apart = "The old key of the team is kept, and the signing of each report is done by hand.";
  const next = "The team signing key is old, kept, and each report by the hand of one is done.";
  const askKeys = searcher([
    page("Reports", { href: "one/a.html", sections: sections(`${filler} ${apart} ${filler}`) }),
    page("Shapes", { href: "one/b.html", sections: sections(`${filler} ${next} ${filler}`) }),
    page("Colours", { href: "one/c.html", sections: sections(`${filler} A legend and a chart. ${filler}`) }),
    page("Borders", { href: "exports/d.html", sections: sections(`${filler} A legend and a chart. ${filler}`) }),
  ]);
  test("is found where its words are next to each other", async () =>
    assert.equal(titlesOf(await (await askKeys)("where is the team signing key"))[0], "Shapes"));
  test("is found in the folder that it names", async () =>
    assert.equal(titlesOf(await (await askKeys)("has an export the legend of the chart"))[0], "Borders"));
  test("is found where a verb has the particle that makes its sense", async () => {
    const ask = await searcher([
      page("Parcels", { sections: sections("Members see a parcel and sign for it. The courier picks up a form.") }),
      page("Entry", { sections: sections("Members sign up for it. They see a form, and a courier picks the parcel.") }),
    ]);
    assert.equal(titlesOf(await ask("how do members sign up by a form of the courier"))[0], "Entry");
    assert.equal(titlesOf(await ask("how do members sign for a form of the courier"))[0], "Parcels");
  });
});

describe("synonyms of a word", () => {
  const synonyms = readSynonyms([
    "note: comment",
    "account: user",
    "accounting: billing",
    "stats: metric",
    "caching: store",
  ]);
  const cases = [
    ["are those of its plural", "notes", ["comment"]],
    ["are not those of a word with the same beginning", "not", []],
    ["are its own if it has an entry", "accounting", ["billing"]],
    ["do not have those of a longer form", "accounts", ["user"]],
    ["are not those of a word that loses the same ending", "states", []],
    ["are those of its form with an ending", "cached", ["store"]],
    ["of a form with an ending are those of the word", "noted", ["comment"]],
  ] as const;
  for (const [rule, word, found] of cases) test(rule, () => assert.deepEqual(synonyms(word), found));
});

test("a synonym counts less for a word that the site has itself", async () => {
  const factorIn = async (text: string): Promise<number> => {
    const index = await openIndex(await indexOf([page("Shop", { sections: sections(text) })]));
    const [query] = parseQuery("voucher ", () => []);
    const { whole } = await expandTerm([index], query!, () => ["gift"]);
    return whole[0]!.find(({ isSynonym }) => isSynonym)!.factor;
  };
  assert.ok((await factorIn("A gift and a voucher.")) < (await factorIn("A gift.")));
});

describe("words that the authors did not write", () => {
  const ask = searcher([
    page("Refunds", { sections: sections("A refund takes five days.") }),
    page("Money", { sections: sections("Money of several currencies.", ["Back to the start", filler]) }),
    page("Gift cards", { sections: sections("A gift of any amount.") }),
    page("Rooms", { sections: sections("Several people take part.") }),
    page("Storage", { sections: sections(`${filler} A message is persisted. ${filler}`) }),
    page("ログ", { sections: sections("実行のログは三十日残ります。") }),
    page("其他", { sections: sections("每月的报告。") }),
    page("价格", { sections: sections("每月的价格。") }),
  ]);
  const cases = [
    ["a phrase has a meaning that neither of its words has", "how do I get my money back", "Refunds"],
    ["a reader's word finds the author's", "make a voucher", "Gift cards"],
    ["a Chinese reader's word finds the author's", "每月的费用", "价格"],
    ["words that everybody uses count less", "several people write, is a message persisted", "Storage"],
  ] as const;
  for (const [rule, query, title] of cases)
    test(rule, async () => assert.equal(titlesOf(await (await ask)(query))[0], title));
});
