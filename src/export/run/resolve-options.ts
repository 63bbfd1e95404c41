import { type Deployment, features, isInside } from "../../lib/deployments.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { groupsFault, sortedGroups } from "../../lib/group-names.js";
import type { AnalyticsSettings, AssistantSettings } from "../../lib/service-settings.js";
import type { AnalyticsOptions, AssistantOptions } from "../export-options.js";

/**
 * What follows for an export from what a deployment has, see `features`. `true`: if the site's settings ask for it.
 */
export interface DeploymentFeatures {
  /** Links that open a page in an online assistant. */
  readonly assistants: boolean;
  /** The export fetches the API specifications that the site names by URL. */
  readonly remoteSpecs: boolean;
  /** Default of `embedRemote`: the bundle gets copies of what its pages load from other hosts. */
  readonly embedRemote: boolean;
  /** The site's own content may load from other hosts; if not, each such use is an error. */
  readonly outsideRequests: boolean;
}

export function deploymentFeatures(deployment: Deployment): DeploymentFeatures {
  const isClosed = deployment === "air-gapped";
  const assistants = features.assistant.in[deployment].state !== "no";
  return { assistants, remoteSpecs: !isClosed, embedRemote: isClosed, outsideRequests: !isClosed };
}

/** An option that only the caller can correct. */
export class InvalidOption extends RangeError {
  override readonly name = "InvalidOption";
}

/** The address of a service without a slash at the end. @throws {InvalidOption} */
function readServiceUrl(option: string, url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password || /[?#]/.test(url))
    throw new InvalidOption(`${option} is "${url}"; it must look like https://docs-api.example.com`);
  return address.href.replace(/\/+$/, "");
}

/** The name of the site in a service: by default the host of its address. @throws {InvalidOption} */
function readServiceDomain(option: string, given: string | undefined, baseUrl: string | undefined): string {
  const domain = given ?? (baseUrl === undefined ? undefined : new URL(baseUrl).host);
  if (domain === undefined)
    throw new InvalidOption(`${option} must name the site, since the address of the site is not known`);
  if (!/^[\w.:-]{1,255}$/.test(domain))
    throw new InvalidOption(`${option} is "${domain}"; it must be an identifier or a host, such as docs.example.com`);
  return domain;
}

/** Most questions that are offered to readers. */
const mostQuestions = 6;

/**
 * The settings that the pages get.
 *
 * @param baseUrl address of the site; its host is the domain by default.
 * @throws {InvalidOption} if an option does not have the form that `AssistantOptions` describes.
 */
export function resolveAssistant(
  options: AssistantOptions | undefined,
  baseUrl: string | undefined,
): AssistantSettings | undefined {
  if (options === undefined) return undefined;
  const { key, questions = [] } = options;
  const url = readServiceUrl("assistant.url", options.url);
  // Pages show it to everyone, so the key of an administrator must never get into one.
  if (!/^svc_dsc_[\w-]{1,200}$/.test(key))
    throw new InvalidOption("assistant.key must be the key of an assistant, which begins with svc_dsc_");
  const domain = readServiceDomain("assistant.domain", options.domain, baseUrl);
  const asked = questions.map((question) => question.trim()).filter((question) => question !== "");
  if (asked.length > mostQuestions)
    throw new InvalidOption(`assistant.questions has more than ${mostQuestions} questions`);
  return { url, domain, key, questions: asked };
}

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

/**
 * The groups of readers that a bundle is for: sorted, each once; undefined for none.
 *
 * @throws {InvalidOption} if a name is empty, longer than 200 characters, has a comma, or is `*`; or for more than 100.
 */
export function resolveAudience(groups: readonly string[] = []): readonly string[] | undefined {
  const fault = groupsFault("audience", groups);
  if (fault !== undefined) throw new InvalidOption(fault);
  return groups.length === 0 ? undefined : sortedGroups(groups);
}
