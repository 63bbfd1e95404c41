const contextLines = 3;

interface Change {
  /** Lines before and after the change that are equal up to here. */
  readonly at: number;
  readonly newAt: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** The changes of a text file as `git apply` and `patch -p1` read them; both texts with their line ends. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const [old, young] = [linesOf(before), linesOf(after)];
  const hunks = grouped(changesOf(old, young)).map((changes) => hunkText(changes, old));
  return `--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/**
 * Where two lists of lines differ. After a difference, both go on at the nearest line that they share and that says
 * something; it may not be the shortest difference, but it is a right one.
 */
function changesOf(old: readonly string[], young: readonly string[]): Change[] {
  const changes: Change[] = [];
  let [at, newAt] = [0, 0];
  while (at < old.length || newAt < young.length) {
    if (at < old.length && old[at] === young[newAt]) {
      at++;
      newAt++;
      continue;
    }
    const [skip, newSkip] = nextShared(old, at, young, newAt);
    changes.push({ at, newAt, removed: old.slice(at, at + skip), added: young.slice(newAt, newAt + newSkip) });
    at += skip;
    newAt += newSkip;
  }
  return changes;
}

function nextShared(old: readonly string[], at: number, young: readonly string[], newAt: number): [number, number] {
  const first = new Map<string, number>();
  const most = Math.max(old.length - at, young.length - newAt);
  const firstOld = new Map<string, number>();
  for (let i = 0; i < most; i++) {
    const [line, newLine] = [old[at + i], young[newAt + i]];
    if (line === newLine) return [i, i];
    if (line !== undefined && !firstOld.has(line)) firstOld.set(line, i);
    if (newLine !== undefined && !first.has(newLine)) first.set(newLine, i);
    const inYoung = line?.trim() ? first.get(line) : undefined;
    if (inYoung !== undefined) return [i, inYoung];
    const inOld = newLine?.trim() ? firstOld.get(newLine) : undefined;
    if (inOld !== undefined) return [inOld, i];
  }
  return [old.length - at, young.length - newAt];
}

/** Changes whose context would touch are one hunk. */
function grouped(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last && change.at - (last.at + last.removed.length) <= 2 * contextLines) groups.at(-1)!.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkText(changes: readonly Change[], old: readonly string[]): string {
  const [first, last] = [changes[0]!, changes.at(-1)!];
  const start = Math.max(0, first.at - contextLines);
  const end = Math.min(old.length, last.at + last.removed.length + contextLines);
  const newStart = first.newAt - (first.at - start);
  let lines = "";
  let at = start;
  for (const change of changes) {
    lines += old.slice(at, change.at).map(marked(" ")).join("");
    lines += change.removed.map(marked("-")).join("") + change.added.map(marked("+")).join("");
    at = change.at + change.removed.length;
  }
  lines += old.slice(at, end).map(marked(" ")).join("");
  const grown = changes.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0);
  return `@@ -${range(start, end - start)} +${range(newStart, end - start + grown)} @@\n${lines}`;
}

/** Counts from 1; an empty range names the line before it. */
const range = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`;

const marked =
  (sign: string) =>
  (line: string): string =>
    line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
