import type { Counting } from "./jobs/index.js";

/** For the audit log. */
export const countingText = ({ humansFrom, agentsFrom }: Counting): string =>
  `people from ${humansFrom}, agents from ${agentsFrom}`;
