import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearestName } from "../lib/diagnostic/index.js";
import { UsageError } from "./usage-error.js";

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Tells options from the rest.
 *
 * @throws {UsageError} for an option that is not one of `options`, or lacks its value.
 */
export function readWords<const T extends Options>(words: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    const unknown = /Unknown option '(--?[^' ]+)/.exec((error as Error).message)?.[1];
    if (unknown === undefined) throw new UsageError((error as Error).message);
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`There is no option ${unknown}.${meant(unknown, names)}`);
  }
}

/** A hint at the name that `word` most likely stands for. */
export function meant(word: string, names: readonly string[]): string {
  const near = nearestName(word, names);
  return near ? ` Did you mean "${near}"?` : " See: offprint --help";
}

/** @throws {UsageError} if `value` is not one of `values`. */
export function oneOf<T extends string>(option: string, value: string, values: readonly T[]): T {
  if (!(values as readonly string[]).includes(value))
    throw new UsageError(`${option} is one of ${values.join(", ")}, not "${value}".`);
  return value as T;
}

/** @throws {UsageError} if `value` is given and no whole number within the bounds. */
export function wholeNumber(option: string, value: string | undefined, from: number, to: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === "" || !Number.isInteger(number) || number < from || number > to)
    throw new UsageError(`${option} is a whole number from ${from} to ${to}, not "${value}".`);
  return number;
}
