import { createHmac } from "node:crypto";
import { networkOf } from "../../lib/http/index.js";
import type { Log } from "../../lib/log.js";
import { createRecent, type Recent } from "../../lib/memo.js";
import type { AccountStore } from "../jobs/index.js";
import { createUseTallies, type Window } from "./use-tallies.js";

export interface AssistantLimits {
  /** Requests of an organization within an hour; `Infinity` means no limit, also below. */
  readonly organizationPerHour: number;
  /** Requests of a client's address (IPv6: of its /64 network) within a day of UTC. */
  readonly addressPerDay: number;
  /** Answers that one process streams to a client's address at the same time. */
  readonly streamsPerAddress: number;
  /** Tokens of the model that an organization may use within a day of UTC. */
  readonly tokensPerDay: number;
}
export const assistantLimitDefaults: AssistantLimits = {
  organizationPerHour: 10_000,
  addressPerDay: 10_000,
  streamsPerAddress: 4,
  tokensPerDay: Number.POSITIVE_INFINITY,
};

export interface Refusal {
  readonly limit: keyof AssistantLimits;
  readonly retrySeconds: number;
}

/** What is left of a limit, for the headers of a response. */
export interface LimitState {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly left: number;
  /** Until some of it is free again. */
  readonly resetSeconds: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Addresses of today whose hashes are in memory. */
const keptHashes = 1000;
/** The current minute and the 59 before it: at most an hour, so that nobody waits longer. */
const hour: Window = { bucketMs: minuteMs, buckets: 60 };
const day: Window = { bucketMs: dayMs, buckets: 1 };
const counted = {
  addressPerDay: { name: "address", window: day },
  organizationPerHour: { name: "organization", window: hour },
} as const;

export type LimitCounter = ReturnType<typeof createLimitCounter>;

/** Counts requests, streams and tokens against the limits. Addresses are stored as hashes with a salt of the day. */
export function createLimitCounter(
  accounts: Pick<AccountStore, "usesSince" | "addUses" | "salt">,
  limits: AssistantLimits,
  now: () => number,
  log: Log,
) {
  const tallies = createUseTallies(accounts, now, log);
  const streams = new Map<string, number>();
  let salt: { readonly day: number; readonly text: Promise<string>; readonly hashes: Recent<string> } | undefined;

  function hashOf(address: string): Promise<string> {
    const today = Math.floor(now() / dayMs);
    if (salt?.day !== today) {
      const text = accounts.salt(`addresses ${today}`, (today + 1) * dayMs);
      const current = { day: today, text, hashes: createRecent<string>(keptHashes) };
      salt = current;
      text.catch(() => {
        if (salt === current) salt = undefined;
      });
    }
    const { text, hashes } = salt;
    const network = networkOf(address);
    return hashes(network, async () =>
      createHmac("sha256", await text)
        .update(network)
        .digest("hex"),
    );
  }

  return {
    /** Counts a request, unless a limit is reached. @param address undefined if the connection has none. */
    async request(
      route: string,
      organizationId: string,
      address: string | undefined,
    ): Promise<{ readonly refusal?: Refusal; readonly states: readonly LimitState[] }> {
      const states: LimitState[] = [];
      const take = async (limit: "addressPerDay" | "organizationPerHour", of: string): Promise<Refusal | undefined> => {
        const most = limits[limit];
        if (most === Number.POSITIVE_INFINITY) return undefined;
        const { name, window } = counted[limit];
        const { retrySeconds, left, resetSeconds } = await tallies.take(`${route} of ${of}`, window, most);
        const windowSeconds = (window.bucketMs * window.buckets) / 1000;
        states.push({ name, limit: most, windowSeconds, left, resetSeconds });
        return retrySeconds > 0 ? { limit, retrySeconds } : undefined;
      };
      const isCounted = address !== undefined && limits.addressPerDay !== Number.POSITIVE_INFINITY;
      const refusal = isCounted ? await take("addressPerDay", `address ${await hashOf(address)}`) : undefined;
      const second = refusal ?? (await take("organizationPerHour", organizationId));
      return { states, ...(second && { refusal: second }) };
    },
    /** Whether the organization may use the model. */
    async tokens(organizationId: string): Promise<Refusal | undefined> {
      const retrySeconds = await tallies.wait(`tokens of ${organizationId}`, day, limits.tokensPerDay);
      return retrySeconds > 0 ? { limit: "tokensPerDay", retrySeconds } : undefined;
    },
    addTokens: (organizationId: string, tokens: number) => tallies.add(`tokens of ${organizationId}`, day, tokens),
    /** Begins a stream. The result ends it, or says why there may be no further one. */
    stream(address: string | undefined): Refusal | (() => void) {
      if (address === undefined) return () => {};
      const network = networkOf(address);
      const count = streams.get(network) ?? 0;
      if (count >= limits.streamsPerAddress) return { limit: "streamsPerAddress", retrySeconds: 2 };
      streams.set(network, count + 1);
      return () => {
        const left = streams.get(network)! - 1;
        if (left > 0) streams.set(network, left);
        else streams.delete(network);
      };
    },
    get streamCount() {
      return [...streams.values()].reduce((sum, count) => sum + count, 0);
    },
  };
}
