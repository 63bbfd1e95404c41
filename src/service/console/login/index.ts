import { cookie, transportOf } from "../cookies.js";
import { beginOidc, finishOidc } from "../oidc/login.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleRoute } from "../route.js";
import { checkCode, showCode } from "./code.js";
import { acceptInvite, showInvite } from "./invite.js";
import { logIn, showLogin } from "./login.js";

async function logOut({ deps, request, session }: ConsoleContext): Promise<ConsoleAnswer> {
  await deps.store.people.endSession(session.person.personId, session.sessionId);
  const isSecure = transportOf(request, deps.publicUrl) === "secure";
  return { redirect: "/console/login", cookies: [cookie("session", "", isSecure)] };
}

export const loginRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/login", role: "open", handle: showLogin },
  { method: "POST", path: "/login", role: "open", handle: logIn },
  { method: "GET", path: "/login/oidc", role: "open", handle: beginOidc },
  { method: "GET", path: "/login/oidc/callback", role: "open", handle: finishOidc },
  { method: "GET", path: "/login/code", role: "open", handle: showCode },
  { method: "POST", path: "/login/code", role: "open", handle: checkCode },
  { method: "GET", path: "/invite/{secret}", role: "open", handle: showInvite },
  { method: "POST", path: "/invite/{secret}", role: "open", handle: acceptInvite },
  { method: "POST", path: "/logout", role: "reader", handle: logOut },
];
