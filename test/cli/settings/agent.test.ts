import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../../src/cli/environment.js";
import { agentSettings, operatorForges } from "../../../src/cli/settings/model.js";

const folder = mkdtempSync(join(tmpdir(), "offprint-agent-"));
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test("without OFFPRINT_FORGES_FILE the operator lends no credential", () => {
  expect(operatorForges({ OFFPRINT_FORGES_FILE: " " })).toEqual([]);
});

test("every secret of the service may be pushed by no agent", () => {
  const env = {
    OFFPRINT_CREDENTIALS_KEY_FILE: fileOf("keys", "first-key\nsecond-key\n"),
    OFFPRINT_MODEL: "gpt",
    OFFPRINT_MODEL_KEY_FILE: fileOf("key", "model-key\n"),
    OFFPRINT_OIDC_SECRET_FILE: fileOf("secret", "oidc-secret"),
    OFFPRINT_GIT_SSH_KEY_GIT_ACME_COM: fileOf("ssh-key", "ssh-key\n"),
    OFFPRINT_ADMIN_TOKEN: "admin-token",
    OFFPRINT_METRICS_TOKEN: "metrics-token",
    AWS_SECRET_ACCESS_KEY: "aws-key",
    DATABASE_URL: "postgres://user:database-password@host/name",
    OFFPRINT_PAGE_ASSISTANT_KEY: "svc_dsc_public",
  };
  const { secrets, environment } = agentSettings(env);
  expect([...secrets].sort()).toEqual([
    ...["admin-token", "aws-key", "database-password"],
    ...["first-key", "metrics-token", "model-key", "oidc-secret", "second-key"],
  ]);
  expect(environment).toBe(env);
});

test("the model of the assistant runs agent jobs; worker and API name it alike", () => {
  const env = { OFFPRINT_MODEL: "qwen3:4b", OFFPRINT_MODEL_URL: "http://vllm:8000/v1/" };
  expect(agentSettings(env)).toMatchObject({
    model: "openai/qwen3:4b",
    languageModel: { provider: "openai", model: "qwen3:4b", url: "http://vllm:8000/v1" },
  });
  expect(agentSettings({})).not.toHaveProperty("model");
});

test("a file that cannot be used ends the command, without its tokens", () => {
  const attempt = (path: string) => () => operatorForges({ OFFPRINT_FORGES_FILE: path });
  expect(attempt(join(folder, "none"))).toThrow(UsageError);
  expect(attempt(fileOf("bad", '{"git.acme.com":{"token":"hidden"}}'))).toThrow(
    "the kind of git.acme.com must be one of",
  );
  expect(attempt(fileOf("bad", '{"git.acme.com":{"token":"hidden"}}'))).not.toThrow("hidden");
});
