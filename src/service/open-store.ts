import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../lib/log.js";
import { type Credentials, type KeySource, openCredentials, openKeyring } from "./git/credentials/index.js";
import type { Forges } from "./git/forge/index.js";
import {
  DatabaseUnreachableError,
  type JobRules,
  latestVersion,
  openPostgresState,
  openSqliteState,
  postgresSchemaVersion,
  type State,
  sqliteSchemaVersion,
} from "./jobs/index.js";
import { type ObjectStore, openFolderStore, openLinkSecret, type S3StoreOptions } from "./store/index.js";

/** All data of the service. */
export interface Store extends Omit<State, "sealedCredentials"> {
  readonly credentials: Credentials;
  readonly objects: ObjectStore;
}

export interface StoreOptions {
  /** Holds the SQLite file, bundles and the secret of their links, unless they are elsewhere. Created if missing. */
  readonly dataFolder: string;
  /** Address of a PostgreSQL database; a secret. Default: a SQLite file in `dataFolder`. */
  readonly databaseUrl?: string;
  /** Default: files in `dataFolder`. */
  readonly s3?: S3StoreOptions;
  /** Public URL of the API; links to bundles in a folder start with it. */
  readonly publicUrl: string;
  readonly rules?: Partial<JobRules>;
  /** The keys that encrypt credentials. Default: the file `credentials.key` in `dataFolder`, unless all data is elsewhere. */
  readonly credentialKeys?: Pick<KeySource, "keys" | "file">;
  /** The git hosts that the operator has described. Default: none. */
  readonly forges?: Forges;
  /** Waits until the PostgreSQL server answers or `signal` aborts. Default: an error at once. */
  readonly waitForDatabase?: { readonly log: Log; readonly signal: AbortSignal };
}

const firstWaitMs = 250;
const longestWaitMs = 10_000;

/** @throws {Error} that names what cannot be opened, without secrets. */
export async function openStore(options: StoreOptions): Promise<Store> {
  // The folder holds keys and the secret of the links. If neither is stored there, its disk may be read-only.
  if (options.databaseUrl === undefined || options.s3 === undefined)
    await mkdir(options.dataFolder, { recursive: true, mode: 0o700 });
  const state = await untilReachable(() => openState(options), options.waitForDatabase);
  try {
    const objects = await openObjects(options);
    const { sealedCredentials, ...stores } = state;
    const credentials = openCredentials({
      store: sealedCredentials,
      accounts: stores.accounts,
      keyring: openKeyring({ ...options.credentialKeys, ownFile: ownKeyFile(options) }),
      forges: options.forges ?? [],
    });
    return { ...stores, credentials, objects };
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** The service's own file with the key. If all data is elsewhere there is none, since other machines do not have it. */
const ownKeyFile = ({ databaseUrl, s3, dataFolder }: StoreOptions): string | undefined =>
  databaseUrl === undefined || s3 === undefined ? join(dataFolder, "credentials.key") : undefined;

const openState = ({ databaseUrl, dataFolder, rules }: StoreOptions): Promise<State> =>
  databaseUrl === undefined
    ? openSqliteState({ file: databaseFile(dataFolder), rules })
    : openPostgresState({ url: databaseUrl, rules });

/** Retries with growing pauses while the database does not answer. */
async function untilReachable<T>(open: () => Promise<T>, wait: StoreOptions["waitForDatabase"]): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
    try {
      const opened = await open();
      if (waitMs > firstWaitMs) wait?.log("info", "the database is reachable");
      return opened;
    } catch (error) {
      if (!wait || wait.signal.aborted || !(error instanceof DatabaseUnreachableError)) throw error;
      if (waitMs === firstWaitMs)
        wait.log("warn", `${error.message} Retrying until it answers.`, { error: String(error.cause) });
      await sleep(waitMs, undefined, { signal: wait.signal }).catch(() => {});
    }
  }
}

/** The number of migrations that the database lacks. */
export async function pendingMigrations({ databaseUrl, dataFolder }: StoreOptions): Promise<number> {
  const version =
    databaseUrl === undefined
      ? await sqliteSchemaVersion(databaseFile(dataFolder))
      : await postgresSchemaVersion(databaseUrl);
  return Math.max(0, latestVersion - version);
}

const databaseFile = (dataFolder: string): string => join(dataFolder, "offprint.db");

async function openObjects({ s3, dataFolder, publicUrl }: StoreOptions): Promise<ObjectStore> {
  if (s3 !== undefined) {
    const { openS3Store } = await import("./store/s3-store.js");
    return openS3Store(s3);
  }
  return openFolderStore({
    folder: join(dataFolder, "objects"),
    publicUrl,
    secret: await openLinkSecret(dataFolder),
  });
}
