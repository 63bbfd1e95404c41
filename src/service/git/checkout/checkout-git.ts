import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import { join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { markUsed, pruneUnused } from "../../../lib/cache/index.js";
import { type GitAccess, withGit } from "./git-environment.js";
import { type GitSource, SourceFault } from "./git-source.js";
import { explainGit, type GitEnvironment, runGit } from "./run-git.js";

export interface OpenedSource {
  /** Absolute path of the site's folder. */
  readonly folder: string;
  /** The commit of a git source. */
  readonly revision?: string;
  /** The requested version names nothing in the source, so it only labels what the site is set up with. */
  readonly isLabelled?: boolean;
  /** Of a git source: the folder that has everything, with git's own home in it. */
  readonly root?: string;
  /** Removes the files of a git source; a source folder stays. */
  remove(): Promise<void>;
}

export interface SourceLimits {
  /** For all git commands together, in milliseconds. */
  readonly fetchTimeoutMs: number;
  /** Size of the fetched data plus the files written from it. */
  readonly maxSourceBytes: number;
}

export interface CheckoutOptions extends SourceLimits, Omit<GitAccess, "url"> {
  readonly workFolder: string;
  readonly cacheFolder?: string;
  /**
   * Keeps the repository as `git` in `root`, next to its files in `site`: what a site contains cannot change it. The
   * files have the bytes of the commit, whatever .gitattributes says.
   */
  readonly keepsRepository?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Fetches one commit of a repository without its history, and writes its files, or those of its subfolder, into a new
 * folder of `workFolder`. With `cacheFolder`, fetches only what is new since the last time.
 *
 * Fails: throws a `SourceFault` or an error of the file system, after removing all files.
 * Stops: once `signal` aborts, kills git, removes all files, and rejects with the signal's reason.
 */
export async function checkoutGit(source: GitSource, options: CheckoutOptions): Promise<OpenedSource> {
  const { workFolder, cacheFolder, signal } = options;
  const cache =
    cacheFolder === undefined ? undefined : openPackCache(cacheFolder, packName(source.url.href, source.subfolder));
  const root = await fs.mkdtemp(join(workFolder, "source-"));
  const remove = (): Promise<void> => fs.rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    const home = join(root, "home");
    await fs.mkdir(home);
    const access = { ...options, url: source.url };
    const revision = await bounded(root, options, (stop) =>
      withGit(access, home, (variables) => checkout(source, root, options, variables, stop, cache)),
    );
    return { folder: await siteFolder(source, join(root, "site")), revision, root, remove };
  } catch (error) {
    await remove();
    signal.throwIfAborted();
    throw explainGit(source, error, options.credential);
  }
}

async function checkout(
  source: GitSource,
  root: string,
  { keepsRepository = false }: Pick<CheckoutOptions, "keepsRepository">,
  environment: GitEnvironment,
  stop: AbortSignal,
  cache: PackCache | undefined,
): Promise<string> {
  const { url, ref, subfolder } = source;
  const site = join(root, "site");
  await fs.mkdir(site);
  const gitFolder = join(site, ".git");
  const git = (...args: string[]): Promise<string> => runGit(site, args, environment, stop);
  await git("init", "--quiet", "--template=");
  await git("remote", "add", "--", "origin", url.href);
  if (keepsRepository) {
    await fs.mkdir(join(gitFolder, "info"));
    await fs.writeFile(join(gitFolder, "info", "attributes"), "* -text -eol -ident -filter -working-tree-encoding\n");
  }
  const restored = await cache?.restore(gitFolder);
  try {
    // Git offers the server the commits of its refs.
    if (restored !== undefined) await git("update-ref", "refs/offprint/last", restored);
    // For a subfolder, servers that support it leave out the other files.
    const filter = subfolder === undefined ? [] : ["--filter=blob:none"];
    await git("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", ...filter, "--", "origin", ref);
    const revision = (await git("rev-parse", "--verify", "FETCH_HEAD^{commit}")).trim();
    if (subfolder !== undefined) await git("sparse-checkout", "set", "--cone", "--", subfolder);
    await git("checkout", "--quiet", "--force", "--detach", revision, "--");
    if (restored !== revision) await cache?.save(gitFolder, revision);
    // The repository must not be part of the site.
    if (keepsRepository) await fs.rename(gitFolder, join(root, "git"));
    else await fs.rm(gitFolder, { recursive: true, force: true });
    return revision;
  } catch (error) {
    // A final error of the server stays. Any other may be caused by the cache: try again without it.
    if (restored === undefined || stop.aborted || isFinal(explainGit(source, error))) throw error;
    await fs.rm(site, { recursive: true, force: true });
    const emptyCache = cache && { ...cache, restore: async () => undefined };
    return checkout(source, root, { keepsRepository }, environment, stop, emptyCache);
  }
}

const isFinal = (error: Error): boolean => error instanceof SourceFault && !error.retry;

/** Enforces the limits: time by a timer, size by polling, since git has no size limit. */
async function bounded<T>(
  root: string,
  { fetchTimeoutMs, maxSourceBytes, signal }: CheckoutOptions,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const timer = setTimeout(() => {
    over.abort(new SourceFault(`The repository could not be fetched within ${fetchTimeoutMs / 1000} seconds.`, true));
  }, fetchTimeoutMs);
  const measure = async (): Promise<void> => {
    if ((await folderSize(root, maxSourceBytes)) > maxSourceBytes)
      over.abort(
        new SourceFault(
          `The repository is larger than ${Math.floor(maxSourceBytes / 1024 / 1024)} MB, even without its history. Set the subfolder that contains the site.`,
        ),
      );
  };
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted && !stop.aborted) {
      const startedAt = performance.now();
      await measure();
      // Measuring many files takes long: spend at most a tenth of the time on it.
      const waitMs = Math.max(200, 10 * (performance.now() - startedAt));
      await sleep(waitMs, undefined, { signal: done.signal }).catch(() => {});
    }
  })();
  try {
    const result = await work(stop);
    await measure();
    over.signal.throwIfAborted();
    return result;
  } finally {
    clearTimeout(timer);
    done.abort();
    await watching;
  }
}

