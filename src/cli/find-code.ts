import { nearestName } from "../lib/diagnostic/index.js";
import type { CodeEntry } from "./codes.js";
import { UsageError } from "./environment.js";

/** The code of a diagnostic as someone types it. @throws {UsageError} that names the most similar code. */
export async function findCode(typed: string): Promise<CodeEntry> {
  const { codes } = await import("./codes.js");
  const code = typed.toUpperCase().replaceAll("-", "_");
  const entry = codes.find((each) => each.code === code);
  if (entry) return entry;
  const near = nearestName(
    code,
    codes.map((each) => each.code),
  );
  const advice = near ? `Did you mean "${near}"?` : `"offprint explain" lists them.`;
  throw new UsageError(`There is no code "${typed}". ${advice}`);
}
