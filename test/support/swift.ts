import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A real S3 server that verifies signatures and their expiry: OpenStack Swift from Debian. */
export interface Swift {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL("swift-server.py", import.meta.url));

/** Starts an empty server. @throws {Error} if Swift is not installed. */
export async function startSwift(): Promise<Swift> {
  if (!existsSync("/usr/bin/swift-proxy-server"))
    throw new Error(
      "OpenStack Swift, the S3 server of the tests, is missing. Install it: sudo node scripts/ensure-test-programs.js",
    );
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
    let output = "";
    let errors = "";
    server.stderr!.on("data", (chunk: Buffer) => {
      errors = `${errors}${chunk.toString()}`.slice(-4000);
    });
    server.stdout!.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.endsWith("\n")) resolve(Number(output));
    });
    server.once("exit", () => reject(new Error(`The S3 server of the tests did not start.\n${errors}`)));
  });
}
