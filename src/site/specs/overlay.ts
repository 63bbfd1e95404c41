import { posix } from "node:path";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import {
  childOf,
  isContainer,
  isList,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  pointerTo,
} from "../../lib/json/index.js";
import { type Located, nearestPath, newEffort, selectPath } from "../../lib/json-path/json-path.js";
import { JsonPathError } from "../../lib/json-path/parse-json-path.js";
import { isHttpAddress } from "../../lib/url/index.js";
import type { SiteFiles } from "../source/index.js";
import { maxSpecValues, type ParsedText } from "./text/spec-text.js";

interface Overlay {
  readonly source: string;
  readonly document: Json;
  readonly locationOf: (pointer: string) => Location;
}

/** After this many faults, the rest of an overlay is skipped. */
const maxReported = 50;

/**
 * Applies the actions of an overlay (OpenAPI Overlay 1.0 and 1.1) in their order. `remove` deletes the selected values.
 * `update`, or the value that `copy` selects, is merged into them: objects recursively by name, lists by appending, anything
 * else by replacing.
 *
 * Out:   a new document; the given document stays unchanged.
 * Fails: an invalid action is reported and skipped.
 */
export function applyOverlay(
  document: Json,
  overlay: Overlay,
): { readonly document: Json; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const { source, locationOf } = overlay;
  const warn = (code: string, what: string, pointer: string, fix: string): void => {
    diagnostics.push({ code, severity: "warning", what, location: locationOf(pointer), fix });
  };
  const version = childOf(overlay.document, "overlay");
  const actions = childOf(overlay.document, "actions");
  if (version === undefined || !isList(actions)) {
    const fix = 'add "overlay": "1.0.0" and a list of "actions", or use another file.';
    warn("OVERLAY_INVALID", `${source} is not an overlay: it must have "overlay" and a list "actions".`, "#", fix);
    return { document, diagnostics };
  }
  // Copy deeply, so that values of YAML aliases are no longer shared.
  const changed = parseJson(JSON.stringify(document));
  let room = maxSpecValues;
  const effort = newEffort();
  /** Effort for suggestions. */
  const spare = { left: 500_000 };

  for (const [index, action] of actions.entries()) {
    const at = pointerTo("actions", index);
    const target = childOf(action, "target");
    if (typeof target !== "string") {
      const fix = 'write "target": "$.paths[\'/users\'].get".';
      warn("OVERLAY_INVALID", `Action ${index + 1} of ${source} has no "target"; it is left out.`, at, fix);
      continue;
    }
    const select = (key: "target" | "copy", path: string): readonly Located[] | undefined => {
      try {
        return selectPath(changed, path, effort);
      } catch (error) {
        if (!(error instanceof JsonPathError)) throw error;
        const what = `The ${key} "${path}" is not valid JSONPath: ${error.message}; the action is left out.`;
        const fix = "use names, *, indexes, .. and comparison filters, as in $.paths.*[?(@.deprecated == true)].";
        warn("OVERLAY_TARGET", what, `${at}/${key}`, fix);
        return undefined;
      }
    };
    const selected = select("target", target);
    if (effort.left < 0 || diagnostics.length > maxReported) break;
    if (selected === undefined) continue;
    let update = childOf(action, "update");
    const copy = childOf(action, "copy");
    if (update === undefined && typeof copy === "string") {
      const source = select("copy", copy);
      if (source === undefined) continue;
      if (source.length !== 1) {
        const what = `The copy "${copy}" selects ${source.length === 0 ? "nothing" : "several places"} in the specification; the action is left out.`;
        const near = source.length === 0 ? nearestPath(changed, copy, spare) : undefined;
        warn(
          "OVERLAY_NO_MATCH",
          what,
          `${at}/copy`,
          near ? `write "${near}".` : "select exactly one place to copy from.",
        );
        continue;
      }
      update = copyOf(source[0]!.value);
    }
    if (selected.length === 0) {
      const what = `The target "${target}" selects nothing in the specification.`;
      const near = nearestPath(changed, target, spare);
      warn(
        "OVERLAY_NO_MATCH",
        what,
        `${at}/target`,
        near ? `write "${near}".` : "correct the target, or remove the action.",
      );
    } else if (childOf(action, "remove") === true) {
      // Start at the end, so that removing an item of a list does not shift the others.
      selected.toReversed().forEach(remove);
    } else if (update !== undefined) {
      room -= sizeOf(update) * selected.length;
      if (room < 0) {
        const what = `With this action, ${source} adds more than ${maxSpecValues} values; this action and those after it are left out.`;
        warn("OVERLAY_TARGET", what, `${at}/target`, "select fewer places.");
        break;
      }
      const changes = update;
      const refused = selected.filter((located) => !replace(located, changes) && !merge(located.value, changes));
      if (refused.length > 0) {
        const what = `The target "${target}" selects strings, numbers or other scalars, which cannot be merged.`;
        warn("OVERLAY_TARGET", what, `${at}/target`, "select the object that contains them.");
      }
    }
  }
  return { document: changed, diagnostics };
}

