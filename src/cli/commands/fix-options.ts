import { findCode } from "../find-code.js";
import type { Input } from "../options.js";
import texts from "../options.json" with { type: "json" };

/** What `offprint fix` is asked to do. */
export interface FixArguments {
  readonly site: string;
  /** Print the changes and write nothing. */
  readonly dryRun: boolean;
  /** Mend only faults with these codes; all, if there are none. */
  readonly codes: readonly string[];
  readonly json: boolean;
}

export const fixOptions = texts.fix;

/** @throws {UsageError} for a code that does not exist. */
export async function parseFix({ argument, values }: Input<typeof fixOptions>): Promise<FixArguments> {
  const entries = await Promise.all((values.code ?? []).map(findCode));
  return {
    site: argument,
    dryRun: values["dry-run"] ?? false,
    codes: entries.map(({ code }) => code),
    json: values.json ?? false,
  };
}
