import type { Diagnostic } from "../lib/diagnostic/index.js";
import { cursorOf, positionOf } from "./jobs/index.js";
import type { ObjectStore } from "./store/index.js";

/** Longer than any line. */
const chunkBytes = 256 * 1024;
const lineFeed = 0x0a;

export interface DiagnosticsPage {
  readonly limit: number;
  /** The position of a line in the object. */
  readonly cursor?: string;
  readonly signal?: AbortSignal;
}

/** Hints are not stored. */
type StoredDiagnostic = Diagnostic & { readonly severity: "error" | "warning" };

export interface Diagnostics {
  readonly diagnostics: readonly StoredDiagnostic[];
  /** Undefined on the last page. */
  readonly next?: string;
}

/** Reads a page of an export's diagnostics from the object that its worker stored. Undefined if it has been deleted. */
export async function readDiagnostics(
  objects: Pick<ObjectStore, "read">,
  diagnosticsKey: string,
  { limit, cursor, signal }: DiagnosticsPage,
): Promise<Diagnostics | "bad cursor" | undefined> {
  const first = cursor === undefined ? 0 : positionOf(cursor);
  // Also read the line feed before the first line, to check the cursor.
  const start = Math.max(0, first - 1);
  const part = await objects.read(diagnosticsKey, start, chunkBytes, signal);
  if (!part) return undefined;
  const bytes = Buffer.from(part.bytes);
  if (first > 0 && bytes[0] !== lineFeed) return "bad cursor";
  const diagnostics: StoredDiagnostic[] = [];
  let at = first - start;
  for (
    let end = bytes.indexOf(lineFeed, at);
    end >= 0 && diagnostics.length < limit;
    end = bytes.indexOf(lineFeed, at)
  ) {
    diagnostics.push(JSON.parse(bytes.toString("utf8", at, end)) as StoredDiagnostic);
    at = end + 1;
  }
  return { diagnostics, next: start + at < part.size ? cursorOf(start + at) : undefined };
}
