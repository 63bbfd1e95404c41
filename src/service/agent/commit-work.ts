import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  GitFailure,
  type OpenedRepository,
  openRepository,
  type RepositoryOptions,
  SourceFault,
} from "../git/checkout/index.js";
import type { AgentRun, LogLine, SiteSource } from "../jobs/index.js";
import { pathFault, plainFile } from "./allowed-path.js";
import * as describe from "./describe-work.js";
import type { Review } from "./review/flag.js";

/** How the site of a run is changed, and what is stored of that. */
export interface CommitDeps extends RepositoryOptions {
  /** Secrets of the service: nothing with one of them is pushed. */
  readonly secrets: readonly string[];
  /** Changes a copy of the site in this folder, outside of this process. @param base the site as its base branch has it. */
  work(site: string, base: string, instructions: string | undefined): Promise<describe.AgentWork>;
  /** Judges the last state of each changed file, outside of this process and of the one that has changed them. */
  review(site: string, base: string, changes: readonly describe.FileChange[]): Promise<Review>;
  /** Stores what the model says about its work. */
  storeReply(reply: string): Promise<void>;
  storePatch(patch: string): Promise<void>;
  /** An event for the job's clients: without contents of files. */
  record(level: LogLine["level"], message: string): Promise<void>;
}

const author = { name: "Offprint agent", email: "agent@offprint.invalid" };
/** For the console, in characters. */
const maxStoredPatch = 1024 * 1024;
const maxPatchBytes = 8 * 1024 * 1024;

export interface Start {
  readonly source: Extract<SiteSource, { kind: "git" }>;
  /** Name of the base branch. */
  readonly base: string;
  /** Last commit of the agent's branch; undefined if the run starts at the base. */
  readonly tip: string | undefined;
}

/** Commits the work. Undefined if it changes nothing. */
export async function commitWork(
  run: AgentRun,
  opened: OpenedRepository,
  { source, base, tip }: Start,
  deps: CommitDeps,
): Promise<describe.PushedWork | undefined> {
  const { subfolder } = source;
  // Other people and earlier runs may have pushed to the agent's branch, so only the base says what belongs to the site.
  const trusted = tip === undefined ? opened : await openRepository(source, base, deps);
  try {
    const instructions = run.job.mode === "model" ? await instructionsOf(trusted, subfolder) : undefined;
    const work = await deps.work(opened.folder, trusted.folder, instructions);
    const { changes, before, after } = work;
    const lastChanges = [...new Map(changes.map((change) => [change.path, change])).values()];
    await deps.record(
      "info",
      `Changed files: ${lastChanges.length}. Errors: ${before.errors} before, ${after.errors} after. Warnings: ${before.warnings}, ${after.warnings}.`,
    );
    if (work.words !== undefined) {
      refuseSecrets("The model's answer contains", secretsIn(work.words, work.words, deps.secrets));
      await deps.storeReply(work.words);
    }
    if (changes.length === 0) return undefined;
    const site = await realpath(opened.folder);
    for (const { path } of lastChanges) await refuseUnwritable(path, site, opened, subfolder);
    const { refused, flags } = await deps.review(opened.folder, trusted.folder, lastChanges);
    for (const { path, why } of refused) throw notWritable(path, why);
    const isOnBase = trusted === opened;
    return await commitChanges(run, opened, { site, subfolder, work, flags, isOnBase }, deps);
  } finally {
    if (trusted !== opened) await trusted.remove();
  }
}

interface ReviewedWork extends Pick<Review, "flags"> {
  /** Real path of the site. */
  readonly site: string;
  readonly subfolder: string | undefined;
  readonly work: describe.AgentWork;
  /** Whether the commits come directly after the base branch. */
  readonly isOnBase: boolean;
}

