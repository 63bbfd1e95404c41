import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../../src/cli/environment.js";
import { embeddingsOptions, modelOptions } from "../../../src/cli/settings/model.js";

const folder = mkdtempSync(join(tmpdir(), "offprint-model-"));
const keyFile = join(folder, "key");
writeFileSync(keyFile, "sk-1\n");
const empty = join(folder, "empty");
writeFileSync(empty, " \n");

test("without OFFPRINT_MODEL there is no model", () => {
  expect(modelOptions({ OFFPRINT_MODEL: " ", PATH: "/" })).toBeUndefined();
});

test("the name of a model is enough for Ollama on this machine", () => {
  expect(modelOptions({ OFFPRINT_MODEL: "qwen3:4b" })).toEqual({
    provider: "openai",
    model: "qwen3:4b",
    url: "http://localhost:11434/v1",
  });
});

test("every setting of a model is read", () => {
  const env = {
    OFFPRINT_MODEL: "m",
    OFFPRINT_MODEL_URL: "http://vllm.internal:8000/v1/",
    OFFPRINT_MODEL_KEY_FILE: keyFile,
    OFFPRINT_MODEL_ANSWER_TOKENS: "500",
    OFFPRINT_MODEL_PROMPT_TOKENS: "3000",
    OFFPRINT_MODEL_FIRST_TOKEN_SECONDS: "120",
    OFFPRINT_MODEL_TOOLS: "none",
  };
  expect(modelOptions(env)).toEqual({
    provider: "openai",
    model: "m",
    url: "http://vllm.internal:8000/v1",
    key: "sk-1",
    tools: false,
    maxAnswerTokens: 500,
    maxPromptTokens: 3000,
    firstTokenMs: 120_000,
  });
  expect(
    modelOptions({ OFFPRINT_MODEL: "c", OFFPRINT_MODEL_PROVIDER: "anthropic", OFFPRINT_MODEL_KEY_FILE: keyFile }),
  ).toEqual({
    provider: "anthropic",
    model: "c",
    url: "https://api.anthropic.com/v1",
    key: "sk-1",
  });
});

const refused: readonly (readonly [says: RegExp, env: Record<string, string>])[] = [
  [/^OFFPRINT_MODEL_URL has no effect without OFFPRINT_MODEL/, { OFFPRINT_MODEL_URL: "http://localhost/v1" }],
  [/not "google"/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_PROVIDER: "google" }],
  [/not "toString"/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_PROVIDER: "toString" }],
  [/needs OFFPRINT_MODEL_KEY_FILE/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_PROVIDER: "anthropic" }],
  [/must be the URL of an API/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_URL: "localhost:11434" }],
  [/must be the URL of an API/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_URL: "https://a:sk-1@model.example/v1" }],
  [/must be the URL of an API/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_URL: "https://model.example/v1?key=sk-1" }],
  [/cannot be read: ENOENT/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_KEY_FILE: join(folder, "none") }],
  [/a key on one line/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_KEY_FILE: empty }],
  [/must be auto or none, not "off"/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_TOOLS: "off" }],
  [/at least 1000/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_PROMPT_TOKENS: "10" }],
  [/whole number above 0/, { OFFPRINT_MODEL: "m", OFFPRINT_MODEL_ANSWER_TOKENS: "many" }],
];
for (const [says, env] of refused)
  test(`${JSON.stringify(env)} is refused`, () => {
    expect(() => modelOptions(env)).toThrow(UsageError);
    expect(() => modelOptions(env)).toThrow(says);
    expect(() => modelOptions(env)).not.toThrow(/sk-1/);
  });

test("a model of embeddings is read, and its address is checked", () => {
  expect(embeddingsOptions({})).toBeUndefined();
  expect(embeddingsOptions({ OFFPRINT_EMBEDDINGS: "e5" })).toEqual({ model: "e5", url: "http://localhost:11434/v1" });
  expect(
    embeddingsOptions({
      OFFPRINT_EMBEDDINGS: "e5",
      OFFPRINT_EMBEDDINGS_URL: "http://tei:80/v1/",
      OFFPRINT_EMBEDDINGS_KEY_FILE: keyFile,
    }),
  ).toEqual({ model: "e5", url: "http://tei/v1", key: "sk-1" });
  expect(() => embeddingsOptions({ OFFPRINT_EMBEDDINGS_URL: "http://tei/v1" })).toThrow(
    /has no effect without OFFPRINT_EMBEDDINGS/,
  );
  expect(() => embeddingsOptions({ OFFPRINT_EMBEDDINGS: "e5", OFFPRINT_EMBEDDINGS_URL: "tei" })).toThrow(
    /^OFFPRINT_EMBEDDINGS_URL must be the URL/,
  );
});
