import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type S3StoreOptions, s3OptionsFromEnvironment } from "../../service/store/index.js";
import { type Environment, UsageError } from "../environment.js";
import { read } from "./variables.js";

/** Where the service keeps its data; the same for all its commands. */
export interface StoreSettings {
  /** Absolute folder of the SQLite file, the bundles, the cache and work in progress. */
  readonly dataFolder: string;
  /** Contains a password. Default: SQLite in `dataFolder`. */
  readonly databaseUrl?: string;
  /** Default: bundles are files in `dataFolder`. */
  readonly s3?: S3StoreOptions;
  /** The keys that encrypt credentials, or the file that contains them. Secret. */
  readonly credentialKeys: { readonly keys?: string | undefined; readonly file?: string | undefined };
}

/** @throws {UsageError} if a variable of the environment is invalid. */
export function storeSettings(data: string | undefined, environment: Environment): StoreSettings {
  const { env } = environment;
  const databaseUrl = read(env, "DATABASE_URL");
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl))
    throw new UsageError(
      "DATABASE_URL is not the URL of a PostgreSQL database. Write it like postgres://user:password@host/name",
    );
  return {
    dataFolder: resolve(data ?? read(env, "OFFPRINT_DATA") ?? defaultDataFolder(environment)),
    databaseUrl,
    s3: s3Options(env),
    credentialKeys: { keys: read(env, "OFFPRINT_CREDENTIALS_KEY"), file: read(env, "OFFPRINT_CREDENTIALS_KEY_FILE") },
  };
}

function s3Options(env: NodeJS.ProcessEnv): S3StoreOptions | undefined {
  try {
    return s3OptionsFromEnvironment(env);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Where this system keeps the data of programs. */
function defaultDataFolder({ env, platform }: Environment): string {
  if (env["XDG_DATA_HOME"]) return join(env["XDG_DATA_HOME"], "offprint");
  if (platform === "win32" && env["LOCALAPPDATA"]) return join(env["LOCALAPPDATA"], "offprint", "data");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "offprint");
  return join(homedir(), ".local", "share", "offprint");
}

/** The assistant key that the service has put into its data folder, for questions from this machine. */
export function readAssistantKey(dataFolder: string): string | undefined {
  const file = assistantKeyFile(dataFolder);
  return existsSync(file) ? readFileSync(file, "utf8").trim() || undefined : undefined;
}

export const writeAssistantKey = (dataFolder: string, key: string): void =>
  writeFileSync(assistantKeyFile(dataFolder), `${key}\n`, { mode: 0o600 });

const assistantKeyFile = (dataFolder: string): string => join(dataFolder, "assistant-key");
