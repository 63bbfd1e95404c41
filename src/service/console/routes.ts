import * as account from "./account/account.js";
import { changeSecondFactor, showSecondFactor } from "./account/second-factor.js";
import * as agent from "./agent/agent-job.js";
import { listAgentJobs } from "./agent/agent-job-list.js";
import * as credentials from "./credentials/credentials.js";
import { showHome } from "./home.js";
import { jobEvents } from "./jobs/events.js";
import * as jobs from "./jobs/handlers.js";
import { listJobs } from "./jobs/job-list.js";
import { forJob, showJob } from "./jobs/job-page.js";
import * as keys from "./keys/keys.js";
import { create as createKey, newKeyPage } from "./keys/new-key.js";
import { acceptInvite, showInvite } from "./login/invite.js";
import { checkCode, logIn, logOut, showCode, showLogin } from "./login/login.js";
import { beginOidc, finishOidc } from "./login/oidc.js";
import { showLog } from "./people/audit-log.js";
import { askToDeleteOrganization, deleteOrganization } from "./people/delete-organization.js";
import * as people from "./people/people.js";
import * as questions from "./questions/questions.js";
import type { ConsoleRoute } from "./route.js";
import * as sites from "./sites/handlers.js";
import { changeCounting, rotateWebhookSecret, showSettings } from "./sites/site-settings.js";
import { exportViews, showViews } from "./views/views.js";

const { forAgentJob } = agent;
const { forCredential } = credentials;
const { forKey } = keys;
const { forMember } = people;
const { forThread } = questions;
const { forSite } = sites;

