import { readFileSync } from "node:fs";
import { UsageError } from "../environment.js";

/** The value of a variable without spaces around it; undefined if it is empty. */
export const read = (env: NodeJS.ProcessEnv, name: string): string | undefined => env[name]?.trim() || undefined;

/** The comma-separated parts of a variable. */
export const list = (env: NodeJS.ProcessEnv, name: string): readonly string[] =>
  (read(env, name) ?? "").split(",").flatMap((part) => part.trim() || []);

/** @throws {UsageError} if the variable is set and is not a whole number above 0. */
export function count(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const written = read(env, name);
  if (written !== undefined && !/^[1-9]\d{0,8}$/.test(written))
    throw new UsageError(`${name} must be a whole number above 0, not "${written}".`);
  return written === undefined ? undefined : Number(written);
}

/** A number of seconds, in milliseconds. @throws {UsageError} as `count`. */
export function milliseconds(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const seconds = count(env, name);
  return seconds && seconds * 1000;
}

/** A number of days, in milliseconds. @throws {UsageError} if it is below `minimum` or not a whole number. */
export function days(env: NodeJS.ProcessEnv, name: string, minimum: 0 | 1): number | undefined {
  const written = read(env, name);
  if (written !== undefined && (!/^\d{1,5}$/.test(written) || Number(written) < minimum))
    throw new UsageError(`${name} must be a whole number of days, ${minimum} or more, not "${written}".`);
  return written === undefined ? undefined : Number(written) * 24 * 60 * 60_000;
}

/** The secret in the file that a variable names. @throws {UsageError} if that cannot be read, or is not one line of ASCII. */
export function secretFile(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const path = read(env, name);
  if (path === undefined) return undefined;
  let secret: string;
  try {
    secret = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}`);
  }
  if (!/^[ -~]+$/.test(secret)) throw new UsageError(`${name} must contain a key on one line, and nothing else.`);
  return secret;
}
