import { createEventStreams } from "../http/index.js";
import type { ConsoleAnswer, ConsoleContext } from "./route.js";

const maxStreams = 100;
const longestMs = 15 * 60_000;

export type PageStreams = ReturnType<typeof createEventStreams>;

export const createPageStreams = (): PageStreams => createEventStreams(maxStreams);

/** Server-sent events for a page, until they or the session end, the person leaves, or 15 minutes have passed. */
export function eventStream(
  { store, person, session, organizationId, request, closing }: ConsoleContext,
  openStream: PageStreams,
  events: (signal: AbortSignal) => AsyncGenerator<string>,
): ConsoleAnswer {
  const { personId } = person;
  const isAllowed = async (): Promise<boolean> => {
    const [sessions, memberships] = await Promise.all([
      store.people.sessions(personId),
      store.people.memberships(personId),
    ]);
    return (
      sessions.some(({ sessionId, stage }) => sessionId === session.sessionId && stage === "open") &&
      memberships.some((membership) => membership.organizationId === organizationId)
    );
  };
  const signals = [request.signal, closing, AbortSignal.timeout(longestMs)];
  const response = openStream({ events, signals, isAllowed });
  if (response) return { response };
  const reason = signals.some((signal) => signal?.aborted) ? null : "Too many streams.";
  return { response: new Response(reason, { status: 503, headers: { "Retry-After": "5" } }) };
}