/** Bytes of all files in a folder that may change meanwhile. Stops counting above `limit`. */
async function folderSize(folder: string, limit: number): Promise<number> {
  let bytes = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined && bytes <= limit; next = pending.pop()) {
    for (const entry of await fs.readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else bytes += (await fs.lstat(path).catch(() => undefined))?.size ?? 0;
    }
  }
  return bytes;
}

/** The folder of the site. It must not be a link that leads out of the checkout. */
async function siteFolder({ ref, subfolder }: GitSource, site: string): Promise<string> {
  if (subfolder === undefined) return site;
  const root = await fs.realpath(site);
  const folder = await fs.realpath(join(site, subfolder)).catch(() => undefined);
  const isInside = folder?.startsWith(root + sep) ?? false;
  if (folder === undefined || !isInside || !(await fs.stat(folder)).isDirectory())
    throw new SourceFault(
      `There is no folder "${subfolder}" in the repository at "${ref}"${folder !== undefined && !isInside ? ": it is a symbolic link that points outside" : ""}.`,
    );
  return folder;
}

const entryName = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 32);

/** The name under which a repository is cached: its address and the subfolder. */
export const packName = (href: string, subfolder: string | undefined): string => `${href} ${subfolder ?? ""}`;

/** Name of the folder with the packs of a repository. */
export const packEntryName = (url: string, subfolder: string | undefined): string =>
  entryName(packName(URL.parse(url)?.href ?? url, subfolder));

export type PackCache = ReturnType<typeof openPackCache>;

/** Each fetch adds a pack. With more packs than this, a full fetch is cheaper. */
const maxPacks = 16;

/**
 * Caches fetched packs of repositories. Processes may share the cache, and it may be deleted at any time; entries that
 * are unused for 30 days are pruned.
 *
 * @param folder of all repositories.
 * @param name identifies what is fetched: the address and the subfolder.
 */
export function openPackCache(folder: string, name: string) {
  const entry = join(folder, entryName(name));
  const packsOf = (gitFolder: string): string => join(gitFolder, "objects", "pack");

  return {
    /** Copies the cached packs into a new repository and returns their commit; undefined if there are none. */
    async restore(gitFolder: string): Promise<string | undefined> {
      try {
        const revision = await fs.readFile(join(entry, "revision"), "utf8");
        const names = await fs.readdir(join(entry, "packs"));
        if (names.filter((name) => name.endsWith(".pack")).length > maxPacks) return undefined;
        await fs.mkdir(packsOf(gitFolder), { recursive: true });
        for (const name of names) await share(join(entry, "packs", name), join(packsOf(gitFolder), name));
        await copyIfThere(join(entry, "shallow"), join(gitFolder, "shallow"));
        markUsed(entry);
        return revision;
      } catch {
        // There is no entry, or another process is replacing it.
        return undefined;
      }
    },

    /** Replaces the cached packs with those of `gitFolder` at `revision`. */
    async save(gitFolder: string, revision: string): Promise<void> {
      const draft = `${entry}.${randomBytes(6).toString("hex")}`;
      try {
        await fs.mkdir(join(draft, "packs"), { recursive: true });
        for (const name of await fs.readdir(packsOf(gitFolder)))
          if (name.startsWith("pack-")) await share(join(packsOf(gitFolder), name), join(draft, "packs", name));
        await copyIfThere(join(gitFolder, "shallow"), join(draft, "shallow"));
        await fs.writeFile(join(draft, "revision"), revision);
        // A process that reads between these calls finds nothing and fetches everything.
        await fs.rm(entry, { recursive: true, force: true });
        await fs.rename(draft, entry);
        await pruneUnused(folder, [/^[0-9a-f]{32}(?:\.[0-9a-f]{12})?$/]);
      } catch {
        await fs.rm(draft, { recursive: true, force: true });
      }
    },
  };
}

/** Packs never change, so they are linked; on another disk they are copied. */
async function share(from: string, to: string): Promise<void> {
  await fs.link(from, to).catch(() => fs.copyFile(from, to));
}

/** `shallow` lists the commits without their parents. It is missing if there are none. */
async function copyIfThere(from: string, to: string): Promise<void> {
  await fs.copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
