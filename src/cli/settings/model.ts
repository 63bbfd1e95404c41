import { readFileSync } from "node:fs";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { AgentSettings } from "../../service/agent/index.js";
import type { ModelOptions } from "../../service/assistant/index.js";
import type { Forges } from "../../service/git/forge/index.js";
import { UsageError } from "../environment.js";
import { count, milliseconds, read } from "./api.js";

const providers = {
  /** Where Ollama listens. */
  openai: "http://localhost:11434/v1",
  anthropic: "https://api.anthropic.com/v1",
} as const satisfies Record<ModelOptions["provider"], string>;

/** The language model that the environment names. Undefined: none. @throws {UsageError} if a variable is invalid. */
export function modelOptions(env: NodeJS.ProcessEnv): ModelOptions | undefined {
  const model = read(env, "OFFPRINT_MODEL");
  if (model === undefined) {
    const other = Object.keys(env).find((name) => name.startsWith("OFFPRINT_MODEL_") && read(env, name) !== undefined);
    if (other !== undefined) throw new UsageError(`${other} belongs to OFFPRINT_MODEL, the name of the model.`);
    return undefined;
  }
  const provider = read(env, "OFFPRINT_MODEL_PROVIDER") ?? "openai";
  if (!isProvider(provider)) throw new UsageError(`OFFPRINT_MODEL_PROVIDER is openai or anthropic, not "${provider}".`);
  const key = keyOf(read(env, "OFFPRINT_MODEL_KEY_FILE"));
  if (provider === "anthropic" && key === undefined)
    throw new UsageError("OFFPRINT_MODEL_PROVIDER=anthropic needs OFFPRINT_MODEL_KEY_FILE, a file with a key.");
  const maxPromptTokens = count(env, "OFFPRINT_MODEL_PROMPT_TOKENS");
  if (maxPromptTokens !== undefined && maxPromptTokens < 1000)
    throw new UsageError("OFFPRINT_MODEL_PROMPT_TOKENS must be at least 1000: the rules and one passage need them.");
  const more = {
    key,
    maxPromptTokens,
    maxAnswerTokens: count(env, "OFFPRINT_MODEL_ANSWER_TOKENS"),
    firstTokenMs: milliseconds(env, "OFFPRINT_MODEL_FIRST_TOKEN_SECONDS"),
  };
  return {
    provider,
    model,
    url: urlOf(read(env, "OFFPRINT_MODEL_URL") ?? providers[provider]),
    ...withoutUndefined(more),
  };
}

const isProvider = (name: string): name is ModelOptions["provider"] => Object.hasOwn(providers, name);

function urlOf(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain)
    throw new UsageError(
      "OFFPRINT_MODEL_URL is the address of an API, such as http://localhost:11434/v1, without a key.",
    );
  return url.href.replace(/\/+$/, "");
}

function keyOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const key = textOf(path).trim();
  if (!/^[!-~]+$/.test(key))
    throw new UsageError("OFFPRINT_MODEL_KEY_FILE must contain a key on one line, and nothing else.");
  return key;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`OFFPRINT_MODEL_KEY_FILE cannot be read: ${(error as Error).message}`);
  }
}

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
