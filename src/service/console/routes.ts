import { accountRoutes } from "./account/index.js";
import { agentRoutes } from "./agent/index.js";
import { credentialRoutes } from "./credentials/index.js";
import { homeRoutes } from "./home/index.js";
import { jobRoutes } from "./jobs/index.js";
import { keyRoutes } from "./keys/index.js";
import { loginRoutes } from "./login/index.js";
import { peopleRoutes } from "./people/index.js";
import { questionRoutes } from "./questions/index.js";
import type { ConsoleRoute } from "./route.js";
import { siteRoutes } from "./sites/index.js";
import { viewRoutes } from "./views/index.js";

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
