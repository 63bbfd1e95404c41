import type { AnalyticsOptions } from "../index.js";
import { read } from "./api-settings.js";
import { plainUrl } from "./options.js";

/** The service that the environment names for the views of exported pages. @throws {UsageError} if it is no address. */
export function pageAnalytics(env: NodeJS.ProcessEnv): Pick<AnalyticsOptions, "url" | "searches"> | undefined {
  const given = read(env, "OFFPRINT_PAGE_ANALYTICS_URL");
  const url = plainUrl("OFFPRINT_PAGE_ANALYTICS_URL is an address, such as https://docs-api.example.com", given);
  return url === undefined ? undefined : { url, searches: read(env, "OFFPRINT_PAGE_ANALYTICS_SEARCHES") === "1" };
}
