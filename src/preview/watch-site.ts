import { type FSWatcher, readdirSync, realpathSync, statSync, watch as watchPath } from "node:fs";
import { join, sep } from "node:path";

interface WatchOptions {
  /** Called with the paths that may have changed, relative to the folder, with `/`; undefined if anything may have. */
  readonly onChange: (paths: ReadonlySet<string> | undefined) => void;
  /** Called if the folder cannot be watched; its files are then compared every second. */
  readonly onPolling: (reason: string) => void;
  readonly poll?: boolean | undefined;
  /** Replaces `watch` of Node. */
  readonly watch?: typeof watchPath | undefined;
}

/** Changes within this time are reported together, since editors write a file in several steps. */
const gatherMs = 15;

/** More changes than this at once come from a program such as git, and more follow. */
const manyPaths = 30;
const quietMs = 150;
const longestMs = 3_000;
const pollMs = 1_000;

/** Watches the files below a folder, which may be deleted and created again. Returns a function that stops it. */
export function watchSite(folder: string, options: WatchOptions): () => void {
  const { onChange, onPolling, watch = watchPath } = options;
  let stop: (() => void) | undefined;
  let polls = options.poll ?? false;
  let inode = 0;
  let paths = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;

  const flush = (): void => {
    timer = undefined;
    const changed = paths;
    paths = new Set();
    onChange(changed);
  };
  const note = (path: string): void => {
    if (paths.size === 0) firstAt = performance.now();
    paths.add(path);
    const isMany = paths.size > manyPaths && performance.now() - firstAt < longestMs;
    if (timer !== undefined && !isMany) return;
    clearTimeout(timer);
    timer = setTimeout(flush, isMany ? quietMs : gatherMs);
  };
  const fail = (reason: string): void => {
    stop?.();
    polls = true;
    onPolling(reason);
    stop = startPolling(folder, note);
  };
  const start = (): void => {
    const root = realpathSync.native(folder);
    inode = statSync(root).ino;
    if (polls) {
      stop = startPolling(root, note);
      return;
    }
    try {
      stop = process.platform === "linux" ? watchFolders(root, watch, note, fail) : watchTree(root, watch, note, fail);
    } catch (error) {
      fail((error as NodeJS.ErrnoException).code ?? (error as Error).message);
    }
  };
  /** No watcher reports that the folder itself has been moved or replaced. */
  const look = (): void => {
    const now = statSync(folder, { throwIfNoEntry: false })?.ino ?? 0;
    if (now === inode) return;
    stop?.();
    stop = undefined;
    inode = now;
    if (now !== 0) start();
    onChange(undefined);
  };
  start();
  const looking = setInterval(look, pollMs / 2);
  return () => {
    clearInterval(looking);
    clearTimeout(timer);
    stop?.();
  };
}

type Note = (path: string) => void;
type Fail = (reason: string) => void;

/** For Windows and macOS, which report changes in all folders below. */
function watchTree(root: string, watch: typeof watchPath, note: Note, fail: Fail): () => void {
  const watcher = watch(root, { recursive: true }, (_, name) => note(String(name ?? "").replaceAll(sep, "/")));
  watcher.on("error", (error) => fail(error.message));
  return () => watcher.close();
}

/** For Linux, which reports changes of one folder. Node's own recursion watches every file and loses replaced ones. */
function watchFolders(root: string, watch: typeof watchPath, note: Note, fail: Fail): () => void {
  const watchers = new Map<string, FSWatcher>();
  const close = (): void => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  const drop = (path: string): void => {
    for (const [folder, watcher] of watchers)
      if (folder === path || folder.startsWith(`${path}/`)) {
        watcher.close();
        watchers.delete(folder);
      }
  };
  const add = (path: string): void => {
    const watcher = watch(join(root, path), (_, name) => {
      const changed = path === "" ? String(name ?? "") : `${path}/${name ?? ""}`;
      note(changed);
      if (changed !== "" && !watchers.has(changed) && isFolder(join(root, changed))) addAll(changed);
      else if (watchers.has(changed) && !isFolder(join(root, changed))) drop(changed);
    });
    watcher.on("error", () => {
      watcher.close();
      watchers.delete(path);
    });
    watchers.set(path, watcher);
  };
  /** A new folder may have files before it is watched. */
  const addAll = (from: string): void => {
    try {
      const { folders, files } = listFolders(root, from);
      for (const folder of folders) if (!watchers.has(folder)) add(folder);
      if (from !== "") for (const file of files) note(file);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      close();
      if (from === "") throw error;
      fail(code ?? message);
    }
  };
  addAll("");
  return close;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function startPolling(root: string, note: Note): () => void {
  let before = statesBelow(root);
  const timer = setInterval(() => {
    let now: Map<string, string>;
    try {
      now = statesBelow(root);
    } catch {
      return; // The folder was deleted: `look` notices.
    }
    for (const path of new Set([...before.keys(), ...now.keys()])) if (before.get(path) !== now.get(path)) note(path);
    before = now;
  }, pollMs);
  return () => clearInterval(timer);
}

/** Folders that have no files of a site, but may have very many others. */
const isSkipped = (name: string): boolean =>
  name === "node_modules" || (name.startsWith(".") && name !== ".mintlify" && name !== ".well-known");

/** The folders and files below `root`, as relative paths. Symbolic links are not followed. */
function listFolders(root: string, from = ""): { readonly folders: string[]; readonly files: string[] } {
  const folders = [from];
  const files: string[] = [];
  for (const folder of folders)
    try {
      for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (!entry.isDirectory()) files.push(path);
        else if (!isSkipped(entry.name)) folders.push(path);
      }
    } catch (error) {
      if (folder === "" && from === "") throw error;
    }
  return { folders, files };
}

/** The states of all files, for a folder that cannot be watched. */
function statesBelow(root: string): Map<string, string> {
  const states = new Map<string, string>();
  for (const path of listFolders(root).files) {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats) states.set(path, `${stats.size} ${stats.ino} ${stats.mtimeMs}`);
  }
  return states;
}
