import type { Person } from "../../jobs/index.js";
import { browserOf, cookie, transportOf } from "../browser-request.js";
import type { OpenContext } from "../route.js";

const sessionSeconds = 7 * 24 * 60 * 60;

interface OpenSessionOptions {
  readonly stage?: "password" | "open";
  /** As `NewSession.recheckMs`. */
  readonly recheckMs?: number;
}

/** A new session of the browser, which replaces the one it had. */
export async function openSession(
  { deps, request, session, address }: OpenContext,
  person: Person,
  to: string,
  { stage = "open", recheckMs }: OpenSessionOptions = {},
) {
  const { people } = deps.store;
  const isSecure = transportOf(request, deps.publicUrl) === "secure";
  if (session) await people.endSession(session.person.personId, session.sessionId);
  const secret = await people.createSession({
    personId: person.personId,
    stage,
    recheckMs,
    browser: browserOf(request.headers.get("User-Agent")),
    address,
    // Somebody who is only confirmed again stays in the organization that they look at.
    organizationId: session?.person.personId === person.personId ? session.organizationId : undefined,
  });
  return { redirect: to, cookies: [cookie("session", secret, isSecure, sessionSeconds)] };
}

/** A path of the console to go to after the login; the first page in place of any other address. */
export const localPath = (to: string | null): string =>
  to !== null && /^\/console(?:[/?][\w/?&=.,:%+~-]*)?$/.test(to) && !to.includes("//") ? to : "/console";
