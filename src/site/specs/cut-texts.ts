import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { isContainer, isList, type Json, pointerTo } from "../../lib/json/index.js";
import { isData } from "./check-references.js";
import { reportFirst } from "./report-first.js";
import { maxNameLength, maxSummaryLength, maxValueLength } from "./text/spec-text.js";

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
  const faults: { readonly what: string; readonly pointer: string }[] = [];
  const path: string[] = [];
  const report = (what: string): void => void faults.push({ what, pointer: pointerTo(...path) });
  /** @param isExample it is data of the API, in which a title is a value like any other. */
  const cut = (value: Json, limit: number, isExample: boolean): Json => {
    if (typeof value === "string") {
      if (value.length <= limit) return value;
      report(`This text has ${value.length} characters; only the first ${limit} are used.`);
      return `${value.slice(0, limit).toWellFormed()}…`;
    }
    if (!isContainer(value)) return value;
    if (isList(value)) return cutList(value, isExample);
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
      const isInExample = isExample || isData(name);
      const shorter = cut(own, (isInExample ? undefined : limits.get(name)) ?? maxValueLength, isInExample);
      path.pop();
      if (shorter === own) continue;
      changed ??= { ...value };
      changed[name] = shorter;
    }
    return changed ?? value;
  };
  const cutList = (list: readonly Json[], isExample: boolean): readonly Json[] => {
    let changed: Json[] | undefined;
    list.forEach((own, i) => {
      if (typeof own !== "string" && !isContainer(own)) return;
      path.push(`${i}`);
      const shorter = cut(own, maxValueLength, isExample);
      path.pop();
      if (shorter === own) return;
      changed ??= [...list];
      changed[i] = shorter;
    });
    return changed ?? list;
  };
  const shortened = cut(document, maxValueLength, false);
  const describe = ({ what, pointer }: (typeof faults)[number]): Diagnostic => ({
    code: "SPEC_TEXT_TOO_LONG",
    severity: "warning",
    what,
    location: locationOf(pointer),
    fix: "write a shorter one, and move the rest to a page of the site.",
  });
  const source = faults.length === 0 ? "" : locationOf("#").sourcePath;
  const diagnostics = reportFirst(source, faults, describe, "texts and names that are cut");
  return { document: shortened, diagnostics };
}
