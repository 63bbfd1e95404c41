import { attempt } from "../attempt.js";
import type { Diagnostic, Location } from "./diagnostic.js";
import { lineStarts, withLineFeeds } from "./position-at.js";

/** Longest part of a line in the code frame, in UTF-16 code units; longer lines are cut around the fault. */
const frameWidth = 120;
const before = 40;

export interface DiagnosticStyle {
  /** Returns the path to print for a file of the site. Default: relative to the site. */
  readonly pathOf?: (sourcePath: string) => string;
  /** Colors the severity and the carets. */
  readonly paint?: (text: string, severity: Diagnostic["severity"]) => string;
}

/**
 * The printed form of a diagnostic, without a line feed at the end.
 *
 * In:  `readText` returns a file of the site; if it returns undefined or throws, there is no code frame.
 * Out: head line, facts, the line with carets under the fault, and the fix. Control characters in the site's text
 *      become `�`, so that a site cannot control the terminal.
 */
export function formatDiagnostic(
  diagnostic: Diagnostic,
  readText?: (sourcePath: string) => string | undefined,
  { pathOf = (sourcePath) => sourcePath, paint = (text) => text }: DiagnosticStyle = {},
): string {
  const { severity, code, what, location, related, fix } = diagnostic;
  const nameOf = (place: Location): string => locationText({ ...place, sourcePath: pathOf(place.sourcePath) });
  const place = location ? [printable(nameOf(location))] : [];
  const lines = [[paint(severity, severity), code, ...place].join(" ")];
  lines.push(...indented("  ", what));
  const frame = location && readText ? codeFrame(location, readText, { related, nameOf }) : [];
  for (const { kind, gutter, text } of frame)
    lines.push(`  ${gutter}${kind === "fault" ? text.replace(/\^+/, (marks) => paint(marks, severity)) : text}`);
  if (related && !frame.some(({ kind }) => kind === "related"))
    lines.push(...indented("  ", `${nameOf(related.location)}: ${related.what}`));
  lines.push(...indented("  fix: ", fix));
  return lines.join("\n");
}

/** `guides/install.mdx:3:7` */
export function locationText({ sourcePath, line, column }: Location): string {
  if (line === undefined) return sourcePath;
  return column === undefined ? `${sourcePath}:${line}` : `${sourcePath}:${line}:${column}`;
}

/** Puts `lead` before the first line, and spaces of the same width before the others. */
const indented = (lead: string, text: string): string[] =>
  text.split(/\r?\n/).map((line, i) => (i === 0 ? lead : " ".repeat(lead.length)) + printable(line));

/** A line of a code frame: one of a file, the marks below it, the name of another file, or lines that are left out. */
export interface FrameLine {
  readonly kind: "source" | "fault" | "related" | "file" | "gap";
  /** ` 3 | `, with the number or as wide as one. */
  readonly gutter: string;
  readonly text: string;
}

/**
 * The line of a fault with carets under it, and the line of the related place with dashes, in the order of the file. A place
 * in another file comes last, with the file's name. Lines that cannot be read are left out.
 */
export function codeFrame(
  location: Location,
  readText: (sourcePath: string) => string | undefined,
  {
    related,
    nameOf = locationText,
  }: Pick<Diagnostic, "related"> & { readonly nameOf?: (place: Location) => string } = {},
): FrameLine[] {
  const places = related ? [location, related.location] : [location];
  const width = Math.max(...places.map(({ line }) => `${line ?? ""}`.length));
  const fault = markedLine(location, readText, width, "fault");
  const [line, marks] = related ? markedLine(related.location, readText, width, "related") : [];
  if (!related || !line || !marks) return fault;
  const explained: FrameLine = { ...marks, text: `${marks.text} ${printable(related.what)}` };
  const indent = " ".repeat(width + 1);
  if (related.location.sourcePath !== location.sourcePath)
    return [
      ...fault,
      {
        kind: "file",
        gutter: `${indent.slice(1)}::: `,
        text: printable(nameOf(related.location)),
      },
      line,
      explained,
    ];
  const distance = location.line! - related.location.line!;
  if (distance === 0) return [...fault, explained];
  const gap: FrameLine[] = Math.abs(distance) > 1 ? [{ kind: "gap", gutter: "", text: "..." }] : [];
  return distance > 0 ? [line, explained, ...gap, ...fault] : [...fault, ...gap, line, explained];
}

/** The line, and marks under the place if its column is known; empty if the line does not exist. */
function markedLine(
  location: Location,
  readText: (sourcePath: string) => string | undefined,
  width: number,
  kind: "fault" | "related",
): FrameLine[] {
  if (location.line === undefined) return [];
  const line = lineOf(location, readText);
  if (line === undefined || line.trim() === "") return [];
  const column = Math.min(location.column ?? 1, line.length + 1) - 1;
  const start = line.length > frameWidth ? Math.max(0, column - before) : 0;
  const end = Math.min(line.length, start + frameWidth);
  const head = (start > 0 ? "…" : "") + printable(line.slice(start, column));
  const faultEnd = Math.min(end, column + Math.max(1, location.length ?? 1));
  const fault = printable(line.slice(column, faultEnd));
  const tail = printable(line.slice(faultEnd, end)) + (end < line.length ? "…" : "");
  const frame: FrameLine[] = [
    { kind: "source", gutter: `${String(location.line).padEnd(width)} | `, text: `${head}${fault}${tail}` },
  ];
  if (location.column !== undefined) {
    const marks = (kind === "fault" ? "^" : "-").repeat(Math.max(1, fault.length));
    frame.push({ kind, gutter: `${" ".repeat(width)} | `, text: " ".repeat(head.length) + marks });
  }
  return frame;
}

function lineOf(location: Location, readText: (sourcePath: string) => string | undefined): string | undefined {
  // The message matters more than a missing frame.
  const source = attempt(() => readText(location.sourcePath));
  if (source === undefined) return undefined;
  const text = withLineFeeds(source);
  const [start, next = text.length + 1] = lineStarts(text).slice(location.line! - 1);
  return start === undefined ? undefined : text.slice(start, next - 1).replace(/\r$/, "");
}

/** Tabs become two spaces; other characters that move a terminal's cursor or reverse its text become `�`. */
const printable = (text: string): string => text.replaceAll("\t", "  ").replace(/[\p{Cc}\p{Bidi_Control}]/gu, "�");
