import { UsageError } from "../environment.js";
import type { Input } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface InitArguments {
  /** New or empty. */
  readonly target: string;
  /** Folder of another tool's site; undefined: a new site. */
  readonly from?: string | undefined;
  readonly name?: string | undefined;
  readonly all: boolean;
  readonly json: boolean;
}

export const initOptions = texts.init;

export function parseInit({ argument, values }: Input<typeof initOptions>): InitArguments {
  const { from, name, all = false, json = false } = values;
  if (name?.trim() === "") throw new UsageError("--name is the name of the site; it may not be empty.");
  return { target: argument || (from === undefined ? "docs" : "offprint-site"), from, name, all, json };
}
