import * as fs from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { checkSite } from "../export/index.js";
import { type Diagnostic, type Edit, isRepairable } from "../lib/diagnostic/index.js";
import { systemErrorCode } from "../lib/system-error.js";
import type { ChangedFile, Proposal, Repair, RepairOptions, WrittenRepair } from "./repair-types.js";
import { openWorkspace, type Workspace } from "./workspace.js";

/** Repairing a fault may reveal another one, or make room for another edit. */
const maxRounds = 5;

/** A fault with the edits that repair it. */
interface Candidate {
  readonly diagnostic: Diagnostic;
  readonly edits: readonly Edit[];
}

/**
 * Finds the edits that repair a site and checks the site with them, in a temporary copy. Writes nothing into the folder:
 * see `writeRepair`. An edit is accepted if its own fault disappears and no other one appears. The same site always gives the
 * same result, and a repaired site has nothing more to repair.
 *
 * Stops: within a second once `signal` aborts; rejects with its reason. Nothing is left behind.
 *
 * @throws {Error} of the file system.
 */
export async function repairSite(options: RepairOptions): Promise<Repair> {
  const { folder, codes, cacheFolder, signal, check = checkSite } = options;
  signal?.throwIfAborted();
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    const { diagnostics } = await check({ source: folder, cacheFolder, signal });
    return { changedFiles: [], mended: [], proposed: [], rounds: 0, remaining: diagnostics };
  }
  const workspace = await openWorkspace(options);
  try {
    const isRequested = ({ code }: Diagnostic): boolean => codes === undefined || codes.includes(code);
    const refused = new Map<string, { readonly why: string; readonly repairedBefore: number }>();
    const mended: Diagnostic[] = [];
    let remaining = await workspace.check([]);
    let rounds = 0;
    while (rounds < maxRounds) {
      // Try a refused edit again only if the site has changed since.
      const isOpen = ({ diagnostic }: Candidate): boolean =>
        refused.get(refusalKey(diagnostic))?.repairedBefore !== mended.length;
      const open = candidatesIn(remaining.filter(isRequested), workspace).filter(isOpen);
      const hiding = open.filter(({ diagnostic }) => hidesOthers(diagnostic));
      const candidates = hiding.length > 0 ? hiding : open;
      if (candidates.length === 0) break;
      const accepted = await tryCandidates(candidates, remaining, workspace, ({ diagnostic }, why, acceptedCount) =>
        refused.set(refusalKey(diagnostic), { why, repairedBefore: mended.length + acceptedCount }),
      );
      if (accepted.candidates.length === 0) break;
      rounds++;
      workspace.accept(accepted.candidates.flatMap(({ edits }) => edits));
      mended.push(...accepted.candidates.map(({ diagnostic }) => diagnostic));
      remaining = accepted.faults;
    }
    const proposed = remaining
      .filter((diagnostic) => diagnostic.edits && isRequested(diagnostic))
      .map((diagnostic) => ({
        diagnostic,
        why: whyNot(diagnostic, refused.get(refusalKey(diagnostic))?.why, workspace),
      }));
    return { changedFiles: workspace.changedFiles(), mended, proposed, remaining, rounds };
  } finally {
    workspace.close();
  }
}

const refusalKey = (diagnostic: Diagnostic): string =>
  `${faultKey(diagnostic)} ${diagnostic.edits?.map(({ replacement }) => replacement).join(" ")}`;

/** The faults whose edits are certain, can be made, and do not overlap those of an earlier one. */
function candidatesIn(faults: readonly Diagnostic[], workspace: Workspace): Candidate[] {
  const planned = new Map<string, Edit[]>();
  const editsOfFile = ({ sourcePath }: Edit): Edit[] => {
    const path = workspace.realPath(sourcePath)!;
    const edits = planned.get(path) ?? [];
    planned.set(path, edits);
    return edits;
  };
  return faults.flatMap((diagnostic) => {
    const { edits = [] } = diagnostic;
    if (!isRepairable(diagnostic) || edits.some((edit) => workspace.refusal(edit) !== undefined)) return [];
    const newEdits = edits.filter((edit) => !editsOfFile(edit).some((other) => isSame(edit, other)));
    if (newEdits.some((edit) => editsOfFile(edit).some((other) => overlaps(edit, other)))) return [];
    for (const edit of newEdits) editsOfFile(edit).push(edit);
    return [{ diagnostic, edits: newEdits }];
  });
}

const isSame = (a: Edit, b: Edit): boolean => a.start === b.start && a.end === b.end && a.replacement === b.replacement;
const overlaps = (a: Edit, b: Edit): boolean => a.start <= b.end && b.start <= a.end;

/** Accepts all candidates if their faults disappear and no other appears, else tries each half. */
async function tryCandidates(
  all: readonly Candidate[],
  before: readonly Diagnostic[],
  workspace: Workspace,
  refuse: (candidate: Candidate, why: string, acceptedCount: number) => void,
): Promise<{ readonly candidates: readonly Candidate[]; readonly faults: readonly Diagnostic[] }> {
  let accepted: readonly Candidate[] = [];
  let faults = before;
  const attempt = async (list: readonly Candidate[]): Promise<void> => {
    if (list.length === 0) return;
    const together = [...accepted, ...list];
    const after = await workspace.check(together.flatMap(({ edits }) => edits));
    const staying = stayingFaults(
      together.map(({ diagnostic }) => diagnostic),
      before,
      after,
    );
    const isReading = list.every(({ diagnostic }) => hidesOthers(diagnostic));
    const added = addedFaults(before, after).filter((fault) => !isReading || hidesOthers(fault));
    if (added.length === 0 && staying.size === 0) {
      accepted = together;
      faults = after;
    } else if (list.length === 1) refuse(list[0]!, refusalOf(added), accepted.length);
    else for (const part of split(list, added, staying)) await attempt(part);
  };
  await attempt(all);
  return { candidates: accepted, faults };
}

