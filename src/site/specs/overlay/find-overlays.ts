import { posix } from "node:path";
import type { Diagnostic } from "../../../lib/diagnostic/index.js";
import type { Json } from "../../../lib/json/index.js";
import { childOf } from "../../../lib/json/index.js";
import { isHttpAddress } from "../../../lib/url/index.js";
import type { SiteFiles } from "../../source/index.js";
import type { ParsedText } from "../spec-text.js";

export interface FoundOverlays {
  /** Source of a specification -> the overlays whose `extends` names it, by path. */
  readonly bySpec: ReadonlyMap<string, readonly string[]>;
  /** Faults of files that look like overlays. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Larger files are overlays only if docs.json names them. */
const mostBytes = 4 * 1024 * 1024;
const looksLikeOverlay = (text: string): boolean =>
  /(?:^|[{,\s"'])overlay["']?\s*:\s*["']?\d/.test(text) && /(?:^|[{,\s"'])extends["']?\s*:/.test(text);

/**
 * Finds the overlays among a site's files that name a specification in `extends`: by a path relative to the overlay, or
 * by its address as in docs.json.
 */
export function findOverlays(
  candidates: readonly string[],
  files: SiteFiles,
  parse: (source: string, text: string) => ParsedText,
): FoundOverlays {
  const bySpec = new Map<string, string[]>();
  const diagnostics: Diagnostic[] = [];
  for (const source of candidates) {
    if (files.sizeOf(source) > mostBytes) continue;
    const text = files.readText(source);
    if (!looksLikeOverlay(text)) continue;
    const { value, diagnostics: faults } = parse(source, text);
    diagnostics.push(...faults.map((each) => ({ ...each, severity: "warning" as const })));
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
