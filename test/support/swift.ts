import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A real S3 server, which verifies signatures and their end: OpenStack Swift as Debian packages it. */
export interface Swift {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL("swift-server.py", import.meta.url));

/** Starts one with nothing in it. @throws {Error} that says what to install if it is missing. */
export async function startSwift(): Promise<Swift> {
  if (!existsSync("/usr/bin/swift-proxy-server"))
    throw new Error("There is no S3 server for the tests. Install it: sudo node scripts/ensure-test-programs.js");
  const folder = await mkdtemp(join(tmpdir(), "offprint-swift-"));
  const server = spawn("/usr/bin/python3", [script, folder], { stdio: ["pipe", "pipe", "pipe"] });
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      server.stdin.end();
      await once(server, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return {
      endpoint: `http://127.0.0.1:${await portOf(server)}`,
      region: "us-east-1",
      credentials: { accessKeyId: "test:tester", secretAccessKey: "testing" },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function portOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = "";
    let faults = "";
    server.stderr!.on("data", (chunk: Buffer) => {
      faults = `${faults}${chunk.toString()}`.slice(-4000);
    });
    server.stdout!.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.endsWith("\n")) resolve(Number(said));
    });
    server.once("exit", () => reject(new Error(`The S3 server for the tests did not start.\n${faults}`)));
  });
}
