import type { ConsoleRoute } from "../route.js";
import { showHome } from "./home.js";

export const homeRoutes: readonly ConsoleRoute[] = [{ method: "GET", path: "", role: "reader", handle: showHome }];
