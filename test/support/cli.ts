import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Environment } from "../../src/cli/environment.js";

/** The built command line. */
export const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

const isOpenToAll = (folder: string): boolean =>
  (statSync(folder).mode & 1) === 1 && (dirname(folder) === folder || isOpenToAll(dirname(folder)));

/** Whether a process of another user can load the command line: not if root's clone is in a folder such as `/root`. */
export const canRunAsOther = process.getuid?.() !== 0 || isOpenToAll(import.meta.dirname);

export interface CliRun {
  /** `null` if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `offprint` in its own process, as a user does. */
export function runCli(args: readonly string[], options: SpawnOptions = {}): Promise<CliRun> {
  return finish(startCli(args, options));
}

/** The same, killed after the given seconds of processor time, which a busy machine does not prolong. */
export function runCliWithin(seconds: number, args: readonly string[], options: SpawnOptions = {}): Promise<CliRun> {
  return finish(start("bash", ["-c", `ulimit -t ${seconds}; exec "$0" "$@"`, process.execPath, cli, ...args], options));
}

/** The same in this process, for commands whose process is not tested: starting one takes 0.3 s of processor time. */
export async function callCli(
  words: readonly string[],
  { env = process.env, cwd = "." }: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Promise<Pick<CliRun, "code" | "stdout" | "stderr">> {
  const { run } = await import("../../src/cli/run.js");
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text), on() {} });
  const signals = new EventEmitter();
  const environment = {
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    env,
    platform: process.platform,
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
  };
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const code = await run(words, environment as unknown as Environment);
    return { code, ...written };
  } finally {
    process.chdir(before);
  }
}

export const startCli = (args: readonly string[], options: SpawnOptions = {}): ChildProcess =>
  start(process.execPath, [cli, ...args], options);

export const start = (command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess =>
  spawn(command, [...args], { stdio: ["ignore", "pipe", "pipe"], ...options });

export function finish(child: ChildProcess): Promise<CliRun> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** A new folder, removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files by path. A missing `docs.json` is made from the pages. */
export function writeSite(folder: string, files: Readonly<Record<string, string>>): string {
  const pages = Object.keys(files).filter((path) => path.endsWith(".mdx"));
  for (const [path, text] of Object.entries({ "docs.json": docsJson(pages), ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const docsJson = (pages: readonly string[]): string =>
  JSON.stringify({
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0a6c5b" },
    navigation: { pages: pages.map((path) => path.replace(/\.mdx$/, "")) },
  });

/** A site of `count` pages of a few kilobytes each. */
export function writeManyPages(folder: string, count: number): string {
  const body = "Some text with **bold** words, `code` and a [link](/page-1).\n\n".repeat(20);
  const code = '```js\nexport const answer = { value: 42, text: "forty two" };\n```\n';
  const files: Record<string, string> = { "index.mdx": page("Start", "Welcome.") };
  for (let i = 1; i < count; i++) files[`page-${i}.mdx`] = page(`Page ${i}`, `## Part\n\n${body}${code}`);
  return writeSite(folder, files);
}

export const page = (title: string, body: string): string => `---\ntitle: ${JSON.stringify(title)}\n---\n\n${body}\n`;

/** Every file and folder below, hidden ones included, with the hash of its content, to compare two folders. */
export function contentOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry): [string, string] => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length + 1), entry.isFile() ? hashOf(path) : "folder"];
  });
  return Object.fromEntries(paths.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const hashOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
