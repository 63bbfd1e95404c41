import { parseArgs } from "node:util";
import type { Deployment } from "../index.js";
import { deployments } from "../lib/deployments.js";
import { nearestName } from "../lib/diagnostic/index.js";
import { groupsFault, splitGroups } from "../lib/group-names.js";
import { UsageError } from "./environment.js";
import texts from "./options.json" with { type: "json" };

export interface Option {
  readonly short?: string;
  /** The value as the help shows it: `<dir>`. An option without one is a switch. */
  readonly value?: string;
  /** May be given several times: its values are a list. */
  readonly multiple?: boolean;
  readonly help: string;
}
export type Options = Readonly<Record<string, Option>>;

export interface Input<O extends Options> {
  /** Empty if the command takes no argument. */
  readonly argument: string;
  /** The further words of a command that takes them; else empty. */
  readonly more: string;
  /** The same words, each by itself. */
  readonly rest: readonly string[];
  readonly values: { readonly [N in keyof O]?: ValueOf<O[N]> };
}

type ValueOf<T extends Option> = T extends { readonly multiple: boolean }
  ? readonly string[]
  : T extends { readonly value: string }
    ? string
    : "value" extends keyof T
      ? string | boolean | readonly (string | boolean)[]
      : boolean;

/** An option that the command does not have. */
export class UnknownOptionError extends UsageError {
  constructor(
    readonly option: string,
    message: string,
  ) {
    super(message);
  }
}

/** @throws {UsageError} for an option that is not one of `options` or has no value. */
export function readOptions(words: readonly string[], options: Options) {
  const config = Object.entries(options).map(([name, { short, value, multiple = false }]) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [name, short === undefined ? { type, multiple } : { type, multiple, short }] as const;
  });
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries(config), allowPositionals: true });
  } catch (error) {
    const unknown = /Unknown option '(--?[^' ]+)/.exec((error as Error).message)?.[1];
    if (unknown === undefined) throw new UsageError((error as Error).message);
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UnknownOptionError(unknown, `There is no option ${unknown}.${suggest(unknown, names)}`);
  }
}

/** A sentence that names the most similar of `names`, or the help if none is similar. */
export function suggest(word: string, names: readonly string[]): string {
  const near = nearestName(word, names);
  return near ? ` Did you mean "${near}"?` : " See: offprint --help";
}

/** @throws {UsageError} if `value` is not one of `values`. */
export function oneOf<T extends string>(option: string, value: string, values: readonly T[]): T {
  if (!(values as readonly string[]).includes(value))
    throw new UsageError(`${option} is one of ${values.join(", ")}, not "${value}".`);
  return value as T;
}

/** @throws {UsageError} if `value` is given and is not a whole number within the bounds. */
export function wholeNumber(option: string, value: string | undefined, from: number, to: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === "" || !Number.isInteger(number) || number < from || number > to)
    throw new UsageError(`${option} is a whole number from ${from} to ${to}, not "${value}".`);
  return number;
}

/**
 * An http(s) URL without a query, a fragment or credentials; without its slashes at the end.
 *
 * @param expected says what the option is, with an example.
 * @throws {UsageError} if `value` is given and is not such a URL.
 */
export function plainUrl(expected: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "")
    throw new UsageError(`${expected}, not "${value}".`);
  return value.replace(/\/+$/, "");
}

/** @throws {UsageError} if `value` is given and is not a deployment. */
export const deploymentOf = (value: string | undefined): Deployment | undefined =>
  value === undefined ? undefined : oneOf("--deployment", value, deployments);

/** Names of groups. @throws {UsageError} if there is none, or one is none. */
export function groupsOf(option: string, value: string | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const names = splitGroups(value);
  const fault =
    names.length === 0 ? `${option} takes names of groups, such as staff,partners.` : groupsFault(option, names);
  if (fault !== undefined) throw new UsageError(fault);
  return names;
}

export const accountOptions = { ...texts.account, ...texts.data };
export const listOptions = { ...texts.list, ...accountOptions };

export const rotateOptions = { ...texts.rotate, ...accountOptions };

/** @throws {UsageError} if the overlap is not a number of hours. */
export const overlapOf = (hours: string | undefined): number =>
  (wholeNumber("--overlap", hours, 0, 24 * 365) ?? 24) * 60 * 60_000;

export const defaultOrganization = "default";

export interface Account {
  readonly data?: string;
  readonly organization: string;
}
export const accountOf = ({ data, organization = defaultOrganization }: Partial<Account>): Account => ({
  data,
  organization,
});

/** @throws {UsageError} if `written` is not a host name. */
export async function parseDomain(written: string): Promise<string> {
  const { domainFault } = await import("../service/jobs/index.js");
  const domain = written.toLowerCase();
  const fault = domainFault("A domain", domain);
  if (fault !== undefined) throw new UsageError(fault);
  return domain;
}
