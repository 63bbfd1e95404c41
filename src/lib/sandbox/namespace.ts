import { execFile } from "node:child_process";
import { accessSync, constants, lstatSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { attempt } from "../attempt.js";
import { type Access, type View, viewOf } from "./access.js";

/** Runs a program without network and other processes, in a file system that contains only what `access` lists. */
export interface Namespace {
  readonly program: "bwrap" | "unshare";
  /** The words to put before a program and its arguments. */
  prefix(access: Access): string[];
}

/** Finds a program that can make namespaces here, by trying each. @param mountPoint an empty folder. */
export async function findNamespace(mountPoint: string): Promise<Namespace | { readonly missing: string }> {
  if (process.platform !== "linux") return { missing: "only Linux has them" };
  const reasons: string[] = [];
  for (const make of [bubblewrap, utilLinux]) {
    const namespace = make(mountPoint);
    if ("missing" in namespace) {
      reasons.push(namespace.missing);
      continue;
    }
    const fault = await tryOut(namespace.prefix({ read: [], write: [] }));
    if (fault === undefined) return namespace;
    reasons.push(`${namespace.program} fails (${fault})`);
  }
  return { missing: reasons.join("; ") };
}

function bubblewrap(): Namespace | { readonly missing: string } {
  const bwrap = findProgram("bwrap");
  if (bwrap === undefined) return { missing: "bwrap is not installed" };
  return {
    program: "bwrap",
    prefix(access) {
      const { read, program, write, links } = viewOf(access);
      return [
        bwrap,
        "--unshare-all",
        "--die-with-parent",
        ...links.flatMap(({ path, target }) => ["--symlink", target, path]),
        ...[...read, ...program].flatMap((path) => ["--ro-bind", path, path]),
        ...write.flatMap((path) => ["--bind", path, path]),
        "--chdir",
        "/",
        "--",
      ];
    },
  };
}

const toolNames = ["unshare", "setpriv", "mount", "umount", "pivot_root", "mkdir", "ln", "cp"] as const;
type Tools = Readonly<Record<(typeof toolNames)[number], string>>;

/** Makes namespaces with the tools of every Linux distribution. @param mountPoint an empty folder. */
function utilLinux(mountPoint: string): Namespace | { readonly missing: string } {
  const paths = toolNames.map((name) => [name, findProgram(name)] as const);
  const missing = paths.filter(([, path]) => path === undefined).map(([name]) => name);
  if (missing.length > 0) return { missing: `${missing.join(", ")} not installed` };
  const tools = Object.fromEntries(paths) as Tools;
  return {
    program: "unshare",
    prefix: (access) => [
      ...[tools.setpriv, "--pdeathsig", "KILL", tools.unshare, "--user", "--map-root-user", "--net", "--mount"],
      ...["--pid", "--ipc", "--uts", "--fork", "--kill-child", "/bin/sh", "-c"],
      ...[script(mountPoint, tools, viewOf(access)), "sandbox"],
    ],
  };
}

/**
 * Builds the file system in memory, leaves the old one, gives up all privileges, and runs the program in its arguments.
 * The last umount needs the libraries of the new file system, and a list of mounts, which may be empty.
 */
function script(root: string, tools: Tools, { read, program, write, links }: View): string {
  const { setpriv, mount, pivot_root, mkdir, ln, cp } = Object.fromEntries(
    Object.entries(tools).map(([name, path]) => [name, quoted(path)]),
  ) as Tools;
  const isFolder = (path: string): boolean => lstatSync(path).isDirectory();
  const paths = [...read, ...program, ...write];
  const folders = ["/.old", "/proc/self", ...paths.map((path) => (isFolder(path) ? path : dirname(path)))];
  const inside = (path: string): string => quoted(root + path);
  const line = (path: string, options: string): string =>
    `${escaped(path)} ${escaped(root + path)} none rbind,nosuid,nodev,${options} 0 0\n`;
  const mounts = [
    ...read.map((path) => line(path, "ro,noexec")),
    ...program.map((path) => line(path, "ro")),
    ...write.map((path) => line(path, "rw,noexec")),
  ];
  return [
    "set -e",
    `${mount} -n -t tmpfs -o mode=755,size=1m,nosuid,nodev sandbox ${quoted(root)}`,
    `${mkdir} -p ${[...new Set(folders)].map(inside).join(" ")}`,
    ...paths.filter((path) => !isFolder(path)).map((path) => `: > ${inside(path)}`),
    ...links.map(({ path, target }) => `${ln} -s ${quoted(target)} ${inside(path)}`),
    `${cp} ${setpriv} ${inside("/.setpriv")}`,
    `printf %s ${quoted(mounts.join(""))} > ${inside("/.mounts")}`,
    `${mount} -n -a -T ${inside("/.mounts")}`,
    `: > ${inside("/proc/self/mountinfo")}`,
    `cd ${quoted(root)}`,
    `${pivot_root} . .old`,
    `${quoted(`/.old${tools.umount}`)} -c -n -l /.old`,
    "unset PWD OLDPWD",
    'exec /.setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"',
  ].join("\n");
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** A path in a table of mounts. */
const escaped = (path: string): string =>
  path.replace(/[\s\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** Starts Node with these words before its path. Returns the reason if that fails. */
export async function tryOut(prefix: readonly string[]): Promise<string | undefined> {
  const [command, ...words] = [...prefix, process.execPath, "--version"];
  try {
    const { stdout } = await promisify(execFile)(command!, words, { env: {}, timeout: 10_000, killSignal: "SIGKILL" });
    return stdout.trim() === process.version ? undefined : "Node does not start";
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    return (stderr?.trim().split("\n")[0] || message).slice(0, 200);
  }
}

/** Absolute path of a program of the system. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env["PATH"]?.split(delimiter) ?? []), "/usr/sbin", "/sbin"];
  return folders
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find((path) =>
      attempt(() => {
        accessSync(path, constants.X_OK);
        return true;
      }),
    );
}
