import type { MiddlewareHandler } from "hono";
import { quoted } from "../../../lib/diagnostic/index.js";
import { languageIn } from "../../../lib/language/index.js";
import type { SiteFilter, SiteIndex } from "../../assistant/index.js";
import type { ApiKey, Project } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import type { ApiEnvironment } from "../request-context.js";
import type { AssistantDeps } from "./assistant-deps.js";
import texts from "./texts.json" with { type: "json" };

const { problems } = texts;

/** About as long as a first export takes. */
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
 * The index that a key may search: of the last export for exactly its groups, or of what everyone may read.
 *
 * @param groups of the request. They can only leave out groups of the key.
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
  // Without Retry-After, since waiting does not help.
  if (await indexes.isMissing(project)) throw new ApiError(503, problems.noIndex);
  throw new ApiError(503, problems.noExport, { "Retry-After": exportSeconds });
}

type Filter = { readonly version?: string | null; readonly language?: string | null } | null | undefined;

/** "cn" is "zh-Hans", as in docs.json. @throws {ApiError} 400 for a version or language that the site lacks. */
export function checkFilter(filter: Filter, { versions, languages }: SiteIndex): SiteFilter | undefined {
  const version = requireKnown("version", filter?.version, versions);
  const named = filter?.language ?? undefined;
  const language = requireKnown("language", named && (languageIn(languages, named) ?? named), languages);
  if (version === undefined && language === undefined) return undefined;
  return { ...(version === undefined ? {} : { version }), ...(language === undefined ? {} : { language }) };
}

function requireKnown(name: string, value: string | null | undefined, values: readonly string[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (values.includes(value)) return value;
  const list = values.length === 0 ? `The site has no ${name}s.` : `The site has ${values.slice(0, 20).join(", ")}.`;
  throw new ApiError(400, `"filter.${name}" is ${quoted(value)}. ${list}`);
}

const preflight = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, X-Thread-Key, X-Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id",
  "Access-Control-Max-Age": "7200",
  // Pages of a public site may ask a service in a private network.
  "Access-Control-Allow-Private-Network": "true",
};

/** The headers of each response to a page. */
export const pageHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Thread-Id, X-Thread-Key, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Deprecation, Sunset, Link",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Lets pages read every response, errors too. The origin is checked first, and there are no cookies. */
export const allowPages: MiddlewareHandler<ApiEnvironment> = async (c, next) => {
  const isPreflight = c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined;
  if (isPreflight) c.res = new Response(null, { status: 204, headers: preflight });
  else await next();
  for (const [name, value] of Object.entries(pageHeaders)) c.res.headers.set(name, value);
};

/**
 * Checks the origin of a page. A page that was opened from a file has the origin `null`, which must be listed.
 *
 * @throws {ApiError} 403 if the request comes from a page whose origin the key does not allow.
 */
function checkOrigin({ allowedOrigins }: ApiKey, project: Project, origin: string | undefined): void {
  if (origin === undefined) return;
  const isAllowed =
    allowedOrigins.length === 0 ? hostOf(origin) === project.domain : allowedOrigins.includes(origin.toLowerCase());
  if (isAllowed) return;
  throw new ApiError(
    403,
    `Pages from ${origin.slice(0, 200)} are not allowed to use this key. Create one for them: offprint key create --kind assistant --origin ${origin.slice(0, 200)}.`,
  );
}

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host;

/** Whether it is an origin as browsers send it, such as `https://docs.example.com`, or `null` for files. */
export const isOrigin = (text: string): boolean =>
  text === "null" || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text);
