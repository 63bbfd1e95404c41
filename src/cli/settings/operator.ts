import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { OperatorSettings } from "../../service/git/credentials/index.js";
import { readForges } from "../../service/git/forge/index.js";
import { UsageError } from "../environment.js";
import { read } from "./variables.js";

/** The operator's tokens and apps for git hosts. @throws {UsageError} if OFFPRINT_FORGES_FILE is invalid. */
export function operatorSettings(env: NodeJS.ProcessEnv): OperatorSettings {
  const path = read(env, "OFFPRINT_FORGES_FILE");
  if (path === undefined) return { forges: [], environment: env };
  try {
    const readBeside = (file: string): string => readFileSync(resolve(dirname(path), file), "utf8");
    return { forges: readForges(readFileSync(path, "utf8"), readBeside), environment: env };
  } catch (error) {
    throw new UsageError(`OFFPRINT_FORGES_FILE is invalid: ${(error as Error).message}.`);
  }
}
