import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { llamaAddon } from "../../../../scripts/llama-cpp.js";
import { createModelAnswerer } from "../../../../src/service/assistant/model/model-answerer.js";
import { randomGguf } from "./random-gguf.js";
import { collected, indexOf, passage, question, textOf } from "./scripted-index.js";

const script = fileURLToPath(new URL("llama-server.js", import.meta.url));

// The model says noise: its understanding is tested with scripted models.
describe.skipIf(llamaAddon === undefined || !existsSync(llamaAddon))("llama.cpp with a random model", () => {
  let server: ChildProcessByStdio<null, Readable, null>;
  let lines: AsyncIterator<string>;
  let url = "";
  const line = async (): Promise<string> => (await lines.next()).value as string;
  const answererWith = (maxAnswerTokens: number) =>
    createModelAnswerer({ provider: "openai", url, model: "noise", maxAnswerTokens });
  const index = indexOf([passage("/install", "node", "Acme needs Node 22.")]);

  beforeAll(async () => {
    const model = join(mkdtempSync(join(tmpdir(), "offprint-llama-")), "noise.gguf");
    writeFileSync(model, randomGguf());
    server = spawn(process.execPath, [script, llamaAddon!, model], { stdio: ["ignore", "pipe", "inherit"] });
    lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    url = `http://127.0.0.1:${await line()}/v1`;
  });
  afterAll(() => void server.kill());

  test("streams its tokens, and reports how many they are", async () => {
    const answer = answererWith(300).answer(question("How do I install Acme?"), index, new AbortController().signal);
    const events = await collected(answer);
    const { promptTokens, completionTokens } = JSON.parse(await line());
    expect(completionTokens).toBeGreaterThan(0);
    expect(events.at(-1)).toMatchObject({ kind: "end", usage: { promptTokens, completionTokens } });
    expect(events.filter(({ kind }) => kind === "text").length).toBeGreaterThan(5);
    expect(textOf(events)).not.toBe("");
  });

  test("stops before it has answered when the reader leaves", async () => {
    const controller = new AbortController();
    let hasLeft = false;
    const answer = answererWith(5000).answer(question("How do I install Acme?"), index, controller.signal);
    await expect(async () => {
      for await (const event of answer)
        if (event.kind === "text" && !hasLeft) {
          hasLeft = true;
          controller.abort();
        }
    }).rejects.toMatchObject({ name: "AbortError" });
    const { completionTokens, isLeft } = JSON.parse(await line());
    expect(isLeft).toBe(true);
    expect(completionTokens).toBeLessThan(4000);
  });
});
