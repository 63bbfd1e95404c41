import { mkdir, mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { explainGit } from "./explain-git.js";
import { folderSize } from "./folder-size.js";
import { type Environment, gitEnvironment } from "./git-environment.js";
import type { GitSource } from "./git-source.js";
import type { OpenedSource, SourceLimits } from "./open-source.js";
import { openPackCache, type PackCache } from "./pack-cache.js";
import { runGit } from "./run-git.js";
import { SourceFault } from "./source-fault.js";

/**
 * Fetches one commit of a repository, without its history, and writes its files, or those of its subfolder, into a new
 * folder of `workFolder`. With `cacheFolder` only what is new since the last fetch is sent.
 *
 * Fails: throws a `SourceFault`; what the file system throws. Nothing is left.
 * Stops: once `signal` aborts, rejects with its reason; git has gone then, and nothing is left.
 */
export async function checkoutGit(source: GitSource, options: CheckoutOptions): Promise<OpenedSource> {
  const { workFolder, cacheFolder, limits, signal } = options;
  const cache =
    cacheFolder === undefined ? undefined : openPackCache(cacheFolder, `${source.url.href} ${source.subfolder ?? ""}`);
  const place = await mkdtemp(join(workFolder, "source-"));
  const remove = (): Promise<void> => rm(place, { recursive: true, force: true, maxRetries: 3 });
  try {
    const revision = await bounded(place, limits, signal, (stop) =>
      checkout(source, place, options.environment, stop, cache),
    );
    return { folder: await siteFolder(source, join(place, "site")), revision, remove };
  } catch (error) {
    await remove();
    signal.throwIfAborted();
    throw explainGit(source, error);
  }
}

export interface CheckoutOptions {
  readonly workFolder: string;
  readonly cacheFolder?: string;
  readonly limits: SourceLimits;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

async function checkout(
  source: GitSource,
  place: string,
  environment: Environment,
  stop: AbortSignal,
  cache: PackCache | undefined,
): Promise<string> {
  const { url, ref, subfolder } = source;
  const [home, site] = [join(place, "home"), join(place, "site")];
  await Promise.all([mkdir(home), mkdir(site)]);
  const gitFolder = join(site, ".git");
  const variables = gitEnvironment(environment, url, home);
  const git = (...words: string[]): Promise<string> => runGit(site, words, variables, stop);
  await git("init", "--quiet", "--template=");
  await git("remote", "add", "--", "origin", url.href);
  const lent = await cache?.lend(gitFolder);
  try {
    // A ref is what git tells the server that it has.
    if (lent !== undefined) await git("update-ref", "refs/offprint/last", lent);
    // Of a subfolder's repository the other files are not even sent, where the server can leave them out.
    const filter = subfolder === undefined ? [] : ["--filter=blob:none"];
    await git("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", ...filter, "--", "origin", ref);
    const revision = (await git("rev-parse", "--verify", "FETCH_HEAD^{commit}")).trim();
    if (subfolder !== undefined) await git("sparse-checkout", "set", "--cone", "--", subfolder);
    await git("checkout", "--quiet", "--force", "--detach", revision, "--");
    if (lent !== revision) await cache?.keep(gitFolder, revision);
    // Neither to be exported nor to be read.
    await rm(gitFolder, { recursive: true, force: true });
    return revision;
  } catch (error) {
    // What the other side says stays so; anything else may come from what was kept.
    if (lent === undefined || stop.aborted || isFinal(explainGit(source, error))) throw error;
    await Promise.all([home, site].map((each) => rm(each, { recursive: true, force: true })));
    return checkout(source, place, environment, stop, cache && { ...cache, lend: async () => undefined });
  }
}

const isFinal = (error: Error): boolean => error instanceof SourceFault && !error.retry;

/** Within the limits: of time by a timer, of size by looking again and again, since git knows no bound itself. */
async function bounded<T>(
  place: string,
  { fetchTimeoutMs, maxSourceBytes }: SourceLimits,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const timer = setTimeout(() => {
    over.abort(new SourceFault(`The repository could not be fetched within ${fetchTimeoutMs / 1000} seconds.`, true));
  }, fetchTimeoutMs);
  const measure = async (): Promise<void> => {
    if ((await folderSize(place, maxSourceBytes)) > maxSourceBytes)
      over.abort(
        new SourceFault(
          `The repository is larger than ${Math.floor(maxSourceBytes / 1024 / 1024)} MB without its history: give the site's subfolder.`,
          false,
        ),
      );
  };
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted && !stop.aborted) {
      const begun = performance.now();
      await measure();
      // Of many files the looking itself takes long: a tenth of the time at most.
      const waitMs = Math.max(200, 10 * (performance.now() - begun));
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

/** The folder of the site, which no link may lead out of the checkout. */
async function siteFolder({ ref, subfolder }: GitSource, site: string): Promise<string> {
  if (subfolder === undefined) return site;
  const root = await realpath(site);
  const folder = await realpath(join(site, subfolder)).catch(() => undefined);
  const isInside = folder?.startsWith(root + sep) ?? false;
  if (folder === undefined || !isInside || !(await stat(folder)).isDirectory())
    throw new SourceFault(
      `There is no folder "${subfolder}" in the repository at "${ref}"${folder !== undefined && !isInside ? ": it is a link that leads out of it" : ""}.`,
      false,
    );
  return folder;
}
