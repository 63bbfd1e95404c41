import type { Input } from "./options.js";
import texts from "./options.json" with { type: "json" };
import { UsageError } from "./usage-error.js";

export interface InitArguments {
  /** New or empty. */
  readonly target: string;
  readonly name?: string | undefined;
  readonly json: boolean;
}

export const initOptions = texts.init;

export function parseInit({ argument, values }: Input<typeof initOptions>): InitArguments {
  const { name, json = false } = values;
  if (name?.trim() === "") throw new UsageError("--name is the name of the site; it may not be empty.");
  return { target: argument || "docs", name, json };
}
