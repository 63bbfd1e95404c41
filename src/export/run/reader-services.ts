import { features, isInside } from "../../lib/deployments.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { AnalyticsSettings, AssistantSettings } from "../../lib/service-settings.js";
import { parseHttpUrl } from "../../lib/url/index.js";
import { type AnalyticsOptions, type AssistantOptions, InvalidOption } from "../export-options.js";
import type { Settings } from "./open-run.js";

/**
 * The services that readers' browsers ask: an assistant, and one that counts page views. Those that readers of this deployment
 * cannot reach are left out and reported.
 *
 * @param baseUrl address of the site; its host is the default of `domain`
 * @throws {InvalidOption} if an option does not have the form that `ExportOptions` describes
 */
export function resolveServices(settings: Settings, baseUrl: string | undefined) {
  const diagnostics: Diagnostic[] = [];
  const ifReachable = <Service extends { readonly url: string }>(
    feature: "assistant" | "analytics" | "mcp",
    service: Service | undefined,
    name: string,
  ): Service | undefined => {
    const isAllowed = features[feature === "mcp" ? "assistant" : feature].in[settings.deployment].state !== "no";
    if (!service || isAllowed || isInside(service.url, baseUrl)) return service;
    const what = `${name} is at ${service.url}, which readers in an air-gapped network cannot reach, so the bundle does not include it.`;
    const fix = `leave --${feature}-url out, or use an address in the closed network: a private IP address, a host name that ends in .internal, or the host of --base-url.`;
    diagnostics.push({ code: "OUTSIDE_SERVICE", severity: "error", what, fix });
    return undefined;
  };
  const assistant = ifReachable("assistant", resolveAssistant(settings.assistant, baseUrl), "The assistant");
  const mcp = ifReachable("mcp", resolveMcp(settings.mcpUrl), "The MCP server");
  return {
    assistant,
    /** Address of the site's MCP server. Default: the one of the assistant's service. */
    mcp: mcp?.url ?? (assistant && `${assistant.url}/mcp/${assistant.domain}?key=${assistant.key}`),
    analytics: ifReachable("analytics", resolveAnalytics(settings.analytics, baseUrl), "The service that counts views"),
    diagnostics,
  };
}

/** How many questions may be offered to readers. */
const maxQuestions = 6;

export function resolveAssistant(
  options: AssistantOptions | undefined,
  baseUrl: string | undefined,
): AssistantSettings | undefined {
  if (options === undefined) return undefined;
  const { key, domain, questions = [] } = options;
  const url = readServiceUrl("assistant.url", options.url);
  // Pages show it to everyone, so the key of an administrator must never get into one.
  if (!/^svc_dsc_[\w-]{1,200}$/.test(key))
    throw new InvalidOption("assistant.key must be an assistant key: svc_dsc_ and letters, digits, - or _ after it");
  const offered = questions.map((question) => question.trim()).filter((question) => question !== "");
  if (offered.length > maxQuestions)
    throw new InvalidOption(`assistant.questions has more than ${maxQuestions} questions`);
  return { url, domain: readServiceDomain("assistant.domain", domain, baseUrl), key, questions: offered };
}

function resolveMcp(url: string | undefined): { readonly url: string } | undefined {
  if (url === undefined) return undefined;
  const address = parseHttpUrl(url);
  if (!address || address.username || address.password || address.hash)
    throw new InvalidOption(`mcpUrl is "${url}"; it must look like https://docs.example.com/mcp`);
  return { url: address.href };
}

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

/** The address of a service without a slash at the end. */
function readServiceUrl(option: string, url: string): string {
  const address = parseHttpUrl(url);
  if (!address || address.username || address.password || /[?#]/.test(url))
    throw new InvalidOption(`${option} is "${url}"; it must look like https://docs-api.example.com`);
  return address.href.replace(/\/+$/, "");
}

/** The name under which a service knows the site: by default the host of the site's address. */
function readServiceDomain(option: string, given: string | undefined, baseUrl: string | undefined): string {
  const domain = given ?? (baseUrl === undefined ? undefined : new URL(baseUrl).host);
  if (domain === undefined) throw new InvalidOption(`${option} must name the site, because the site has no URL`);
  if (!/^[\w.:-]{1,255}$/.test(domain))
    throw new InvalidOption(`${option} is "${domain}"; it must be an identifier or a host, such as docs.example.com`);
  return domain;
}