type Changing = { [name: string]: Json };

function remove({ parent, name }: Located): void {
  if (parent === undefined || name === undefined) return;
  if (isList(parent)) (parent as Json[]).splice(Number(name), 1);
  else delete (parent as Changing)[name];
}

/** Replaces a scalar by another one. Returns false if one of the two is not a scalar. */
function replace({ value, parent, name }: Located, update: Json): boolean {
  if (isContainer(value) || isContainer(update) || parent === undefined || name === undefined) return false;
  if (isList(parent)) (parent as Json[])[Number(name)] = update;
  else (parent as Changing)[name] = update;
  return true;
}

/** Merges a value into a target. Returns false if that is not possible. */
function merge(target: Json, update: Json): boolean {
  if (isList(target)) {
    (target as Json[]).push(...(isList(update) ? copyOf(update) : [copyOf(update)]));
    return true;
  }
  if (!isObject(target) || !isObject(update)) return false;
  for (const name of Object.keys(update)) {
    const before = Object.hasOwn(target, name) ? target[name]! : undefined;
    const both =
      before !== undefined && (isObject(before) ? isObject(update[name]) : isList(before) && isList(update[name]));
    if (both) merge(before, update[name]!);
    else (target as Changing)[name] = copyOf(update[name]!);
  }
  return true;
}

const copyOf = <T extends Json>(value: T): T => parseJson(JSON.stringify(value)) as T;

function sizeOf(value: Json): number {
  const children: readonly Json[] = isList(value) ? value : isObject(value) ? Object.values(value as JsonObject) : [];
  return children.reduce<number>((sum, child) => sum + sizeOf(child), 1);
}

export interface OverlaysBySpec {
  /** Source of a specification -> the overlays whose `extends` names it, by path. */
  readonly bySpec: ReadonlyMap<string, readonly string[]>;
  /** Faults of files that look like overlays. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Larger files are used as overlays only if docs.json names them. */
const maxBytes = 4 * 1024 * 1024;
const looksLikeOverlay = (text: string): boolean =>
  /(?:^|[{,\s"'])overlay["']?\s*:\s*["']?\d/.test(text) && /(?:^|[{,\s"'])extends["']?\s*:/.test(text);

/**
 * Finds the overlays among a site's files that name a specification in `extends`: by a path relative to the overlay, or by
 * the URL that docs.json has for it.
 */
export function findOverlays(
  candidates: readonly string[],
  files: SiteFiles,
  parse: (source: string, text: string) => ParsedText,
): OverlaysBySpec {
  const bySpec = new Map<string, string[]>();
  const diagnostics: Diagnostic[] = [];
  for (const source of candidates) {
    if (files.sizeOf(source) > maxBytes) continue;
    const text = files.readText(source);
    if (!looksLikeOverlay(text)) continue;
    const { value, diagnostics: faults } = parse(source, text);
    diagnostics.push(...faults.map((fault) => ({ ...fault, severity: "warning" as const })));
    const spec = specOf(source, value);
    if (spec !== undefined) bySpec.set(spec, [...(bySpec.get(spec) ?? []), source]);
  }
  return { bySpec, diagnostics };
}

function specOf(source: string, overlay: Json | undefined): string | undefined {
  const spec = childOf(overlay, "overlay") === undefined ? undefined : childOf(overlay, "extends");
  if (typeof spec !== "string" || spec.trim() === "") return undefined;
  const written = spec.trim();
  return isHttpAddress(written) ? written : posix.join(posix.dirname(source), written);
}
