import { userInfo } from "node:os";
import type { Store } from "../service/open-store.js";

/** Adds to the audit log of an organization what a command has changed. */
export const audit = (
  { people }: Pick<Store, "people">,
  organizationId: string,
  action: string,
  subject: string,
  detail = "",
): Promise<void> => people.addAuditEntry({ organizationId, actor: commandLineActor(), action, subject, detail });

export const commandLineActor = (): string => `command line (${userName()})`;

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
