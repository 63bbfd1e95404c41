import { userInfo } from "node:os";
import type { Actor } from "../service/jobs/index.js";

/** Who runs the command, for the audit log. */
export const commandLine = (): Actor => ({ actor: `command line (${userName()})` });

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
