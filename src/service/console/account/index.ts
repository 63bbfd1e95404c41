import type { ConsoleRoute } from "../route.js";
import { chooseMode, chooseOrganization } from "./choices.js";

export const accountRoutes: readonly ConsoleRoute[] = [
  { method: "POST", path: "/mode", role: "reader", handle: chooseMode },
  { method: "POST", path: "/organization", role: "reader", handle: chooseOrganization },
];
