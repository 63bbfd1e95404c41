import type { ConsoleRoute } from "../route.js";
import { changeName, changePassword, endOtherSessions, endSession, showAccount } from "./account.js";
import { chooseMode, chooseOrganization } from "./choices.js";
import { changeSecondFactor, showSecondFactor } from "./second-factor.js";

export const accountRoutes: readonly ConsoleRoute[] = [
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
