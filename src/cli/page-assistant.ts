import type { AssistantOptions } from "../index.js";
import { read } from "./api-settings.js";
import { plainUrl } from "./options.js";
import { UsageError } from "./usage-error.js";

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
