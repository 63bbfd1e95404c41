import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createCitationFilter, createEscapeFilter } from "../../src/cli/commands/ask.js";
import type { Environment } from "../../src/cli/environment.js";
import { run } from "../../src/cli/run.js";
import { AnswerFailure } from "../../src/service/assistant/index.js";
import { listen } from "../../src/service/http/index.js";
import { openApiWorld } from "../support/api-world.js";
import { answerWith, scriptedAssistant } from "../support/scripted-assistant.js";
import { waitUntil } from "../support/wait-until.js";

async function openService() {
  const assistant = scriptedAssistant();
  const world = await openApiWorld({}, {}, assistant);
  const { secret: key } = await world.newKey({ kind: "assistant", scopes: [] });
  const { url, close } = await listen({ api: world.api, port: 0, host: "127.0.0.1" });
  onTestFinished(close);
  const printed = { stdout: "", stderr: "" };
  const handlers = new Map<string, () => void>();
  const writer = (name: "stdout" | "stderr") => ({
    write(text: string): void {
      printed[name] += text;
    },
    on() {},
  });
  const environment = {
    stdout: writer("stdout"),
    stderr: writer("stderr"),
    env: { OFFPRINT_DATA: mkdtempSync(join(tmpdir(), "ask-")) },
    platform: "linux",
    on(name: string, handler: () => void) {
      handlers.set(name, handler);
      return environment;
    },
    off: () => environment,
  };
  const ask = async (...words: readonly string[]) => {
    Object.assign(printed, { stdout: "", stderr: "" });
    const code = await run(["ask", "docs.acme.com", ...words, "--service", url], environment as unknown as Environment);
    return { code, ...printed };
  };
  return { ...assistant, ask, key, printed, interrupt: () => handlers.get("SIGINT")!(), store: world.store };
}

test("offprint ask prints the answer with numbers as citations, and its sources, without control characters", async () => {
  const { ask, key, settings, asked } = await openService();
  settings.script = () =>
    answerWith("It needs\u001b[2J **Node 22** [", "1](https://docs.acme.com", "/guides/install#requirements).");
  const sources = "\nSources\n  [1] Install  https://docs.acme.com/guides/install#requirements\n";
  const stdout = `It needs[2J **Node 22** [1].\n${sources}`;
  expect(await ask("Which", "Node?", "--key", key)).toEqual({ code: 0, stdout, stderr: "" });
  expect(asked[0]!.text).toBe("Which Node?");
  const { code, stdout: lines } = await ask("Which Node?", "--key", key, "--json");
  const types = lines
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { readonly type: string }).type);
  expect([code, types.slice(0, 2), types.at(-1)]).toEqual([0, ["start", "start-step"], "finish"]);
});

test("a failure is printed, and ends with exit code 3", async () => {
  const { ask, key, settings } = await openService();
  settings.script = async function* () {
    yield { kind: "text", text: "It " };
    throw new AnswerFailure("The model is overloaded.");
  };
  const failed = { code: 3, stdout: "It \n", stderr: "offprint: The model is overloaded.\n" };
  expect(await ask("Which Node?", "--key", key)).toEqual(failed);
  expect(await ask("Which Node?", "--key", "svc_dsc_none")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("(401): This API key does not exist."),
  });
  expect(await ask("Which Node?")).toMatchObject({ code: 2, stderr: expect.stringContaining("--key") });
});

test("an interruption stops the answer in the service, too", async () => {
  const { ask, key, settings, interrupt, printed } = await openService();
  let isAborted = false;
  settings.script = async function* (_question, signal) {
    yield { kind: "text", text: "Half an " };
    await sleep(60_000, undefined, { signal }).catch(() => {
      isAborted = true;
    });
  };
  const asking = ask("Which Node?", "--key", key);
  await waitUntil("the first text", () => printed.stdout.includes("Half an"));
  interrupt();
  expect((await asking).code).toBe(130);
  await waitUntil("the end upstream", () => isAborted);
});

test("the question waits for the first export of the site", async () => {
  const { ask, key, settings } = await openService();
  const { index } = settings;
  settings.index = undefined;
  setTimeout(() => {
    settings.index = index;
  }, 500);
  const { code, stderr } = await ask("Which Node?", "--key", key);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/no finished export yet.*Waiting\.\n$/)]);
});

const texts: readonly (readonly [parts: readonly string[], shown: string])[] = [
  [["See [1](https://a.b/c#d)[2](https://a.b)."], "See [1][2]."],
  [["See [", "12", "](https://a.b/c_(d)", ")", "."], "See [12]."],
  [["a[0](", "i)"], "a[0]"],
  [["[docs](https://a.b) and [x"], "[docs](https://a.b) and [x"],
  [["list [1"], "list [1"],
];

for (const [parts, shown] of texts)
  test(`citations are shortened in ${JSON.stringify(parts)}`, () => {
    const filter = createCitationFilter();
    expect(parts.map((part) => filter.add(part)).join("") + filter.end()).toBe(shown);
  });

test("escapes of Markdown are printed without their backslash, those in code as they are", () => {
  const cases = [
    ["1\\. Set snake\\_case\\\\ to \\[x\\]", "1. Set snake_case\\ to [x]"],
    ["a\\b and C:\\Users", "a\\b and C:\\Users"],
    ["`\\.` and ``a`\\.`` but \\.", "`\\.` and ``a`\\.`` but ."],
    ["a ` lone\\.\n\nNext\\.", "a ` lone\\.\n\nNext."],
    ["\n```js\n\n/\\./\n```\nNext\\.", "\n```js\n\n/\\./\n```\nNext."],
    ["\n~~~\n\\.`\n~~~\nNext\\.", "\n~~~\n\\.`\n~~~\nNext."],
  ] as const;
  for (const [text, plain] of cases) {
    const whole = createEscapeFilter();
    expect(whole.add(text) + whole.end()).toBe(plain);
    if (text.includes("~")) continue;
    const cut = createEscapeFilter();
    expect(Array.from(text, (each) => cut.add(each)).join("") + cut.end()).toBe(plain);
  }
});
