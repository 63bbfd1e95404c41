import type { AnalyticsOptions, AssistantOptions } from "../../index.js";
import { UsageError } from "../environment.js";
import { plainUrl } from "../options.js";
import { read } from "./api.js";

/** The assistant that the environment names for the pages of exports. @throws {UsageError} if a variable is invalid. */
export function pageAssistant(env: NodeJS.ProcessEnv): Pick<AssistantOptions, "url" | "key"> | undefined {
  const given = read(env, "OFFPRINT_PAGE_ASSISTANT_URL");
  const key = read(env, "OFFPRINT_PAGE_ASSISTANT_KEY");
  if (given === undefined && key === undefined) return undefined;
  const url = plainUrl("OFFPRINT_PAGE_ASSISTANT_URL is an address, such as https://docs-api.example.com", given);
  if (url === undefined || !key?.startsWith("svc_dsc_"))
    throw new UsageError(
      "OFFPRINT_PAGE_ASSISTANT_URL and OFFPRINT_PAGE_ASSISTANT_KEY belong together; the key begins with svc_dsc_.",
    );
  return { url, key };
}

/** The service that the environment names for the views of exported pages. @throws {UsageError} if it is no address. */
export function pageAnalytics(env: NodeJS.ProcessEnv): Pick<AnalyticsOptions, "url" | "searches"> | undefined {
  const given = read(env, "OFFPRINT_PAGE_ANALYTICS_URL");
  const url = plainUrl("OFFPRINT_PAGE_ANALYTICS_URL is an address, such as https://docs-api.example.com", given);
  return url === undefined ? undefined : { url, searches: read(env, "OFFPRINT_PAGE_ANALYTICS_SEARCHES") === "1" };
}
