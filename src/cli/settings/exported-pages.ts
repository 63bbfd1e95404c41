import type { AnalyticsOptions, AssistantOptions } from "../../index.js";
import { UsageError } from "../environment.js";
import { plainUrl } from "../options.js";
import { read } from "./variables.js";

/** Services that the pages of each export use. */
export interface ExportedPagesSettings {
  readonly assistant: Pick<AssistantOptions, "url" | "key"> | undefined;
  readonly analytics: Pick<AnalyticsOptions, "url" | "searches"> | undefined;
}

/** @throws {UsageError} if a variable is invalid. */
export const exportedPagesSettings = (env: NodeJS.ProcessEnv): ExportedPagesSettings => ({
  assistant: assistantSettings(env),
  analytics: analyticsSettings(env),
});

function assistantSettings(env: NodeJS.ProcessEnv): ExportedPagesSettings["assistant"] {
  const url = address(env, "OFFPRINT_PAGE_ASSISTANT_URL");
  const key = read(env, "OFFPRINT_PAGE_ASSISTANT_KEY");
  if (url === undefined && key === undefined) return undefined;
  if (url === undefined || !key?.startsWith("svc_dsc_"))
    throw new UsageError(
      "Set OFFPRINT_PAGE_ASSISTANT_URL and OFFPRINT_PAGE_ASSISTANT_KEY together; the key starts with svc_dsc_.",
    );
  return { url, key };
}

function analyticsSettings(env: NodeJS.ProcessEnv): ExportedPagesSettings["analytics"] {
  const url = address(env, "OFFPRINT_PAGE_ANALYTICS_URL");
  return url === undefined ? undefined : { url, searches: read(env, "OFFPRINT_PAGE_ANALYTICS_SEARCHES") === "1" };
}

const address = (env: NodeJS.ProcessEnv, name: string): string | undefined =>
  plainUrl(`${name} must be a URL such as https://docs-api.example.com`, read(env, name));
