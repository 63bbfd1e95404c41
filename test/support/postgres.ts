import { execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { patienceMs } from "./patience.js";
import { costReport, noteCost, secondsOf } from "./processor-time.js";

interface PostgresServer {
  /** Creates an empty database and returns its address. It is dropped with the server. */
  database(): Promise<string>;
  stop(): Promise<void>;
}

/** The variable with the address that hands out databases to the test processes. */
const addressVariable = "OFFPRINT_TEST_DATABASES";

/**
 * The address of a new empty database on the PostgreSQL server of the run. It says that a query may take long: on a busy
 * machine, one that waits for a lock would take longer than operators allow.
 */
export async function emptyDatabase(): Promise<string> {
  const answer = await fetch(process.env[addressVariable]!);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** One PostgreSQL server for all tests of the run, started when a test first needs a database. */
export default async function postgresOfTheRun(): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const asked = createHttpServer((_, response) => {
    // On a busy machine, a test process could use a connection in the moment in which this one closes it as idle.
    response.setHeader("Connection", "close");
    server ??= startPostgres();
    server
      .then((started) => started.database())
      .then(
        (url) => response.end(url),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>((resolve) => asked.listen(0, "127.0.0.1", resolve));
  process.env[addressVariable] = `http://127.0.0.1:${(asked.address() as AddressInfo).port}`;
  return async () => {
    asked.closeAllConnections();
    asked.close();
    await (await server?.catch(() => undefined))?.stop();
  };
}

/** Starts an empty PostgreSQL server on a free port of the loopback address. */
async function startPostgres(): Promise<PostgresServer> {
  const bin = postgresFolder();
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const user = unprivilegedUser();
  const as = user && { uid: user.uid, gid: user.gid };
  if (user) {
    chmodSync(folder, 0o755);
    chownSync(folder, user.uid, user.gid);
  }
  const data = join(folder, "data");
  const env = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" };
  const words = ["-D", data, "-U", "offprint", "-A", "trust", "-E", "UTF8", "--no-sync"];
  await promisify(execFile)(join(bin, "initdb"), words, { ...as, cwd: folder, env });
  const port = await freePort();
  // Data lives no longer than a test: no log is replayed, and no table grows so large that its statistics matter.
  const fast = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", autovacuum: "off", jit: "off" };
  const settings = { ...fast, wal_level: "minimal", max_wal_senders: 0, unix_socket_directories: "" };
  const given = Object.entries({ ...settings, listen_addresses: "127.0.0.1", port, max_connections: 200 });
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, ...given.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...as, cwd: folder, env, stdio: "ignore" },
  );
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  // Also if the tests crash.
  const kill = (): void => void server.kill("SIGQUIT");
  process.once("exit", kill);

  const url = (name: string): string => `postgresql://offprint@127.0.0.1:${port}/${name}`;
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url("postgres") });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  for (let tries = 0; ; tries++) {
    try {
      await run("select 1");
      break;
    } catch (error) {
      if (server.exitCode !== null || tries > 200) throw new Error("PostgreSQL does not start.", { cause: error });
      await sleep(50);
    }
  }
  let count = 0;
  return {
    async database() {
      const name = `test_${++count}`;
      await run(`create database ${name}`);
      return `${url(name)}?query_timeout=${patienceMs}&idle_in_transaction_session_timeout=${patienceMs}`;
    },
    async stop() {
      if (costReport !== undefined) noteCost("(PostgreSQL)", secondsOf(server.pid!));
      process.off("exit", kill);
      kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** On Debian the server programs are not on the PATH. */
function postgresFolder(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
  if (found === undefined) throw new Error("PostgreSQL is missing. Install it: sudo apt-get install postgresql");
  return found;
}

/** The server refuses to run as root. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** A port without a listener. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
