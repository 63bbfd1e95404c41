import { endOfAccess } from "../end-of-access.js";
import type { ConsoleContext } from "./route.js";

/** Aborts once the session is over, has to be confirmed, or its person has left the organization. */
export function endOfSession({ deps, person, session, organization }: ConsoleContext, end: AbortSignal): AbortSignal {
  const { people } = deps.store;
  const { personId } = person;
  return endOfAccess(async () => {
    const [sessions, memberships] = await Promise.all([people.sessions(personId), people.memberships(personId)]);
    return (
      sessions.some(({ sessionId, stage }) => sessionId === session.sessionId && stage === "open") &&
      memberships.some(({ organizationId }) => organizationId === organization.organizationId)
    );
  }, end);
}
