import type { BytesOutcome } from "../../lib/fetch/index.js";

type Failed = Extract<BytesOutcome, { ok: false }>;

interface Host {
  hasAnswered: boolean;
  /** Requests in a row without an answer. */
  misses: number;
  last: Failed;
}

/** A host that has answered before may fail this often in a row; one that has not is given up after one request. */
const missesAfterAnswer = 3;
/** So many hosts without an answer, and none with one, mean that there is no network. */
const deadHosts = 3;

/** Remembers which hosts do not answer, so that a thousand files of one of them cost one request. */
export function createHostGate() {
  const hosts = new Map<string, Host>();
  let answered = false;
  let dead = 0;
  return {
    isKnown: (url: string): boolean => hosts.has(hostOf(url)),
    /** Why a request is not worth its time; undefined if it is. */
    refusal(url: string): Failed | undefined {
      const host = hosts.get(hostOf(url));
      if (host && host.misses >= (host.hasAnswered ? missesAfterAnswer : 1)) return host.last;
      if (host || answered || dead < deadHosts) return undefined;
      return { ok: false, reason: `no other host can be reached either` };
    },
    note(url: string, outcome: BytesOutcome): void {
      const name = hostOf(url);
      const isDead = !outcome.ok && outcome.unreachable === true;
      const host = hosts.get(name);
      if (!isDead) {
        answered = true;
        hosts.set(name, { hasAnswered: true, misses: 0, last: { ok: false, reason: "" } });
      } else if (host) hosts.set(name, { ...host, misses: host.misses + 1, last: outcome });
      else {
        dead++;
        hosts.set(name, { hasAnswered: false, misses: 1, last: outcome });
      }
    },
  };
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
