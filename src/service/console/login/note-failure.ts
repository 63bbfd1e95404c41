import type { Person } from "../../jobs/index.js";
import type { OpenContext } from "../route.js";

/** Adds a failed login to the audit log of each organization of the person. Never rejects. */
export async function noteFailure(
  { deps, address = "an unknown address" }: OpenContext,
  { personId, email }: Person,
  reason: string,
): Promise<void> {
  const line = { actor: `somebody at ${address}`, action: "login.fail", subject: email, detail: reason };
  await deps.store.people.addAuditEntry({ ofPerson: personId, ...line }).catch((error: unknown) => {
    deps.log("error", "The audit log lacks a failed login.", { fault: String(error) });
  });
}