const refusalOf = ([added]: readonly Diagnostic[]): string =>
  added
    ? `This change would cause another fault: ${added.code}${added.location ? ` in ${added.location.sourcePath}` : ""}.`
    : "This change would not remove the fault.";

/** Separates candidates whose fault stays or whose file has a new one from the others; two halves if that fails. */
function split(
  list: readonly Candidate[],
  added: readonly Diagnostic[],
  staying: ReadonlySet<Diagnostic>,
): readonly (readonly Candidate[])[] {
  const files = new Set(added.map(({ location }) => location?.sourcePath));
  const isSuspect = ({ diagnostic, edits }: Candidate): boolean =>
    staying.has(diagnostic) || edits.some(({ sourcePath }) => files.has(sourcePath));
  const suspects = list.filter(isSuspect);
  if (suspects.length > 0 && suspects.length < list.length)
    return [list.filter((candidate) => !isSuspect(candidate)), suspects];
  const middle = list.length >> 1;
  return [list.slice(0, middle), list.slice(middle)];
}

function whyNot({ edits = [] }: Diagnostic, refused: string | undefined, workspace: Workspace): Proposal["why"] {
  const unusable = edits.map((edit) => workspace.refusal(edit)).find((why) => why !== undefined);
  if (unusable !== undefined) return unusable;
  if (edits.some(({ certain }) => !certain)) return "The change is probably right, but not certain.";
  return refused ?? "It overlaps an earlier change; run the command again.";
}

/** Identifies a fault, whatever changes in the other lines of its file. */
const faultKey = ({ code, what, location }: Diagnostic): string =>
  `${code} ${location?.sourcePath ?? ""} ${what.replace(/\bline \d+/g, "line")}`;

/** Whether the fault hides the other faults of its file. The edit that makes the file readable reveals them. */
const hidesOthers = ({ code }: Diagnostic): boolean =>
  ["JSON_BROKEN", "MDX_SYNTAX", "NOT_UTF8", "SPEC_SYNTAX", "FRONTMATTER_SYNTAX"].includes(code);

/** The faults of `after` that `before` does not have. */
export function addedFaults(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic[] {
  const left = countFaults(before);
  // The list of these faults has a maximum: repairing some lists others in their place.
  const isCut = before.some(({ code }) => code === "CONFIG_MORE_FAULTS");
  return after.filter((fault) => {
    if (fault.code === "CONFIG_MORE_FAULTS" || (isCut && fault.code.startsWith("CONFIG_"))) return false;
    const key = faultKey(fault);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

function countFaults(faults: readonly Diagnostic[]): Map<string, number> {
  return new Map([...Map.groupBy(faults, faultKey)].map(([key, group]) => [key, group.length]));
}

/** The edited faults that remain. Faults with the same key are indistinguishable: if one remains, all count as remaining. */
function stayingFaults(
  edited: readonly Diagnostic[],
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): Set<Diagnostic> {
  const [countBefore, countAfter] = [countFaults(before), countFaults(after)];
  const groups = Map.groupBy(edited, faultKey);
  return new Set(
    [...groups].flatMap(([key, group]) =>
      (countAfter.get(key) ?? 0) > (countBefore.get(key) ?? 0) - group.length ? group : [],
    ),
  );
}

/**
 * Writes the changed files into the folder. Each is written next to its place first and then renamed, so it is never half
 * written, and nothing is renamed before all are written. A file that is no longer as it was read is left alone, as is one
 * that a symbolic link puts outside of the folder.
 *
 * @throws {Error} of the file system, such as a full disk; files renamed before stay.
 */
export function writeRepair(folder: string, changedFiles: readonly ChangedFile[]): WrittenRepair {
  const root = fs.realpathSync(folder);
  const skipped: { path: string; why: string }[] = [];
  const ready: { file: ChangedFile; target: string; temporary: string }[] = [];
  const isRefused = (file: ChangedFile, target: string): boolean => {
    const why = writeRefusal(file, target, root);
    if (why !== undefined) skipped.push({ path: file.path, why });
    return why !== undefined;
  };
  try {
    for (const file of changedFiles) {
      const target = join(root, file.path);
      if (isRefused(file, target)) continue;
      const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
      const mode = file.before ? fs.lstatSync(target).mode : 0o644;
      if (file.after) fs.writeFileSync(temporary, file.after, { flag: "wx", mode, flush: true });
      ready.push({ file, target, temporary });
    }
    const written = ready.filter(({ file, target, temporary }) => {
      if (isRefused(file, target)) return false;
      if (file.after) fs.renameSync(temporary, target);
      else fs.rmSync(target);
      return true;
    });
    return { written: written.map(({ file }) => file.path), skipped };
  } finally {
    for (const { temporary } of ready) fs.rmSync(temporary, { force: true });
  }
}

function writeRefusal({ path, before }: ChangedFile, target: string, root: string): string | undefined {
  try {
    const folder = fs.realpathSync(dirname(target));
    if (path.split("/").includes("..") || (folder !== root && !folder.startsWith(root + sep)))
      return "It is not inside the site's folder.";
    if (!before) return fs.existsSync(target) ? "A file with this name now exists." : undefined;
    if (!fs.lstatSync(target).isFile()) return "It is not a regular file.";
    fs.accessSync(target, fs.constants.W_OK);
    return fs.readFileSync(target).equals(before) ? undefined : "The file has changed since it was read.";
  } catch (error) {
    return `It cannot be written (${systemErrorCode(error) ?? String(error)}).`;
  }
}
