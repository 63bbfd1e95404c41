import { hash, randomBytes } from "node:crypto";
import { networkOf } from "../../lib/http/index.js";
import type { AccountStore } from "../jobs/index.js";

const dayMs = 24 * 60 * 60_000;
/** How long before midnight the next salt is read. */
const earlyMs = 10 * 60_000;
/** Past days whose salts this process remembers. */
const maxDays = 1000;

/** Salts of the days of UTC, with which visitors are hashed: without them, nobody can tell who a visitor was. */
export interface DaySalts {
  /** Reads the salt of today, and before midnight that of tomorrow; all processes share them. */
  prepare(): Promise<void>;
  /**
   * The salt of a day. A past day's is deleted, so each process makes up its own, which it does not store: visitors of a
   * log from then are recognized within one import only. Undefined: today's could not be read yet.
   */
  of(day: number): string | undefined;
}

export function createDaySalts(accounts: Pick<AccountStore, "salt">, now: () => number): DaySalts {
  const salts = new Map<number, string>();
  const dayOf = (time: number): number => Math.floor(time / dayMs);
  return {
    async prepare() {
      for (const day of new Set([dayOf(now()), dayOf(now() + earlyMs)]))
        if (!salts.has(day)) salts.set(day, await accounts.salt(`visitors ${day}`, (day + 1) * dayMs));
    },
    of(day) {
      const known = salts.get(day);
      if (known !== undefined || day >= dayOf(now())) return known;
      if (salts.size >= maxDays) salts.delete(salts.keys().next().value!);
      const salt = randomBytes(32).toString("hex");
      salts.set(day, salt);
      return salt;
    },
  };
}

/**
 * Who reads a site on a day: 8 bytes from which neither the address nor the user agent can be read. They are part of a
 * hash that begins with a secret, as safe as an HMAC, which takes five times as long.
 */
export const visitorHash = (salt: string, projectId: string, address: string, userAgent: string): string =>
  hash("sha256", `${salt}\n${projectId}\n${networkOf(address)}\n${userAgent}`, "base64url").slice(0, 11);
