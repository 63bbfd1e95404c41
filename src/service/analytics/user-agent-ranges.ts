import { isRecord, valueOfJson } from "../../lib/json/index.js";
import { escapeRegExp } from "../../lib/regexp/match-glob.js";
import type { ViewKind } from "../jobs/index.js";
import { type KindRule, kindOf } from "./visit-kind.js";

/** The file of the ranges is invalid. */
export class AgentRangesError extends Error {
  override readonly name = "AgentRangesError";
}

const bot: ViewKind = 5;

/**
 * Trusts the names of agents only if their requests come from the addresses that their operators publish.
 *
 * @param text JSON: names of agents with their addresses and CIDR ranges, `{"GPTBot": ["20.125.66.80/28"]}`.
 * @param matcher tests whether an address is in one of some ranges; undefined if a range is invalid.
 * @throws {AgentRangesError}
 */
export function readAgentRanges(
  text: string,
  matcher: (ranges: readonly string[]) => ((address: string) => boolean) | undefined,
): KindRule {
  const agents = Object.entries(parsed(text)).map(([name, ranges]) => {
    const isOf = isTexts(ranges) ? matcher(ranges) : undefined;
    if (!isOf)
      throw new AgentRangesError(`"${name}" must be a list of IP addresses and ranges, such as "203.0.113.0/24"`);
    return { pattern: new RegExp(`(?<![\\w-])${escapeRegExp(name)}(?![\\w-])`, "i"), isOf };
  });
  return (visit, target) => {
    const kind = kindOf(visit, target);
    if (kind === 0 || kind === bot) return kind;
    const userAgent = visit.headers["user-agent"] ?? "";
    const named = agents.filter(({ pattern }) => pattern.test(userAgent));
    const isTrue = visit.address !== undefined && named.some(({ isOf }) => isOf(visit.address!));
    return named.length === 0 || isTrue ? kind : bot;
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

function parsed(text: string): object {
  const value = valueOfJson(text);
  if (isRecord(value)) return value;
  throw new AgentRangesError('it must be JSON such as {"GPTBot": ["203.0.113.0/24"]}');
}