/** Every route of the console. The tests of roles, tokens and organizations are made from this list. */
export const routes: readonly ConsoleRoute[] = [
  { method: "GET", path: "", role: "reader", handle: showHome },

  { method: "GET", path: "/jobs", role: "reader", handle: listJobs },
  { method: "GET", path: "/jobs/{id}", role: "reader", handle: forJob(showJob) },
  { method: "POST", path: "/jobs/{id}/cancel", role: "editor", handle: forJob(jobs.cancelJob) },
  { method: "POST", path: "/jobs/{id}/again", role: "editor", handle: forJob(jobs.exportAgain) },
  { method: "POST", path: "/jobs/{id}/download", role: "reader", handle: forJob(jobs.downloadBundle) },
  { method: "POST", path: "/jobs/{id}/withdraw", role: "owner", handle: forJob(jobs.withdrawBundle) },
  { method: "GET", path: "/events", role: "reader", handle: jobEvents },

  { method: "GET", path: "/agent", role: "reader", handle: (context) => listAgentJobs(context) },
  { method: "POST", path: "/agent", role: "editor", handle: agent.startAgentJob },
  { method: "GET", path: "/agent/{id}", role: "reader", handle: forAgentJob(agent.agentJobPage) },
  { method: "GET", path: "/agent/{id}/events", role: "reader", handle: forAgentJob(agent.agentJobEvents) },
  { method: "POST", path: "/agent/{id}/message", role: "editor", handle: forAgentJob(agent.sendMessage) },
  { method: "POST", path: "/agent/{id}/cancel", role: "editor", handle: forAgentJob(agent.cancelAgentJob) },
  { method: "POST", path: "/agent/{id}/archive", role: "editor", handle: forAgentJob(agent.archiveAgentJob) },

  { method: "GET", path: "/sites", role: "reader", handle: sites.listSites },
  { method: "GET", path: "/sites/new", role: "editor", handle: (context) => sites.newSitePage(context) },
  { method: "POST", path: "/sites", role: "editor", handle: sites.addSite },
  { method: "GET", path: "/sites/{id}", role: "reader", handle: forSite(sites.showSite) },
  { method: "POST", path: "/sites/{id}/export", role: "editor", handle: forSite(sites.exportNow) },
  { method: "GET", path: "/sites/{id}/source", role: "editor", handle: forSite(sites.sourcePage) },
  { method: "POST", path: "/sites/{id}/source", role: "editor", handle: forSite(sites.changeSource) },
  { method: "GET", path: "/sites/{id}/settings", role: "editor", handle: forSite(showSettings) },
  { method: "POST", path: "/sites/{id}/counting", role: "editor", handle: forSite(changeCounting) },
  { method: "POST", path: "/sites/{id}/webhook-secret", role: "owner", handle: forSite(rotateWebhookSecret) },
  { method: "GET", path: "/sites/{id}/remove", role: "owner", handle: forSite(sites.removePage) },
  { method: "POST", path: "/sites/{id}/remove", role: "owner", handle: forSite(sites.removeSite) },

  { method: "GET", path: "/views", role: "reader", handle: showViews },
  { method: "GET", path: "/views/csv", role: "reader", handle: exportViews },

  // Only editors see what readers typed.
  { method: "GET", path: "/questions", role: "editor", handle: questions.listQuestions },
  { method: "GET", path: "/questions/csv", role: "editor", handle: questions.exportQuestions },
  { method: "GET", path: "/questions/{thread}", role: "editor", handle: forThread(questions.showThread) },
  { method: "GET", path: "/questions/{thread}/json", role: "editor", handle: forThread(questions.exportThread) },
  { method: "POST", path: "/questions/{thread}/delete", role: "editor", handle: forThread(questions.deleteThread) },

  { method: "GET", path: "/keys", role: "owner", handle: keys.listKeys },
  { method: "GET", path: "/keys/new", role: "owner", handle: (context) => newKeyPage(context, context.query) },
  { method: "POST", path: "/keys", role: "owner", handle: createKey },
  { method: "GET", path: "/keys/{id}", role: "owner", handle: forKey(keys.showKey) },
  { method: "POST", path: "/keys/{id}/rotate", role: "owner", handle: forKey(keys.rotate) },
  { method: "POST", path: "/keys/{id}/revoke", role: "owner", handle: forKey(keys.revoke) },

  { method: "GET", path: "/credentials", role: "owner", handle: (context) => credentials.listCredentials(context) },
  {
    method: "GET",
    path: "/credentials/new",
    role: "owner",
    handle: (context) => credentials.newCredentialPage(context, context.query),
  },
  { method: "POST", path: "/credentials", role: "owner", handle: credentials.add },
  { method: "POST", path: "/credentials/github/begin", role: "owner", handle: credentials.beginInstallation },
  { method: "GET", path: "/credentials/github", role: "owner", handle: credentials.confirmInstallation },
  { method: "POST", path: "/credentials/github", role: "owner", handle: credentials.finishInstallation },
  { method: "GET", path: "/credentials/{id}", role: "owner", handle: forCredential(credentials.showCredential) },
  { method: "POST", path: "/credentials/{id}/rotate", role: "owner", handle: forCredential(credentials.rotate) },
  { method: "POST", path: "/credentials/{id}/remove", role: "owner", handle: forCredential(credentials.remove) },

  { method: "GET", path: "/people", role: "owner", handle: (context) => people.showPeople(context) },
  { method: "POST", path: "/people", role: "owner", handle: people.invite },
  { method: "POST", path: "/people/withdraw", role: "owner", handle: people.withdrawInvite },
  { method: "POST", path: "/people/{id}/role", role: "owner", handle: forMember(people.changeRole) },
  { method: "POST", path: "/people/{id}/log-out", role: "owner", handle: forMember(people.logOutMember) },
  { method: "GET", path: "/people/{id}/remove", role: "owner", handle: forMember(people.askToRemove) },
  { method: "POST", path: "/people/{id}/remove", role: "owner", handle: forMember(people.removeMember) },
  { method: "GET", path: "/organization/delete", role: "owner", handle: (context) => askToDeleteOrganization(context) },
  { method: "POST", path: "/organization/delete", role: "owner", handle: deleteOrganization },
  { method: "GET", path: "/log", role: "owner", handle: showLog },

  { method: "POST", path: "/mode", role: "reader", handle: account.chooseMode },
  { method: "POST", path: "/organization", role: "reader", handle: account.chooseOrganization },
  { method: "GET", path: "/account", role: "reader", handle: (context) => account.showAccount(context) },
  { method: "POST", path: "/account/name", role: "reader", handle: account.changeName },
  { method: "POST", path: "/account/password", role: "reader", handle: account.changePassword },
  { method: "GET", path: "/account/second-factor", role: "reader", handle: showSecondFactor },
  { method: "POST", path: "/account/second-factor", role: "reader", handle: changeSecondFactor },
  { method: "POST", path: "/account/sessions/end", role: "reader", handle: account.endSession },
  { method: "POST", path: "/account/sessions/others", role: "reader", handle: account.endOtherSessions },

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
