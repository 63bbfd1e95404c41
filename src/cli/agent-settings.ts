import { readFileSync } from "node:fs";
import type { AgentSettings } from "../service/agent/index.js";
import type { Forges } from "../service/forge/index.js";
import { modelOptions } from "./model-settings.js";

/** What agent jobs may use: without OFFPRINT_MODEL, no model. @throws {UsageError} if it is invalid. */
export function agentSettings(env: NodeJS.ProcessEnv, forges: Forges = []): AgentSettings {
  const secrets = [...secretsOf(env), ...forges.flatMap(appSecrets)];
  const languageModel = modelOptions(env);
  if (languageModel === undefined) return { environment: env, secrets };
  return { environment: env, secrets, languageModel, model: `${languageModel.provider}/${languageModel.model}` };
}

/** The tokens of the file are secrets of the organizations that may use them. */
function appSecrets({ app }: Forges[number]): readonly string[] {
  if (!app) return [];
  const key = app.privateKey.replaceAll(/-----[^-]+-----|\s/g, "");
  return app.oauth ? [key, app.oauth.clientSecret] : [key];
}

/** Secrets in the environment, and in the files that it names: no agent may push one of them. */
function secretsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const texts = Object.entries(env).flatMap(([name, value = ""]) => {
    if (name === "OFFPRINT_CREDENTIALS_KEY") return value.split("\n");
    if (name === "OFFPRINT_CREDENTIALS_KEY_FILE") return contentOf(value.trim()).split("\n");
    if (/^OFFPRINT_(?!FORGES).*(KEY|SECRET)_FILE$/.test(name)) return [contentOf(value.trim())];
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