/** Commits what the prompt has changed, and then what the repair has changed of that. */
async function commitChanges(
  run: AgentRun,
  opened: OpenedRepository,
  { site, subfolder, work, flags, isOnBase }: ReviewedWork,
  deps: CommitDeps,
): Promise<describe.PushedWork | undefined> {
  const aside = (name: string): string => join(dirname(opened.workTree), name);
  const start = (await opened.git("rev-parse", "HEAD")).trim();
  const commit = async (message: string, ...options: readonly string[]): Promise<void> => {
    await writeFile(aside("message"), message);
    const identity = ["-c", `user.name=${author.name}`, "-c", `user.email=${author.email}`];
    const plainly = ["--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim"];
    await opened.git(...identity, "commit", ...plainly, ...options, "-F", aside("message"));
  };
  let text = "";
  const committed: string[] = [];
  for (const by of ["prompt", "repair"] as const) {
    const changes = work.changes.filter((change) => change.by === by);
    if (changes.length === 0) continue;
    for (const change of changes) await apply(site, change);
    const paths = changes.map(({ path }) => (subfolder === undefined ? path : `${subfolder}/${path}`));
    await writeFile(aside("paths"), paths.join("\0"));
    await opened.git("add", "--all", "--force", `--pathspec-from-file=${aside("paths")}`, "--pathspec-file-nul");
    await opened.git("diff", "--cached", "--no-color", "--no-ext-diff", "--no-textconv", `--output=${aside("patch")}`);
    const patch = await readFile(aside("patch"));
    if (patch.length === 0) continue;
    text += patch.toString("utf8");
    if (text.length > maxPatchBytes) throw new SourceFault("The changes are too large for someone to review.");
    await commit(`${describe.describeWork(run, work, []).title}\n`);
    committed.push(by);
  }
  if (committed.length === 0) return undefined;

  const promptHosts = hostsIn([run, ...run.earlier].map(({ prompt }) => prompt).join("\n"));
  const isKnownHost = async (host: string): Promise<boolean> =>
    promptHosts.has(host) || (await isInSite(opened, host, start, subfolder));
  const { secrets, suspicions } = await scanChanges(text, deps.secrets, isKnownHost);
  refuseSecrets("The changes contain", secrets);
  const lines = [...suspicions];
  for (const flag of flags)
    if (flag.host === undefined || !(await isKnownHost(flag.host))) lines.push(describe.flagText(flag));
  if (lines.length > 0) await deps.record("warning", "The pull request is a draft. Its description says why.");
  await deps.storePatch(text.slice(0, maxStoredPatch));

  const base = isOnBase && run.job.mode === "repair" ? { base: start } : {};
  const pushed = { ...describe.describeWork(run, work, lines), isDraft: lines.length > 0, ...base };
  // A run that is repeated reads what it has pushed from the last commit alone.
  const subject = committed.length > 1 ? describe.repairSubject(work) : pushed.title;
  await commit(describe.pushedMessage(pushed, run.runId, subject), "--amend");
  return pushed;
}

function refuseSecrets(where: string, secrets: readonly string[]): void {
  if (secrets.length > 0) throw new SourceFault(`${where} ${secrets.join(" and ")}, so nothing was pushed.`);
}

/** The rules for texts that the site's owners have written. */
async function instructionsOf({ git }: OpenedRepository, subfolder: string | undefined): Promise<string | undefined> {
  for (const folder of [".offprint", ".mintlify"]) {
    const path = [subfolder, folder, "AGENTS.md"].filter((each) => each !== undefined).join("/");
    try {
      return await git("show", `HEAD:${path}`);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
    }
  }
  return undefined;
}

const notWritable = (path: string, why: string, cause?: unknown): SourceFault =>
  new SourceFault(
    `The changes include a file that the agent is not allowed to write: ${JSON.stringify(path)}. ${why}`,
    false,
    { cause },
  );

