import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { Job } from "../jobs/index.js";
import type { ConsoleDeps } from "./route.js";

export interface ReadDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  /** There are more. */
  readonly isCut: boolean;
}

/** A page does not read more, and a site can have any number. */
const maxBytes = 1024 * 1024;
const timeoutMs = 5_000;

/** What an export found in its site. Undefined: that is not known, or no longer kept. */
export async function readDiagnostics({ store }: ConsoleDeps, { report }: Job): Promise<ReadDiagnostics | undefined> {
  if (!report) return undefined;
  if (report.errors + report.warnings === 0) return { diagnostics: [], isCut: false };
  if (report.diagnosticsKey === undefined) return undefined;
  const part = await store.objects.read(report.diagnosticsKey, 0, maxBytes, AbortSignal.timeout(timeoutMs));
  if (!part) return undefined;
  const text = Buffer.from(part.bytes).toString("utf8");
  // The last line may be cut.
  const lines = text.slice(0, text.lastIndexOf("\n")).split("\n");
  return { diagnostics: lines.map((line) => JSON.parse(line) as Diagnostic), isCut: part.size > maxBytes };
}
