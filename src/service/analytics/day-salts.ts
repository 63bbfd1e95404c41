import { hash, randomBytes } from "node:crypto";
import { networkOf } from "../../lib/http/index.js";
import { type AccountStore, dayMs, dayOf } from "../jobs/index.js";

/** How long before midnight the next salt is read. */
const earlyMs = 10 * 60_000;
/** Past days whose salts are in memory. */
const maxDays = 1000;

export type DaySalts = ReturnType<typeof createDaySalts>;

/** Salts of the days of UTC, with which visitors are hashed: without them, nobody can tell who a visitor was. */
export function createDaySalts(accounts: Pick<AccountStore, "salt">, now: () => number) {
  const salts = new Map<number, string>();
  return {
    /** Reads the salt of today, and before midnight that of tomorrow. All processes share them. */
    async prepare(): Promise<void> {
      for (const day of new Set([dayOf(now()), dayOf(now() + earlyMs)]))
        if (!salts.has(day)) salts.set(day, await accounts.salt(`visitors ${day}`, (day + 1) * dayMs));
    },
    /**
     * The salt of a day; undefined if today's has not been read yet. Stored salts are deleted after their day, so for a
     * past day each process creates one that it does not store: visitors are recognized only within one import of logs.
     */
    of(day: number): string | undefined {
      const cached = salts.get(day);
      if (cached !== undefined || day >= dayOf(now())) return cached;
      if (salts.size >= maxDays) salts.delete(salts.keys().next().value!);
      const salt = randomBytes(32).toString("hex");
      salts.set(day, salt);
      return salt;
    },
  };
}

/**
 * Identifies a reader of a site on a day: 8 bytes from which neither the address nor the user agent can be read. They
 * are part of a hash that begins with a secret, as safe as an HMAC and five times as fast.
 */
export const visitorHash = (salt: string, projectId: string, address: string, userAgent: string): string =>
  hash("sha256", `${salt}\n${projectId}\n${networkOf(address)}\n${userAgent}`, "base64url").slice(0, 11);
