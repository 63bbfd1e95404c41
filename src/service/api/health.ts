import type { JobCounts } from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";
import { cached } from "./cached.js";
import { within } from "./within.js";

const answerMs = 2_000;
const objectsTtlMs = 10_000;

export function createHealthChecks(counts: () => Promise<JobCounts>, objects: ObjectStore, now: () => number) {
  const objectsReached = cached(() => objects.check(), objectsTtlMs, now);
  const database = () => within(answerMs, counts, noAnswer);
  return {
    /** Problems of the service, as sentences. Also answers while the database is down. */
    async health() {
      try {
        const { workers, queued } = await database();
        return workers > 0 ? [] : [`No worker is alive, and ${queued} jobs wait for one. Start one: offprint worker.`];
      } catch {
        return ["The database does not answer."];
      }
    },
    /** Dependencies that cannot be reached, as sentences. */
    async readiness() {
      const [rows, bundles] = await Promise.allSettled([database(), within(answerMs, objectsReached, noAnswer)]);
      return [
        ...(rows.status === "rejected" ? ["The database does not answer."] : []),
        ...(bundles.status === "rejected" ? ["The object store does not answer, or refuses."] : []),
      ];
    },
  };
}

const noAnswer = (): Error => new Error(`There was no answer within ${answerMs} ms.`);
