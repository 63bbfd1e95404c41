import type { ConsoleRoute } from "../route.js";
import { askToDeleteOrganization, deleteOrganization } from "./delete-organization.js";
import { showLog } from "./log.js";
import { askToRemove, changeRole, invite, logOutMember, removeMember, showPeople, withdrawInvite } from "./people.js";

export const peopleRoutes: readonly ConsoleRoute[] = [
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
