import type { Conversion, Note } from "../convert/index.js";

const shownPerKind = 5;

/** What was converted, and what needs a person: the first of each kind, or all. */
export function conversionReport({ tool, pageCount, notes }: Conversion, from: string, all: boolean): string {
  const hints = notes.filter(({ kind }) => kind === "hint");
  const open = notes.filter(({ kind }) => kind !== "hint");
  const lines = [`Converted ${pageCount} page${pageCount === 1 ? "" : "s"} from ${tool}.`];
  if (hints.length > 0)
    lines.push(
      `${hints.length} page${hints.length === 1 ? " had its" : "s had their"} title a second time as a heading, which is dropped.`,
    );
  if (open.length === 0) return `${lines.join("\n")}\n`;
  lines.push("", `Needs you (${open.length}), in the files of ${from}:`);
  for (const [, group] of Map.groupBy(open, ({ kind }) => kind)) {
    const shown = all ? group : group.slice(0, shownPerKind);
    lines.push(...shown.map((note) => `  ${place(note)}  ${printable(note.what)}`));
    if (group.length > shown.length) lines.push(`  … and ${group.length - shown.length} more like it (--all)`);
  }
  return `${lines.join("\n")}\n`;
}

const place = ({ sourcePath, line }: Note): string =>
  printable(line === undefined ? sourcePath : `${sourcePath}:${line}`);

/** Names and texts are those of the files. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "�");
