import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { AgentSettings } from "../service/agent/index.js";
import { type Forges, readForges, secretsOfForge } from "../service/forge/index.js";
import { read } from "./api-settings.js";
import { modelOptions } from "./model-settings.js";
import { UsageError } from "./usage-error.js";

/** What agent jobs may use: without OFFPRINT_FORGES_FILE, no repository; without OFFPRINT_MODEL, no model. @throws {UsageError} if it is invalid. */
export function agentSettings(env: NodeJS.ProcessEnv): AgentSettings {
  const path = read(env, "OFFPRINT_FORGES_FILE");
  const forges = path === undefined ? new Map<string, never>() : forgesIn(path);
  const secrets = [...secretsOf(env), ...[...forges.values()].map(secretsOfForge)];
  const languageModel = modelOptions(env);
  if (languageModel === undefined) return { forges, environment: env, secrets };
  return {
    forges,
    environment: env,
    secrets,
    languageModel,
    model: `${languageModel.provider}/${languageModel.model}`,
  };
}

function forgesIn(path: string): Forges {
  try {
    return readForges(readFileSync(path, "utf8"), (key) => readFileSync(resolve(dirname(path), key), "utf8"));
  } catch (error) {
    throw new UsageError(`OFFPRINT_FORGES_FILE cannot be used: ${(error as Error).message}.`);
  }
}

/** Secrets in the environment, and in the files that it names: no agent may push one of them. */
function secretsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const texts = Object.entries(env).flatMap(([name, value = ""]) => {
    if (/^OFFPRINT_((?!FORGES).*(KEY|SECRET)_FILE|GIT_SSH_KEY_.+)$/.test(name)) return [contentOf(value.trim())];
    if (/^OFFPRINT_(GIT_TOKEN|ADMIN_TOKEN|METRICS_TOKEN)|^AWS_(SECRET_ACCESS_KEY|SESSION_TOKEN)$/.test(name))
      return [value, value.slice(value.indexOf(":") + 1)];
    return name === "DATABASE_URL" && URL.canParse(value) ? [new URL(value).password] : [];
  });
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Whoever uses the file reports it.
    return "";
  }
}