/** By the path alone, before anything reads the changes. */
async function refuseUnwritable(
  path: string,
  site: string,
  { git }: OpenedRepository,
  subfolder: string | undefined,
): Promise<void> {
  const fault = pathFault(path);
  if (fault !== undefined) throw notWritable(path, fault);
  await plainFile(site, path).catch((cause: Error) => {
    throw notWritable(path, cause.message, cause);
  });
  const whole = subfolder === undefined ? path : `${subfolder}/${path}`;
  const folders = [...whole.matchAll(/\//g)].map(({ index }) => whole.slice(0, index));
  if (folders.length > 0 && /^160000 /m.test(await git("ls-tree", "HEAD", "--", ...folders, whole)))
    throw notWritable(path, "It is in a submodule.");
}

async function apply(site: string, { path, content }: describe.FileChange): Promise<void> {
  const file = await plainFile(site, path);
  if (content === undefined) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function isInSite(
  opened: OpenedRepository,
  host: string,
  commit: string,
  subfolder: string | undefined,
): Promise<boolean> {
  try {
    // `acme.co` is not named by a text with `acme.com`.
    const whole = `(^|[^[:alnum:]_.-])${host.replaceAll(".", "\\.")}([^[:alnum:]_.-]|\\.?$|\\.[^[:alnum:]])`;
    const paths = subfolder === undefined ? [] : [subfolder];
    await opened.git("grep", "-qiE", "-e", whole, commit, "--", ...paths);
    return true;
  } catch (error) {
    // Git exits with 1 and prints nothing if it finds nothing.
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

/** What a change contains that a person must review, and what must never be pushed. */
export interface ScannedChanges {
  /** Kinds of secrets, such as "a private key". If there is one, nothing is pushed. */
  readonly secrets: readonly string[];
  /** Sentences for the pull request. If there is one, it is a draft. */
  readonly suspicions: readonly string[];
}

const keyShapes: readonly (readonly [name: string, shape: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ["a GitHub token", /\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/],
  ["a GitLab token", /\bgl(pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_-]{20,}/],
  ["an AWS key", /\b(AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a Google API key", /\bAIza[A-Za-z0-9_-]{35}\b/],
  ["a model API key", /\bsk-(ant-|proj-)?[A-Za-z0-9_-]{32,}/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/],
  ["a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{20,}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a key of this service", /\bsvc_(?!dsc_)[A-Za-z0-9_-]{20,}/],
  ["a signed token", /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
];

/** Marks that reorder or hide text. The zero-width joiners are letters of some languages and parts of emoji. */
const hidden = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u00ad\ufeff\u{e0000}-\u{e007f}]/u;

/**
 * Scans a patch.
 *
 * @param patch as `git diff` prints it. Removed lines do not count.
 * @param ownSecrets of this service; also found in base64 and in the form of an address.
 * @param isKnownHost whether the site, or the prompt, names the host already.
 */
export async function scanChanges(
  patch: string,
  ownSecrets: readonly string[],
  isKnownHost: (host: string) => Promise<boolean>,
): Promise<ScannedChanges> {
  const lines = patch.split("\n");
  const added = lines.filter((line) => line.startsWith("+") && !line.startsWith("+++ ")).map((line) => line.slice(1));
  const removed = lines.filter((line) => line.startsWith("-") && !line.startsWith("--- ")).join("\n");
  const text = added.join("\n");
  // A secret in the name of a file would leak, too.
  const secrets = secretsIn(text, lines.join("\n"), ownSecrets);
  const suspicions: string[] = [];
  if (hidden.test(text)) suspicions.push("It adds invisible characters, such as bidirectional control characters.");
  const comments = (lines: string): number => lines.split(/<!--|\{\/\*/).length;
  if (comments(text) > comments(removed)) suspicions.push("It adds a comment, which readers of the page do not see.");
  const hosts: string[] = [];
  for (const host of hostsIn(text)) if (!hostsIn(removed).has(host) && !(await isKnownHost(host))) hosts.push(host);
  if (hosts.length > 0)
    suspicions.push(
      `It adds links to hosts that the site did not link to before: ${hosts
        .slice(0, 10)
        .map((host) => `\`${host}\``)
        .join(", ")}.`,
    );
  return { secrets, suspicions };
}

/** Names of kinds of secrets in `text`. @param around is searched only for the service's own. */
export function secretsIn(text: string, around: string, ownSecrets: readonly string[]): string[] {
  const keys = keyShapes.filter(([, shape]) => shape.test(text)).map(([name]) => name);
  // Also find a secret that a line break cuts in two.
  const joined = around + text.replaceAll(/\s+/g, "");
  const isOwn = ownSecrets.some((secret) => formsOf(secret).some((form) => joined.includes(form)));
  return isOwn ? [...keys, "a secret of this service"] : keys;
}

/** The hosts of the addresses in a text, in lower case. */
export function hostsIn(text: string): ReadonlySet<string> {
  const links = text.matchAll(/(?:\b[a-z][a-z0-9+.-]*:)?\/\/([a-z0-9\u0080-\uffff._-]+\.[a-z0-9\u0080-\uffff-]+)/gi);
  return new Set(Array.from(links, ([, host]) => host!.toLowerCase()));
}

/** Shorter texts would match by accident. */
const shortestSecret = 8;

function formsOf(secret: string): readonly string[] {
  if (secret.length < shortestSecret) return [];
  // Base64 depends on where in a longer text the secret begins; the characters at its ends are shared with neighbours.
  const encoded = [0, 1, 2].map((shift) => {
    const text = Buffer.from("\0".repeat(shift) + secret)
      .toString("base64")
      .replace(/=+$/, "");
    return text.slice(shift === 0 ? 0 : shift + 1, -1);
  });
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString("hex"), ...encoded];
}
