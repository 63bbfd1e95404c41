import { findCode } from "../find-code.js";
import type { Input } from "../options.js";
import texts from "../options.json" with { type: "json" };
import type { ExplainArguments } from "./explain.js";

export const explainOptions = texts.explain;

/** @throws {UsageError} for a code that does not exist. */
export async function parseExplain({ argument, values }: Input<typeof explainOptions>): Promise<ExplainArguments> {
  const json = values.json ?? false;
  return argument === "" ? { json } : { entry: await findCode(argument), json };
}
