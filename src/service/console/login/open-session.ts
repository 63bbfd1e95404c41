import type { Person } from "../../jobs/index.js";
import { browserOf, cookie } from "../browser-request.js";
import type { OpenContext } from "../route.js";

const sessionSeconds = 7 * 24 * 60 * 60;

interface OpenSessionOptions {
  readonly stage?: "password" | "open";
  /** As `NewSession.recheckMs`. */
  readonly recheckMs?: number;
}

/** Opens a session, which replaces the one that the browser had. */
export async function openSession(
  { store: { people }, request, isSecure, session, address }: OpenContext,
  person: Person,
  to: string,
  { stage = "open", recheckMs }: OpenSessionOptions = {},
) {
  if (session) await people.endSession(session.person.personId, session.sessionId);
  const secret = await people.createSession({
    personId: person.personId,
    stage,
    recheckMs,
    browser: browserOf(request.headers.get("User-Agent")),
    address,
    // Somebody whom the provider only confirms again stays in the current organization.
    organizationId: session?.person.personId === person.personId ? session.organizationId : undefined,
  });
  return { redirect: to, cookies: [cookie("session", secret, isSecure, sessionSeconds)] };
}

/** The path of the console to open after the login. Any other address is replaced by the first page. */
export const localPath = (to: string | null): string =>
  to !== null && /^\/console(?:[/?][\w/?&=.,:%+~-]*)?$/.test(to) && !to.includes("//") ? to : "/console";
