import {
  changeName,
  changePassword,
  chooseMode,
  chooseOrganization,
  endOtherSessions,
  endSession,
  showAccount,
} from "./account/account.js";
import { changeSecondFactor, showSecondFactor } from "./account/second-factor.js";
import { agentJobEvents, archiveAgentJob, cancelAgentJob, sendMessage, startAgentJob } from "./agent/handlers.js";
import { listAgentJobs } from "./agent/job-list.js";
import { showAgentJob } from "./agent/job-page.js";
import { cookie, transportOf } from "./browser-request.js";
import { credentialRoutes } from "./credentials/handlers.js";
import { showHome } from "./home.js";
import { jobEvents } from "./jobs/events.js";
import { cancelJob, downloadBundle, exportAgain, withdrawBundle } from "./jobs/handlers.js";
import { listJobs } from "./jobs/job-list.js";
import { showJob } from "./jobs/job-page.js";
import { keyRoutes } from "./keys/handlers.js";
import { acceptInvite, showInvite } from "./login/invite.js";
import { checkCode, logIn, showCode, showLogin } from "./login/login.js";
import { beginOidc, finishOidc } from "./login/oidc.js";
import { showLog } from "./people/audit-log.js";
import { askToDeleteOrganization, deleteOrganization } from "./people/delete-organization.js";
import {
  askToRemove,
  changeRole,
  invite,
  logOutMember,
  removeMember,
  showPeople,
  withdrawInvite,
} from "./people/people.js";
import { questionRoutes } from "./questions/handlers.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleRoute } from "./route.js";
import { siteRoutes } from "./sites/handlers.js";
import { viewRoutes } from "./views/handlers.js";

const homeRoutes: readonly ConsoleRoute[] = [{ method: "GET", path: "", role: "reader", handle: showHome }];

const jobRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/jobs", role: "reader", handle: listJobs },
  { method: "GET", path: "/jobs/{id}", role: "reader", handle: showJob },
  { method: "POST", path: "/jobs/{id}/cancel", role: "editor", handle: cancelJob },
  { method: "POST", path: "/jobs/{id}/again", role: "editor", handle: exportAgain },
  { method: "POST", path: "/jobs/{id}/download", role: "reader", handle: downloadBundle },
  { method: "POST", path: "/jobs/{id}/withdraw", role: "owner", handle: withdrawBundle },
  { method: "GET", path: "/events", role: "reader", handle: jobEvents },
];

const agentRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/agent", role: "reader", handle: (context) => listAgentJobs(context) },
  { method: "POST", path: "/agent", role: "editor", handle: startAgentJob },
  { method: "GET", path: "/agent/{id}", role: "reader", handle: (context) => showAgentJob(context) },
  { method: "GET", path: "/agent/{id}/events", role: "reader", handle: agentJobEvents },
  { method: "POST", path: "/agent/{id}/message", role: "editor", handle: sendMessage },
  { method: "POST", path: "/agent/{id}/cancel", role: "editor", handle: cancelAgentJob },
  { method: "POST", path: "/agent/{id}/archive", role: "editor", handle: archiveAgentJob },
];

const peopleRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/people", role: "owner", handle: showPeople },
  { method: "POST", path: "/people", role: "owner", handle: invite },
  { method: "POST", path: "/people/withdraw", role: "owner", handle: withdrawInvite },
  { method: "POST", path: "/people/{id}/role", role: "owner", handle: changeRole },
  { method: "POST", path: "/people/{id}/log-out", role: "owner", handle: logOutMember },
  { method: "GET", path: "/people/{id}/remove", role: "owner", handle: askToRemove },
  { method: "POST", path: "/people/{id}/remove", role: "owner", handle: removeMember },
  { method: "GET", path: "/organization/delete", role: "owner", handle: askToDeleteOrganization },
  { method: "POST", path: "/organization/delete", role: "owner", handle: deleteOrganization },
  { method: "GET", path: "/log", role: "owner", handle: showLog },
];

const accountRoutes: readonly ConsoleRoute[] = [
  { method: "POST", path: "/mode", role: "reader", handle: chooseMode },
  { method: "POST", path: "/organization", role: "reader", handle: chooseOrganization },
  { method: "GET", path: "/account", role: "reader", handle: showAccount },
  { method: "POST", path: "/account/name", role: "reader", handle: changeName },
  { method: "POST", path: "/account/password", role: "reader", handle: changePassword },
  { method: "GET", path: "/account/second-factor", role: "reader", handle: showSecondFactor },
  { method: "POST", path: "/account/second-factor", role: "reader", handle: changeSecondFactor },
  { method: "POST", path: "/account/sessions/end", role: "reader", handle: endSession },
  { method: "POST", path: "/account/sessions/others", role: "reader", handle: endOtherSessions },
];

const loginRoutes: readonly ConsoleRoute[] = [
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

/** Every route of the console. The tests of roles, tokens and organizations are made from this list. */
export const routes: readonly ConsoleRoute[] = [
  ...homeRoutes,
  ...jobRoutes,
  ...agentRoutes,
  ...siteRoutes,
  ...viewRoutes,
  ...questionRoutes,
  ...keyRoutes,
  ...credentialRoutes,
  ...peopleRoutes,
  ...accountRoutes,
  ...loginRoutes,
];

async function logOut({ deps, request, session }: ConsoleContext): Promise<ConsoleAnswer> {
  await deps.store.people.endSession(session.person.personId, session.sessionId);
  const isSecure = transportOf(request, deps.publicUrl) === "secure";
  return { redirect: "/console/login", cookies: [cookie("session", "", isSecure)] };
}
