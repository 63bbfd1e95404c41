import { statSync } from "node:fs";
import { checkSite } from "../export/index.js";
import { type Diagnostic, type Edit, isMendable } from "../lib/diagnostic/index.js";
import type { Proposal, Repair, RepairOptions } from "./repair-types.js";
import { openWorkspace, type Workspace } from "./workspace.js";

/** A mended fault may make another one visible, or free its place for another edit. */
const mostRounds = 5;

/** A fault with edits that may be made. */
interface Candidate {
  readonly diagnostic: Diagnostic;
  readonly edits: readonly Edit[];
}

/**
 * Finds the edits that mend a site and checks the site with them, in a temporary copy. Writes nothing into the folder:
 * see `writeRepair`. An edit is kept if its own fault is gone with it and no other one has come. The same site gives the
 * same result, and a repaired one nothing more to change.
 *
 * Stops: within a second once `signal` aborts; rejects with its reason. Nothing is left behind.
 *
 * @throws {Error} of the file system.
 */
export async function repairSite(options: RepairOptions): Promise<Repair> {
  const { folder, codes, cacheFolder, signal, check = checkSite } = options;
  signal?.throwIfAborted();
  const none = { changedFiles: [], mended: [], proposed: [], rounds: 0 };
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return { ...none, remaining: (await check({ source: folder, cacheFolder, signal })).diagnostics };
  const workspace = await openWorkspace(options);
  try {
    const isWanted = ({ code }: Diagnostic): boolean => codes === undefined || codes.includes(code);
    const refused = new Map<string, { readonly why: string; readonly after: number }>();
    const mended: Diagnostic[] = [];
    let remaining = await workspace.check([]);
    let rounds = 0;
    while (rounds < mostRounds) {
      // What was refused is tried again only if the site is another one by now.
      const isOpen = ({ diagnostic }: Candidate): boolean =>
        refused.get(refusalKey(diagnostic))?.after !== mended.length;
      const open = candidatesIn(remaining.filter(isWanted), workspace).filter(isOpen);
      const hiding = open.filter(({ diagnostic }) => hidesOthers(diagnostic));
      const candidates = hiding.length > 0 ? hiding : open;
      if (candidates.length === 0) break;
      const kept = await tryCandidates(candidates, remaining, workspace, ({ diagnostic }, why, keptCount) =>
        refused.set(refusalKey(diagnostic), { why, after: mended.length + keptCount }),
      );
      if (kept.candidates.length === 0) break;
      rounds++;
      workspace.accept(kept.candidates.flatMap(({ edits }) => edits));
      mended.push(...kept.candidates.map(({ diagnostic }) => diagnostic));
      remaining = kept.faults;
    }
    const proposed = remaining
      .filter((diagnostic) => diagnostic.edits && isWanted(diagnostic))
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
  `${keyOf(diagnostic)} ${diagnostic.edits?.map(({ replacement }) => replacement).join(" ")}`;

/** The faults whose edits are certain, can be made, and do not overlap those of an earlier one. */
function candidatesIn(faults: readonly Diagnostic[], workspace: Workspace): Candidate[] {
  const taken = new Map<string, Edit[]>();
  return faults.flatMap((diagnostic) => {
    const edits = diagnostic.edits ?? [];
    if (!isMendable(diagnostic) || edits.some((edit) => workspace.refusal(edit) !== undefined)) return [];
    const news = edits.filter((edit) => !ownEdits(edit).some((other) => isSame(edit, other)));
    if (news.some((edit) => ownEdits(edit).some((other) => overlaps(edit, other)))) return [];
    for (const edit of news) ownEdits(edit).push(edit);
    return [{ diagnostic, edits: news }];
  });
  function ownEdits({ sourcePath }: Edit): Edit[] {
    const path = workspace.ownPath(sourcePath)!;
    const list = taken.get(path) ?? [];
    taken.set(path, list);
    return list;
  }
}

const isSame = (a: Edit, b: Edit): boolean => a.start === b.start && a.end === b.end && a.replacement === b.replacement;
const overlaps = (a: Edit, b: Edit): boolean => a.start <= b.end && b.start <= a.end;

/**
 * Keeps as many candidates as the site allows: all of them if their faults are gone and no other has come, otherwise the
 * same for each half.
 */
async function tryCandidates(
  all: readonly Candidate[],
  before: readonly Diagnostic[],
  workspace: Workspace,
  refuse: (candidate: Candidate, why: string, keptCount: number) => void,
): Promise<{ readonly candidates: readonly Candidate[]; readonly faults: readonly Diagnostic[] }> {
  let kept: readonly Candidate[] = [];
  let faults = before;
  const attempt = async (list: readonly Candidate[]): Promise<void> => {
    if (list.length === 0) return;
    const together = [...kept, ...list];
    const after = await workspace.check(together.flatMap(({ edits }) => edits));
    const staying = stayingFaults(
      together.map(({ diagnostic }) => diagnostic),
      before,
      after,
    );
    const isReading = list.every(({ diagnostic }) => hidesOthers(diagnostic));
    const added = addedFaults(before, after).filter((fault) => !isReading || hidesOthers(fault));
    if (added.length === 0 && staying.size === 0) {
      kept = together;
      faults = after;
    } else if (list.length === 1) refuse(list[0]!, refusalOf(added), kept.length);
    else {
      const [first, second] = parted(list, added, staying);
      await attempt(first);
      await attempt(second);
    }
  };
  await attempt(all);
  return { candidates: kept, faults };
}

const refusalOf = ([added]: readonly Diagnostic[]): string =>
  added
    ? `With this change, another fault would come: ${added.code}${added.location ? ` in ${added.location.sourcePath}` : ""}.`
    : "The fault would stay.";

/** Those that nothing speaks against, and the others; halves if that does not part them. */
function parted(
  list: readonly Candidate[],
  added: readonly Diagnostic[],
  staying: ReadonlySet<Diagnostic>,
): [Candidate[], Candidate[]] {
  const files = new Set(added.map(({ location }) => location?.sourcePath));
  const isSuspect = ({ diagnostic, edits }: Candidate): boolean =>
    staying.has(diagnostic) || edits.some(({ sourcePath }) => files.has(sourcePath));
  const suspects = list.filter(isSuspect);
  if (suspects.length > 0 && suspects.length < list.length) return [list.filter((each) => !isSuspect(each)), suspects];
  const middle = list.length >> 1;
  return [list.slice(0, middle), list.slice(middle)];
}

function whyNot({ edits = [] }: Diagnostic, refused: string | undefined, workspace: Workspace): Proposal["why"] {
  const unusable = edits.map((edit) => workspace.refusal(edit)).find((why) => why !== undefined);
  if (unusable !== undefined) return unusable;
  if (edits.some(({ certain }) => !certain)) return "It is likely, but not certain, what was meant.";
  return refused ?? "Another change of the same text comes first; run it once more.";
}

/** The same for one fault before and after other lines of its file have changed. */
const keyOf = ({ code, what, location }: Diagnostic): string =>
  `${code} ${location?.sourcePath ?? ""} ${what.replace(/\bline \d+/g, "line")}`;

/**
 * Faults of a file that cannot be read: as long as it has one, the others cannot be seen. They have not come with the edit
 * that makes it readable.
 */
const hidesOthers = ({ code }: Diagnostic): boolean => hiding.has(code);
const hiding = new Set(["JSON_BROKEN", "MDX_SYNTAX", "NOT_UTF8", "SPEC_SYNTAX", "FRONTMATTER_SYNTAX"]);

/** The faults of `after` that `before` does not have. */
export function addedFaults(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic[] {
  const left = counted(before);
  // Once listed ones are gone, others take their places.
  const isCut = before.some(({ code }) => code === "CONFIG_MORE_FAULTS");
  return after.filter((fault) => {
    if (fault.code === "CONFIG_MORE_FAULTS" || (isCut && fault.code.startsWith("CONFIG_"))) return false;
    const key = keyOf(fault);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

function counted(faults: readonly Diagnostic[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(keyOf(fault), (counts.get(keyOf(fault)) ?? 0) + 1);
  return counts;
}

/** Those of the mended faults that are still there: all with one key if one of these is, for they look the same. */
function stayingFaults(
  mended: readonly Diagnostic[],
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): Set<Diagnostic> {
  const [had, has] = [counted(before), counted(after)];
  const groups = Map.groupBy(mended, keyOf);
  return new Set(
    [...groups].flatMap(([key, group]) => ((has.get(key) ?? 0) > (had.get(key) ?? 0) - group.length ? group : [])),
  );
}
