import { cookie, transportOf } from "../cookies.js";
import { localPath } from "../login/local-path.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const yearSeconds = 365 * 24 * 60 * 60;

/** Light or dark colours in this browser, or those of the system. */
export async function chooseMode({ deps, request, form }: ConsoleContext): Promise<ConsoleAnswer> {
  const mode = form.get("mode");
  const isSecure = transportOf(request, deps.publicUrl) === "secure";
  return {
    redirect: localPath(form.get("to")),
    cookies: [cookie("mode", mode === "light" || mode === "dark" ? mode : "", isSecure, yearSeconds)],
  };
}

/** Looks at another organization of the person. */
export async function chooseOrganization({ deps, form, session }: ConsoleContext): Promise<ConsoleAnswer> {
  const wanted = session.memberships.find(({ organizationId }) => organizationId === form.get("organization"));
  if (!wanted) return "not-found";
  await deps.store.people.chooseOrganization(session.sessionId, wanted.organizationId);
  return { redirect: "/console" };
}
