import { type Deployment, features, isInside } from "../lib/deployments.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import type { AnalyticsSettings, AssistantSettings } from "../lib/service-settings.js";

interface Services {
  readonly assistant: AssistantSettings | undefined;
  readonly analytics: AnalyticsSettings | undefined;
}

/** Leaves out the services that readers of this deployment cannot reach, and reports them. */
export function reachableServices(
  deployment: Deployment,
  { assistant, analytics }: Services,
  baseUrl: string | undefined,
): Services & { readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const reachable = <Service extends { readonly url: string }>(
    feature: "assistant" | "analytics",
    service: Service | undefined,
    what: string,
  ): Service | undefined => {
    if (!service || features[feature].in[deployment].state !== "no" || isInside(service.url, baseUrl)) return service;
    diagnostics.push({
      code: "OUTSIDE_SERVICE",
      severity: "error",
      what: `${what} is at ${service.url}, which an air-gapped reader cannot reach; the bundle has none.`,
      fix: `leave --${feature}-url out, or name an address of the closed network: a private one, a name that ends in .internal, or the host of --base-url.`,
    });
    return undefined;
  };
  return {
    assistant: reachable("assistant", assistant, "The assistant"),
    analytics: reachable("analytics", analytics, "The service that counts views"),
    diagnostics,
  };
}
