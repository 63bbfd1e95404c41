import { execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";

interface PostgresServer {
  /** Address of an empty database of its own; dropped with the server. */
  database(): Promise<string>;
  stop(): Promise<void>;
}

/** Where the processes of the tests ask the run for a database. */
const askAt = "OFFPRINT_TEST_DATABASES";

/** Address of an empty database of its own, on the PostgreSQL server of the run. */
export async function emptyDatabase(): Promise<string> {
  const answer = await fetch(process.env[askAt]!);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** Gives the run one PostgreSQL server for all its tests, which starts when the first of them asks for a database. */
export default async function postgresOfTheRun(): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const asked = createHttpServer((_, response) => {
    server ??= startPostgres();
    server
      .then((started) => started.database())
      .then(
        (url) => response.end(url),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>((resolve) => asked.listen(0, "127.0.0.1", resolve));
  process.env[askAt] = `http://127.0.0.1:${(asked.address() as AddressInfo).port}`;
  return async () => {
    asked.closeAllConnections();
    asked.close();
    await (await server?.catch(() => undefined))?.stop();
  };
}

/** A PostgreSQL server with nothing in it, on a free port of the loopback address. */
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
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", unix_socket_directories: "" };
  const given = Object.entries({ ...settings, listen_addresses: "127.0.0.1", port, max_connections: 200 });
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, ...given.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...as, cwd: folder, env, stdio: "ignore" },
  );
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  // Also where the tests end without a word.
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
      return url(name);
    },
    async stop() {
      process.off("exit", kill);
      kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Debian keeps the programs of a server off the path. */
function postgresFolder(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
  if (found === undefined)
    throw new Error("There is no PostgreSQL for these tests. Install it: sudo apt-get install postgresql");
  return found;
}

/** The server refuses to run as root. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
