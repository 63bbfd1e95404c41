import { nearestName } from "../lib/diagnostic/index.js";
import type { ExplainArguments } from "./explain-command.js";
import type { Input } from "./options.js";
import texts from "./options.json" with { type: "json" };
import { UsageError } from "./usage-error.js";

export const explainOptions = texts.explain;

/** @throws {UsageError} that names the most similar code. */
export async function parseExplain({ argument, values }: Input<typeof explainOptions>): Promise<ExplainArguments> {
  const json = values.json ?? false;
  if (argument === "") return { json };
  const { codes } = await import("./codes.js");
  const code = argument.toUpperCase().replaceAll("-", "_");
  const entry = codes.find((each) => each.code === code);
  if (entry) return { entry, json };
  const near = nearestName(
    code,
    codes.map((each) => each.code),
  );
  const advice = near ? `Did you mean "${near}"?` : `"offprint explain" lists them.`;
  throw new UsageError(`There is no code "${argument}". ${advice}`);
}
