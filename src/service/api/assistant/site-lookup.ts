import type { SiteIndex } from "../../assistant/index.js";
import type { ApiKey, Project } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import type { AssistantDeps } from "./assistant-deps.js";
import { checkOrigin } from "./origins.js";
import texts from "./texts.json" with { type: "json" };

const { problems } = texts;
/** A first export takes about as long. */
const exportSeconds = "30";

/** @throws {ApiError} 404 for an unknown site, 403 for a page that may not use the key. */
export async function projectOf(
  { accounts }: AssistantDeps,
  key: ApiKey,
  domain: string,
  origin: string | undefined,
): Promise<Project> {
  const project = await accounts.projectByName(key.organizationId, domain.toLowerCase());
  if (!project) throw new ApiError(404, problems.noSite);
  if (key.kind === "assistant") checkOrigin(key, project, origin);
  return project;
}

/**
 * What a key may see of a site: the last export for exactly its groups, or what everyone may read.
 *
 * @param groups of the request. They only leave out groups of the key, and never add one.
 * @throws {ApiError} 503 if there is no index.
 */
export async function indexOf(
  { indexes }: AssistantDeps,
  project: Project,
  key: ApiKey,
  groups: readonly string[] | null | undefined,
): Promise<SiteIndex> {
  const audience = key.groups.filter((name) => groups?.includes(name) ?? true);
  const ofAudience = audience.length > 0 ? await indexes.of(project, audience) : undefined;
  const index = ofAudience ?? (await indexes.of(project));
  if (index) return index;
  // Waiting does not help here, so there is no Retry-After.
  if (await indexes.isMissing(project)) throw new ApiError(503, problems.noIndex);
  throw new ApiError(503, problems.noExport, { "Retry-After": exportSeconds });
}
