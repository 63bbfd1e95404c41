import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { isContainer, isList, type Json, pointerTo } from "../../lib/json/index.js";
import { maxNameLength, maxSummaryLength, maxValueLength } from "./text/spec-text.js";

/** Further ones are only counted. */
const maxReported = 20;

/**
 * Longest text of a member, in UTF-16 code units. Titles and summaries are in the sidebar of every page; a description is as
 * long as its file allows.
 */
const limits = new Map([
  ["description", Number.POSITIVE_INFINITY],
  ["summary", maxSummaryLength],
  ["title", maxSummaryLength],
]);

/**
 * Cuts texts that are longer than a page can show, and leaves out members whose names are. A document without any comes
 * back as it is.
 */
export function cutTexts(document: Json, locationOf: (pointer: string) => Location) {
  const diagnostics: Diagnostic[] = [];
  const path: string[] = [];
  let count = 0;
  const report = (what: string): void => {
    if (++count > maxReported) return;
    const location = locationOf(pointerTo(...path));
    const fix = "write a shorter one, and move the rest to a page of the site.";
    diagnostics.push({ code: "SPEC_TEXT_TOO_LONG", severity: "warning", what, location, fix });
  };
  const cut = (value: Json, limit: number): Json => {
    if (typeof value === "string") {
      if (value.length <= limit) return value;
      report(`This text has ${value.length} characters; only the first ${limit} are used.`);
      return `${value.slice(0, limit).toWellFormed()}…`;
    }
    if (!isContainer(value)) return value;
    if (isList(value)) return cutList(value);
    let changed: { [name: string]: Json } | undefined;
    for (const name in value) {
      if (name.length > maxNameLength) {
        report(`A name has ${name.length} characters; names of more than ${maxNameLength} are left out.`);
        changed ??= { ...value };
        delete changed[name];
        continue;
      }
      path.push(name);
      const own = value[name]!;
      const shorter = cut(own, limits.get(name) ?? maxValueLength);
      path.pop();
      if (shorter === own) continue;
      changed ??= { ...value };
      changed[name] = shorter;
    }
    return changed ?? value;
  };
  const cutList = (list: readonly Json[]): readonly Json[] => {
    let changed: Json[] | undefined;
    list.forEach((own, i) => {
      if (typeof own !== "string" && !isContainer(own)) return;
      path.push(`${i}`);
      const shorter = cut(own, maxValueLength);
      path.pop();
      if (shorter === own) return;
      changed ??= [...list];
      changed[i] = shorter;
    });
    return changed ?? list;
  };
  const shortened = cut(document, maxValueLength);
  const [first] = diagnostics;
  if (first !== undefined && count > maxReported) {
    const what = `${count - maxReported} more texts and names are too long and are cut as well.`;
    diagnostics.push({ ...first, what, location: { sourcePath: first.location!.sourcePath } });
  }
  return { document: shortened, diagnostics };
}
