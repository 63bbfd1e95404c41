import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Forges, readForges } from "../../service/git/forge/index.js";
import { UsageError } from "../environment.js";
import { read } from "./variables.js";

/** The operator's tokens and apps for git hosts. @throws {UsageError} if OFFPRINT_FORGES_FILE is invalid. */
export function operatorForges(env: NodeJS.ProcessEnv): Forges {
  const path = read(env, "OFFPRINT_FORGES_FILE");
  if (path === undefined) return [];
  try {
    return readForges(readFileSync(path, "utf8"), (file) => readFileSync(resolve(dirname(path), file), "utf8"));
  } catch (error) {
    throw new UsageError(`OFFPRINT_FORGES_FILE is invalid: ${(error as Error).message}.`);
  }
}
