import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { AgentSettings } from "../../service/agent/index.js";
import type { EmbeddingsOptions, ModelOptions } from "../../service/assistant/index.js";
import { type Forges, readForges } from "../../service/git/forge/index.js";
import { UsageError } from "../environment.js";
import { count, milliseconds, read, secretFile } from "./variables.js";

const providers = {
  /** Where Ollama listens. */
  openai: "http://localhost:11434/v1",
  anthropic: "https://api.anthropic.com/v1",
} as const satisfies Record<ModelOptions["provider"], string>;

/** The value of `name`. @throws {UsageError} if it is missing although another variable begins with it. */
function modelName(env: NodeJS.ProcessEnv, name: string, kind: string): string | undefined {
  const model = read(env, name);
  const other = Object.keys(env).find((candidate) => candidate.startsWith(`${name}_`) && read(env, candidate));
  if (model === undefined && other !== undefined)
    throw new UsageError(`${other} has no effect without ${name}. Set it to the name of the ${kind}.`);
  return model;
}

/** Undefined without OFFPRINT_MODEL. @throws {UsageError} if a variable is invalid. */
export function modelOptions(env: NodeJS.ProcessEnv): ModelOptions | undefined {
  const model = modelName(env, "OFFPRINT_MODEL", "model");
  if (model === undefined) return undefined;
  const provider = read(env, "OFFPRINT_MODEL_PROVIDER") ?? "openai";
  if (!isProvider(provider))
    throw new UsageError(`OFFPRINT_MODEL_PROVIDER must be openai or anthropic, not "${provider}".`);
  const key = secretFile(env, "OFFPRINT_MODEL_KEY_FILE");
  if (provider === "anthropic" && key === undefined)
    throw new UsageError(
      "OFFPRINT_MODEL_PROVIDER=anthropic needs OFFPRINT_MODEL_KEY_FILE, the path of a file with an API key.",
    );
  const maxPromptTokens = count(env, "OFFPRINT_MODEL_PROMPT_TOKENS");
  if (maxPromptTokens !== undefined && maxPromptTokens < 1000)
    throw new UsageError("OFFPRINT_MODEL_PROMPT_TOKENS must be at least 1000: the rules and one passage need them.");
  const tools = read(env, "OFFPRINT_MODEL_TOOLS") ?? "auto";
  if (tools !== "auto" && tools !== "none")
    throw new UsageError(`OFFPRINT_MODEL_TOOLS must be auto or none, not "${tools}".`);
  return {
    ...(tools === "none" && { tools: false }),
    ...{ provider, model, url: modelUrl(read(env, "OFFPRINT_MODEL_URL") ?? providers[provider]) },
    ...withoutUndefined({
      key,
      maxPromptTokens,
      maxAnswerTokens: count(env, "OFFPRINT_MODEL_ANSWER_TOKENS"),
      firstTokenMs: milliseconds(env, "OFFPRINT_MODEL_FIRST_TOKEN_SECONDS"),
    }),
  };
}

/** Undefined without OFFPRINT_EMBEDDINGS. @throws {UsageError} if a variable is invalid. */
export function embeddingsOptions(env: NodeJS.ProcessEnv): EmbeddingsOptions | undefined {
  const model = modelName(env, "OFFPRINT_EMBEDDINGS", "embedding model");
  if (model === undefined) return undefined;
  const url = modelUrl(read(env, "OFFPRINT_EMBEDDINGS_URL") ?? providers.openai, "OFFPRINT_EMBEDDINGS_URL");
  return { model, url, ...withoutUndefined({ key: secretFile(env, "OFFPRINT_EMBEDDINGS_KEY_FILE") }) };
}

const isProvider = (name: string): name is ModelOptions["provider"] => Object.hasOwn(providers, name);

function modelUrl(written: string, name = "OFFPRINT_MODEL_URL"): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain)
    throw new UsageError(`${name} must be the URL of an API, such as http://localhost:11434/v1, without a key.`);
  return url.href.replace(/\/+$/, "");
}

/** Settings of agent jobs. Without OFFPRINT_MODEL they have no model. @throws {UsageError} if a variable is invalid. */
export function agentSettings(env: NodeJS.ProcessEnv, forges: Forges = []): AgentSettings {
  const secrets = [...secretsOf(env), ...forges.flatMap(appSecrets)];
  const languageModel = modelOptions(env);
  if (languageModel === undefined) return { environment: env, secrets };
  return { environment: env, secrets, languageModel, model: `${languageModel.provider}/${languageModel.model}` };
}

/** Secrets of GitHub apps. Tokens are left out: the organizations that use them know them. */
function appSecrets({ app }: Forges[number]): readonly string[] {
  if (!app) return [];
  const key = app.privateKey.replaceAll(/-----[^-]+-----|\s/g, "");
  return app.oauth ? [key, app.oauth.clientSecret] : [key];
}

/** Secrets in the environment and in the files that it names, which no agent may push. */
function secretsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const texts = Object.entries(env).flatMap(([name, value = ""]) => {
    if (name === "OFFPRINT_CREDENTIALS_KEY") return value.split("\n");
    if (name === "OFFPRINT_CREDENTIALS_KEY_FILE") return textIfReadable(value.trim()).split("\n");
    if (/^OFFPRINT_(?!FORGES).*(KEY|SECRET)_FILE$/.test(name)) return [textIfReadable(value.trim())];
    if (/^OFFPRINT_(ADMIN_TOKEN|METRICS_TOKEN)|^AWS_(SECRET_ACCESS_KEY|SESSION_TOKEN)$/.test(name)) return [value];
    return name === "DATABASE_URL" && URL.canParse(value) ? [new URL(value).password] : [];
  });
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

function textIfReadable(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The code that uses the file reports the error.
    return "";
  }
}

/** The operator's tokens and apps for git hosts. @throws {UsageError} if OFFPRINT_FORGES_FILE is invalid. */
export function operatorForges(env: NodeJS.ProcessEnv): Forges {
  const path = read(env, "OFFPRINT_FORGES_FILE");
  if (path === undefined) return [];
  try {
    return readForges(readFileSync(path, "utf8"), (file) => readFileSync(resolve(dirname(path), file), "utf8"));
  } catch (error) {
    throw new UsageError(`OFFPRINT_FORGES_FILE is invalid: ${(error as Error).message}.`);
  }
}
