/** What the API receives from a filled form: every style, every kind of body, every security scheme. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, test } from "vitest";
import { findChromium } from "../../support/browser.js";
import { patienceMs } from "../../support/patience.js";
import { actsAsReader } from "../../support/shared-browser.js";
import type { Arrival } from "./api.js";
import { playgroundStage } from "./in-browser.js";
import { pathCases } from "./site.js";

const chromium = findChromium();

describe.skipIf(chromium === undefined)("a request of the playground", actsAsReader, () => {
  const stage = playgroundStage(chromium);
  const { open, field, unfold, send, sample } = stage;
  const page = () => stage.page();
  const about = async () => (await page().locator(".playground-fields").textContent()) ?? "";
  const fillList = async (name: string, values: readonly string[]): Promise<void> => {
    const group = await unfold(name);
    for (const [i, value] of values.entries()) {
      await group.getByRole("button", { name: "Add item" }).click();
      await group.locator(".playground-item").nth(i).locator("input, textarea").fill(value);
    }
  };
  const fillPlace = async (name: string, lat: string, tag: string): Promise<void> => {
    const group = await unfold(name);
    await group.getByLabel("lat", { exact: true }).fill(lat);
    await group.getByLabel("tag", { exact: true }).fill(tag);
  };

  const paths: Readonly<Record<string, string>> = {
    simple: "a%2Fb/x,y%2Cz/lat,1.5,tag,t",
    "simple-explode": "a%2Fb/x,y%2Cz/lat=1.5,tag=t",
    label: ".a%2Fb/.x,y%2Cz/.lat,1.5,tag,t",
    "label-explode": ".a%2Fb/.x.y%2Cz/.lat=1.5.tag=t",
    matrix: ";one=a%2Fb/;many=x,y%2Cz/;deep=lat,1.5,tag,t",
    "matrix-explode": ";one=a%2Fb/;many=x;many=y%2Cz/;lat=1.5;tag=t",
  };
  for (const style of pathCases)
    test(`writes a path in the style ${style}`, async () => {
      await open(`api-reference/path-${style}`);
      await field("one").fill("a/b");
      await fillList("many", ["x", "y,z"]);
      await fillPlace("deep", "1.5", "t");
      const { url, method } = await send();
      assert.equal(method, "GET");
      assert.equal(url, `/v1/in-path/${style}/${paths[style]}`);
    });

  test("writes a query in every style, headers, and keeps 0 and false", async () => {
    await open("api-reference/query-styles");
    await field("plain").fill("a b&c=ü");
    await field("count").fill("0");
    await field("flag").selectOption({ label: "false" });
    await fillList("spread", ["x", "y,z"]);
    await fillList("joined", ["x", "y,z"]);
    await fillList("spaced", ["x", "y"]);
    await fillList("piped", ["x", "y"]);
    await fillPlace("at", "1", "t");
    await unfold("loose");
    await field("x").fill("1");
    await unfold("filter");
    await field("name").fill("ada");
    await fillPlace("in", "2", "u");
    await field("free").fill("/a?b:c&d");
    await fillPlace("json", "3", "v");
    await field("X-Trace").fill("123e4567-e89b-12d3-a456-426614174000");
    await fillList("X-Many", ["p", "q"]);
    assert.equal(await field("Host").count(), 0, "the client writes it");
    await field("session").fill("s1");
    const { url, headers } = await send();
    assert.deepEqual(url.split(/[?&]/), [
      "/v1/in-query",
      "plain=a%20b%26c%3D%C3%BC",
      "count=0",
      "flag=false",
      "spread=x",
      "spread=y%2Cz",
      "joined=x,y%2Cz",
      "spaced=x%20y",
      "piped=x%7Cy",
      "at=lat,1,tag,t",
      "x=1",
      "filter%5Bname%5D=ada",
      "filter%5Bin%5D%5Blat%5D=2",
      "filter%5Bin%5D%5Btag%5D=u",
      "free=/a",
      "b:c%26d",
      "json=%7B%22lat%22%3A3%2C%22tag%22%3A%22v%22%7D",
    ]);
    assert.equal(headers["x-trace"], "123e4567-e89b-12d3-a456-426614174000");
    assert.equal(headers["x-many"], "p,q");
    assert.equal(headers["host"], new URL(stage.api().url).host);
    assert.equal(headers["cookie"], undefined);
    const shown = await sample();
    assert.match(shown, /--header 'Cookie: session=s1'/);
  });

  test("sends JSON as the whole query", async () => {
    await open("api-reference/whole-query");
    await fillPlace("filter", "3", "a b");
    const { url } = await send();
    assert.equal(url, "/v1/whole-query?%7B%22lat%22%3A3%2C%22tag%22%3A%22a%20b%22%7D");
  });

  test("sends the JSON of a form, also null and numbers with many digits", async () => {
    await open("api-reference/people/create-a-person");
    await field("name").fill("Ada");
    await field("email").fill("ada@example.com");
    await field("age").fill("36");
    await field("role").selectOption({ label: "editor" });
    await page().locator(".playground-null").first().click();
    await field("active").selectOption({ label: "false" });
    await fillList("tags", ["x", "y"]);
    await unfold("address");
    await field("city").fill("London");
    const contact = page().locator(".playground-union").filter({ hasText: "contact" });
    await contact.getByLabel("contact").selectOption({ label: "Post" });
    await contact.getByLabel("street").fill("Main street");
    await unfold("labels");
    await page().getByRole("button", { name: "Add property" }).click();
    await page().getByPlaceholder("Name", { exact: true }).fill("__proto__");
    await page().locator(".playground-free .playground-field input").fill("7");
    const manager = await unfold("manager");
    await manager.getByLabel("name", { exact: true }).fill("Grace");
    await manager.getByLabel("email", { exact: true }).fill("g@example.com");
    await manager.getByLabel("role", { exact: true }).selectOption({ label: "admin" });
    await page().getByLabel("big", { exact: true }).last().fill("12345678901234567890");
    const { body, headers, method } = await send();
    assert.equal(method, "POST");
    assert.equal(headers["content-type"], "application/json");
    const sent = body.toString("utf8");
    assert.match(sent, /"big": 12345678901234567890/);
    assert.match(sent, /"labels": \{\s+"__proto__": 7\s+\}/);
    const { big: _, labels: __, ...rest } = JSON.parse(sent) as Record<string, unknown>;
    assert.deepEqual(rest, {
      name: "Ada",
      email: "ada@example.com",
      age: 36,
      role: "editor",
      nickname: null,
      active: false,
      tags: ["x", "y"],
      address: { city: "London" },
      contact: { street: "Main street" },
      manager: { name: "Grace", email: "g@example.com", role: "admin" },
    });
  });

  test("sends the option of a discriminator that is chosen, and shows it in the sample", async () => {
    await open("api-reference/add-a-pet");
    await field("lives").fill("9");
    const cat = JSON.parse((await send()).body.toString());
    assert.deepEqual(cat, { kind: "feline", lives: 9 });
    assert.match(await sample(), /"feline"/);
    await page().locator(".playground-union select").first().selectOption({ label: "Dog" });
    assert.equal(await field("lives").count(), 0);
    await field("trick").fill("roll");
    assert.deepEqual(JSON.parse((await send()).body.toString()), { kind: "Dog", trick: "roll" });
    const shown = await sample();
    assert.match(shown, /"Dog"[\s\S]*"roll"/);
    assert.doesNotMatch(shown, /feline|lives/);
  });

  test("sends the fields of a page that describes its endpoint with components", async () => {
    await open("by-hand");
    await field("Authorization").fill("t");
    await field("id").fill("7");
    await field("limit").fill("0");
    await field("name").fill("Ada");
    await fillList("tags", ["x"]);
    const { url, headers, body } = await send();
    assert.deepEqual([url, headers["authorization"]], ["/by-hand/7?limit=0", "Bearer t"]);
    assert.deepEqual(JSON.parse(body.toString()), { name: "Ada", tags: ["x"] });
  });

  test("sends JSON as typed", async () => {
    await open("api-reference/people/create-a-person");
    await page().getByRole("button", { name: "JSON", exact: true }).click();
    await page().locator("textarea.playground-code").fill('{"name":"Ada","email":"a@b.c","role":"admin","x":1e3}');
    assert.equal((await send()).body.toString(), '{"name":"Ada","email":"a@b.c","role":"admin","x":1e3}');
  });

  test("sends a form with the styles of its fields", async () => {
    await open("api-reference/send-a-form");
    await field("name").fill("a b&c");
    await fillList("tags", ["x", "y"]);
    await fillPlace("at", "1", "t");
    await fillPlace("deep", "2", "u");
    const { body, headers } = await send();
    assert.equal(headers["content-type"], "application/x-www-form-urlencoded");
    assert.deepEqual(
      [...new URLSearchParams(body.toString())],
      [
        ["name", "a b&c"],
        ["tags", "x"],
        ["tags", "y"],
        ["at", '{"lat":1,"tag":"t"}'],
        ["deep[lat]", "2"],
        ["deep[tag]", "u"],
      ],
    );
  });

  test("sends a multipart form with files", async () => {
    await open("api-reference/send-parts");
    const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await field("title").fill("Über");
    await page().locator('input[type="file"]').first().setInputFiles(file("one.txt", "first"));
    await unfold("more");
    await page().getByRole("button", { name: "Add item" }).click();
    await page().locator('.playground-item input[type="file"]').setInputFiles(file("two.txt", "second"));
    await fillPlace("about", "1", "t");
    const { body, headers } = await send();
    const type = headers["content-type"] as string;
    assert.match(type, /^multipart\/form-data; boundary=/);
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    assert.deepEqual([...form.keys()], ["title", "file", "more", "about"]);
    assert.equal(form.get("title"), "Über");
    const [one, two] = [form.get("file") as File, form.get("more") as File];
    assert.deepEqual([one.name, one.type, await one.text()], ["one.txt", "text/plain", "first"]);
    assert.deepEqual([two.name, await two.text()], ["two.txt", "second"]);
    assert.equal(form.get("about"), '{"lat":1,"tag":"t"}');
    assert.match(body.toString(), /name="about"\r\nContent-Type: application\/json/);
    assert.match(await sample(), /--form 'file=@one\.txt'/);
  });

  test("sends the parts of a list without names", async () => {
    await open("api-reference/send-parts-in-a-row");
    const add = page().getByRole("button", { name: "Add item" });
    await add.click();
    await fillPlace("1", "1", "t");
    await add.click();
    const buffer = Buffer.from("a file");
    await page().locator("input[type=file]").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer });
    const { body, headers } = await send();
    const [, boundary] = /^multipart\/mixed; boundary=(\S+)$/.exec(`${headers["content-type"]}`)!;
    assert.deepEqual(body.toString().split(`--${boundary}`), [
      "",
      '\r\nContent-Type: application/vnd.place+json\r\n\r\n{"lat":1,"tag":"t"}\r\n',
      "\r\nContent-Type: text/plain\r\n\r\na file\r\n",
      "--\r\n",
    ]);
    const shown = await sample();
    assert.match(shown, /printf '%b'[\s\S]*\{"lat":1,"tag":"t"\}[\s\S]*<a\.txt>[\s\S]*--data-binary @-/);
    assert.ok(shown.includes(`multipart/mixed; boundary=${boundary}`));
  });

  test("sends text and bytes unchanged", async () => {
    await open("api-reference/send-text");
    await page().locator("textarea.playground-code").fill("one\ntwo");
    const text = await send();
    assert.deepEqual([text.headers["content-type"], text.body.toString()], ["text/plain", "one\ntwo"]);
    await open("api-reference/send-bytes");
    const buffer = Buffer.from([0, 255, 1, 254]);
    await page().locator('input[type="file"]').setInputFiles({ name: "x.bin", mimeType: "", buffer });
    const bytes = await send();
    assert.deepEqual([bytes.method, bytes.headers["content-type"]], ["PUT", "application/octet-stream"]);
    assert.deepEqual(bytes.body, buffer);
  });

  test("sends the typed body if the specification does not describe it", async () => {
    await open("api-reference/send-anything");
    await page().locator("textarea").first().fill("[1, {}]");
    assert.deepEqual(JSON.parse((await send()).body.toString()), [1, {}]);
  });

  test("copies a curl command that sends the same request", async () => {
    await stage.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const folder = mkdtempSync(join(tmpdir(), "offprint-curl-"));
    writeFileSync(join(folder, "one.txt"), "first");
    const both = async (path: string, fill: () => Promise<void>): Promise<void> => {
      await open(path);
      await fill();
      const sent = await send();
      const withCredentials = page().getByLabel("Include credentials");
      if (await withCredentials.isVisible()) await withCredentials.check();
      await page().click(".playground-panel-head > .playground-icon");
      const command = await page().evaluate(() => navigator.clipboard.readText());
      await promisify(execFile)("sh", ["-c", command], { cwd: folder, timeout: patienceMs });
      assert.deepEqual(await essence(stage.api().arrivals.at(-1)!), await essence(sent), command);
    };
    await both("api-reference/query-styles", async () => {
      await field("plain").fill('it\'s "a" $b `c` \\ ü & #');
      await field("free").fill("/a?b:c[0]&d");
      await unfold("filter");
      await field("name").fill("a]b");
      await field("X-Trace").fill("123e4567-e89b-12d3-a456-426614174000");
    });
    await both("api-reference/people/create-a-person", async () => {
      await field("Authorization").fill("t'o\"k");
      await page().getByRole("button", { name: "JSON", exact: true }).click();
      await page().locator("textarea.playground-code").fill('{"name": "it\'s\\n@x", "big": 12345678901234567890}');
    });
    await both("api-reference/send-a-form", async () => {
      await field("name").fill("a=b&c +%");
      await fillPlace("deep", "2", "@x");
    });
    await both("api-reference/send-parts", async () => {
      await field("title").fill('@no; type=x "y"');
      const file = { name: "one.txt", mimeType: "text/plain", buffer: Buffer.from("first") };
      await page().locator('input[type="file"]').first().setInputFiles(file);
      await fillPlace("about", "1", 'semi;colon "quoted" \\ back');
    });
    await both("api-reference/send-text", () => page().locator("textarea.playground-code").fill("@one\ntwo"));
    rmSync(folder, { recursive: true, force: true });
  });

  const schemes = [
    // way            what is typed               what arrives                                      where
    ["bearer", ["secret"], ["authorization", "Bearer secret"]],
    ["basic", ["ada", "pässword"], ["authorization", `Basic ${Buffer.from("ada:pässword").toString("base64")}`]],
    ["digest", ['username="x"'], ["authorization", 'Digest username="x"']],
    ["keyInHeader", ["k1"], ["x-api-key", "k1"]],
    ["oauth", ["Bearer t0k3n"], ["authorization", "Bearer t0k3n"]],
    ["openId", ["t"], ["authorization", "Bearer t"]],
  ] as const;
  test("keeps the digits of long numbers, from a named example to the response", async () => {
    await open("api-reference/numbers-of-many-digits");
    const examples = page().getByLabel("Use example");
    assert.deepEqual(await examples.locator("option").allTextContents(), ["Use example", "First entry", "next"]);
    await examples.selectOption({ label: "next" });
    assert.match((await send()).body.toString(), /"deep": \[\s*12345678901234567890\s*\]/);
    await examples.selectOption({ label: "First entry" });
    await field("id").fill("9007199254740995");
    assert.match((await send()).body.toString(), /"id": 9007199254740995,\s*"any": 12345678901234567890/);
    assert.match((await page().locator(".playground-response").textContent()) ?? "", /9007199254740993/);
    await page().getByRole("button", { name: "JSON", exact: true }).click();
    assert.match(
      await page().locator("textarea.playground-code").inputValue(),
      /9007199254740995[\s\S]*12345678901234567890/,
    );
    await page().getByRole("button", { name: "Form", exact: true }).click();
    assert.match((await send()).body.toString(), /9007199254740995[\s\S]*12345678901234567890/);
  });

  test("keeps them in a browser that cannot do so itself", async () => {
    await open("api-reference/numbers-of-many-digits");
    const old = await stage.context().newPage();
    await old.addInitScript(() => {
      const { parse } = JSON;
      const all = JSON as { rawJSON?: unknown; isRawJSON?: unknown };
      delete all.rawJSON;
      delete all.isRawJSON;
      JSON.parse = (text, read) => parse(text, read && ((name, value) => read(name, value)));
    });
    await old.goto(`${page().url().split("?")[0]}?playground=open`);
    await old.getByLabel("Use example").selectOption({ label: "next" });
    await old.getByLabel("id", { exact: true }).fill("9007199254740995");
    await old.click(".playground-bar .playground-send");
    await old.waitForSelector(".playground-facts .playground-status");
    const sent = stage.api().arrivals.at(-1)!.body.toString();
    assert.match(sent, /"id": 9007199254740995,\s*"any": \{\s*"deep": \[\s*12345678901234567890\s*\]/);
    assert.match((await old.locator(".playground-response").textContent()) ?? "", /9007199254740993/);
    await old.getByRole("button", { name: "JSON", exact: true }).click();
    assert.equal(await old.locator("textarea.playground-code").inputValue(), sent);
    await old.locator("select[aria-label=Request]").selectOption({ label: "Python" });
    const shown = (await old.locator(".playground-sample").textContent()) ?? "";
    assert.match(shown, /9007199254740995[\s\S]*12345678901234567890/);
    await old.close();
  });

  test("sends XML and JSON lines as their media types require", async () => {
    await open("api-reference/numbers-of-many-digits");
    for (const [type, text] of [
      [
        "application/xml",
        '<?xml version="1.0" encoding="UTF-8"?>\n<entry id="5">\n  <tags>\n    <tag>a&lt;b</tag>\n  </tags>\n</entry>',
      ],
      ["application/x-ndjson", '{"a":1}\n{"a":2}'],
    ] as const) {
      await page().getByLabel("Content-Type").selectOption({ label: type });
      await page().getByRole("button", { name: "Use example", exact: true }).click();
      const { headers, body } = await send();
      assert.deepEqual([headers["content-type"], body.toString()], [type, text]);
      assert.ok((await sample()).includes(text));
    }
  });

  const xml = (...lines: string[]): string => ['<?xml version="1.0" encoding="UTF-8"?>', ...lines].join("\n");
  const order = (attributes: string, ...lines: string[]): string =>
    xml(`<o:order xmlns:o="https://e.example/o"${attributes}>`, ...lines.map((line) => `  ${line}`), "</o:order>");
  const notation = (name: "Form" | "XML") => page().getByRole("button", { name, exact: true }).click();

  test("writes XML from a form as its keywords say, and reads it back into the form", async () => {
    await open("api-reference/an-order-in-xml");
    await field("number").fill("12345678901234567890");
    await field("paid").selectOption({ label: "true" });
    const items = await unfold("items");
    await items.getByRole("button", { name: "Add item" }).click();
    await (await unfold("1")).getByLabel("size", { exact: true }).fill("1.5");
    await items.getByLabel("label", { exact: true }).fill("a & b");
    await fillList("notes", ["x", "<y>"]);
    await field("card").fill("7");
    const { body, headers } = await send();
    assert.equal(headers["content-type"], "application/xml");
    const filled = order(
      ' no="12345678901234567890"',
      "<paid>true</paid>",
      "<items>",
      '  <item size="1.5">a &amp; b</item>',
      "</items>",
      "<note>x</note>",
      "<note>&lt;y&gt;</note>",
      '<payment card="7" />',
    );
    assert.equal(body.toString(), filled);
    await notation("XML");
    const area = page().locator(".playground-code");
    assert.equal(await area.inputValue(), filled);
    await area.fill(
      '<order no="2" xmlns="https://e.example/o"><note xmlns="">z</note><extra xmlns="">1</extra></order>',
    );
    await notation("Form");
    assert.equal(await field("number").inputValue(), "2");
    assert.equal((await send()).body.toString(), order(' no="2"', "<note>z</note>", "<extra>1</extra>"));
  });

  test("keeps XML that the form cannot represent as text, and explains why invalid text is not XML", async () => {
    await open("api-reference/an-order-in-xml");
    await notation("XML");
    const area = page().locator(".playground-code");
    const fault = page().locator(".playground-fault:not([hidden])");
    const root = 'o:order xmlns:o="https://e.example/o"';
    for (const [text, says] of [
      [`<${root} color="red" />`, /cannot hold all of this XML/],
      [`<${root}><paid>a<b/></paid></o:order>`, /cannot hold all of this XML/],
      ["<order />", /cannot hold all of this XML/],
      [`<!DOCTYPE order [<!ENTITY e "x">]><${root}>&e;</o:order>`, /not XML: <!DOCTYPE order/],
      ["<order>", /not XML: <order>/],
      ["<a>1</b>", /not XML: <\/b>/],
      ["<a>&b;</a>", /not XML: &b;/],
    ] as const) {
      await area.fill(text);
      await notation("Form");
      assert.match((await fault.textContent()) ?? "", says);
    }
    await area.fill(`<${root} color="red" />`);
    assert.equal((await send()).body.toString(), `<${root} color="red" />`);
  });

  test("fills the form with an example of XML, written as data or as text", async () => {
    await open("api-reference/an-order-in-xml");
    const use = (label: string) => page().locator("select[aria-label='Use example']").selectOption({ label });
    await use("data");
    assert.equal((await send()).body.toString(), order(' no="3"', "<note>a&lt;b</note>"));
    await use("sent");
    assert.equal(await field("number").inputValue(), "4");
    await use("strange");
    assert.equal((await send()).body.toString(), "<other><!-- kept --></other>");
  });

  test(`sends credentials by ${schemes.map(([way]) => way).join(", ")}`, async () => {
    await open("api-reference/secured");
    await field("scheme").fill("any");
    for (const [way, typed, [header, value]] of schemes) {
      await page().locator("select[aria-label=Authorizations]").selectOption({ label: way });
      const inputs = page().locator(".playground-section").first().locator(".playground-field input");
      for (const [i, text] of typed.entries()) await inputs.nth(i).fill(text);
      const arrived = await send();
      assert.equal(arrived.headers[header], value);
      const shown = await sample();
      assert.ok(!shown.includes(value), "secrets are not shown");
      assert.match(shown, new RegExp(`--header '${header === "x-api-key" ? "X-Api-Key: " : "Authorization: "}`));
    }
  });

  test("sends credentials in the query and several at once, and says which of them only a program can send", async () => {
    await open("api-reference/secured");
    const ways = page().locator("select[aria-label=Authorizations]");
    await field("scheme").fill("any");
    await ways.selectOption({ label: "keyInQuery" });
    await field("api_key").fill("q&1");
    assert.equal((await send()).url, "/v1/secure/any?api_key=q%261");
    await ways.selectOption({ label: "keyInHeader + keyInQuery" });
    await field("X-Api-Key").fill("h1");
    const both = await send();
    assert.deepEqual([both.url, both.headers["x-api-key"]], ["/v1/secure/any?api_key=q%261", "h1"]);
    await ways.selectOption({ label: "keyInCookie" });
    await field("sid").fill("c1");
    assert.equal((await send()).headers["cookie"], undefined);
    assert.match(await about(), /Browsers do not let a page set cookies/);
    await ways.selectOption({ label: "certificate" });
    assert.match(await about(), /asks for the certificate when it connects/);
    await ways.selectOption({ label: "oauth" });
    assert.match(await about(), /read\s*write/);
    assert.match(await about(), /https:\/\/login\.example\.com\/token/);
    await ways.selectOption({ label: "No authorization" });
    assert.equal((await send()).headers["authorization"], undefined);
  });

  test("sends no key to another host that the API redirects to, unless the reader allows it", async () => {
    const { moved, arrivals } = stage.api();
    const there = stage.elsewhere().arrivals;
    moved.set("/v1/secure/moved", `${stage.elsewhere().url}/taken`);
    await open("api-reference/secured");
    const ways = page().locator("select[aria-label=Authorizations]");
    await field("scheme").fill("moved");
    await ways.selectOption({ label: "keyInHeader" });
    await field("X-Api-Key").fill("k1");
    assert.equal((await send()).headers["x-api-key"], "k1");
    const failure = page().locator(".playground-failure");
    assert.match((await failure.textContent()) ?? "", /redirects this request.* would get X-Api-Key, too/);
    assert.equal(there.length, 0);
    await failure.getByRole("button", { name: "Send anyway" }).click();
    await page().waitForSelector(".playground-facts .playground-status");
    // What browsers do with such a header.
    assert.deepEqual(
      there.map(({ url, headers }) => [url, headers["x-api-key"]]),
      [["/taken", "k1"]],
    );

    // Browsers keep these back themselves, so the redirect is followed.
    await ways.selectOption({ label: "bearer" });
    await field("Authorization").fill("t1");
    assert.equal((await send()).headers["authorization"], "Bearer t1");
    await ways.selectOption({ label: "keyInQuery" });
    await field("api_key").fill("q1");
    assert.equal((await send()).url, "/v1/secure/moved?api_key=q1");
    assert.deepEqual(
      there.slice(1).map(({ url, headers }) => [url, headers["authorization"]]),
      Array(2).fill(["/taken", undefined]),
    );
    moved.clear();
    arrivals.length = 0;
  });

  test("uses the server that its variables select", async () => {
    await open("api-reference/server-variables");
    await field("port").fill(new URL(stage.api().url).port);
    await field("version").selectOption("v2");
    assert.equal((await send()).url, "/v2/regions");
  });

  test("uses server variables set by scripts of the site until they clear them", async () => {
    await stage.visit("api-reference/server-variables");
    const { port } = new URL(stage.api().url);
    const call = (name: string, ...values: unknown[]) =>
      page().evaluate(
        ([method, given]) => {
          const { playground } = (
            window as unknown as { mintlify: { api: { playground: Record<string, (...each: unknown[]) => void> } } }
          ).mintlify.api;
          playground[method]!(...given);
        },
        [name, values] as const,
      );
    await call("setServerVariables", { port, version: "v9" });
    await page().click(".tryit-button");
    assert.equal((await send()).url, "/v9/regions");
    await call("setServerVariables", { version: "v2" });
    assert.equal((await send()).url, "/v2/regions");
    await call("clearServerVariables");
    assert.equal(await field("port").inputValue(), "1");
  });
});

/** The parts of a request that do not depend on the client. */
async function essence({ method, url, headers, body }: Arrival) {
  const type = String(headers["content-type"] ?? "");
  const parts = type.startsWith("multipart/")
    ? await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData()
    : undefined;
  const fields = await Promise.all(
    [...(parts ?? [])].map(async ([name, value]) =>
      typeof value === "string" ? [name, value] : [name, value.name, value.type, await value.text()],
    ),
  );
  const own = ["authorization", "x-trace"].map((name) => headers[name]);
  const isForm = type.startsWith("application/x-www-form-urlencoded");
  const text = isForm ? [...new URLSearchParams(body.toString())] : body.toString();
  return { method, url, own, type: type.split(";")[0], content: parts ? fields : text };
}
