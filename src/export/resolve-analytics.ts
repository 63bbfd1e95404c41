import type { AnalyticsSettings } from "../lib/service-settings.js";
import type { AnalyticsOptions } from "./export-options.js";
import { readServiceDomain, readServiceUrl } from "./service-address.js";

/**
 * The settings that the pages get.
 *
 * @param baseUrl address of the site; its host is the domain by default.
 * @throws {InvalidOption} if an option does not have the form that `AnalyticsOptions` describes.
 */
export function resolveAnalytics(
  options: AnalyticsOptions | undefined,
  baseUrl: string | undefined,
): AnalyticsSettings | undefined {
  if (options === undefined) return undefined;
  return {
    url: readServiceUrl("analytics.url", options.url),
    domain: readServiceDomain("analytics.domain", options.domain, baseUrl),
    searches: options.searches ?? false,
  };
}
