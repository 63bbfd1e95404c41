import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type S3StoreOptions, s3OptionsFromEnvironment } from "../service/store/index.js";
import type { Surroundings } from "./run.js";
import { UsageError } from "./usage-error.js";

/** Where the service keeps what it knows, as every one of its commands finds it. */
export interface StoreSettings {
  /** SQLite file, bundles, cache, and what is being worked on; absolute. */
  readonly dataFolder: string;
  /** A secret. Undefined: SQLite in `dataFolder`. */
  readonly databaseUrl?: string;
  /** Undefined: bundles are files in `dataFolder`. */
  readonly s3?: S3StoreOptions;
}

/** @throws {UsageError} if the environment says what cannot be meant. */
export function storeSettings(data: string | undefined, process: Surroundings): StoreSettings {
  const { env } = process;
  const databaseUrl = env["DATABASE_URL"]?.trim() || undefined;
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl))
    throw new UsageError("DATABASE_URL is the address of a PostgreSQL database: postgres://user:password@host/name");
  return {
    dataFolder: resolve(data ?? (env["OFFPRINT_DATA"]?.trim() || defaultDataFolder(process))),
    databaseUrl,
    s3: bucket(env),
  };
}

function bucket(env: NodeJS.ProcessEnv): S3StoreOptions | undefined {
  try {
    return s3OptionsFromEnvironment(env);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Where this system keeps what programs must not lose; the same from whatever folder a command is started. */
function defaultDataFolder({ env, platform }: Surroundings): string {
  if (env["XDG_DATA_HOME"]) return join(env["XDG_DATA_HOME"], "offprint");
  if (platform === "win32" && env["LOCALAPPDATA"]) return join(env["LOCALAPPDATA"], "offprint", "data");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "offprint");
  return join(homedir(), ".local", "share", "offprint");
}
