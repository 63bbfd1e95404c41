import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { createKey, rotateKey, TooManyKeysError } from "../../create-key.js";
import type { Credentials } from "../../credentials/index.js";
import {
  type AccountStore,
  type Actor,
  type ApiKey,
  DomainTakenError,
  type Organization,
  type Project,
} from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { readJson } from "../request-body.js";
import type { ApiEnvironment } from "../request-context.js";
import { createTokenCheck } from "../require-token.js";
import { addCredentialRoutes } from "./add-credential-routes.js";
import { addErasureRoutes, type ErasureDeps } from "./add-erasure-routes.js";
import * as routes from "./routes.js";
import type { keySchema, siteSchema } from "./schemas.js";

export interface AdminDeps extends ErasureDeps {
  readonly accounts: AccountStore;
  readonly credentials: Credentials;
  readonly adminToken: string;
  readonly maxBodyBytes: number;
  readonly now: () => number;
}

/** For the audit log: the token does not say who uses it. */
const by: Actor = { actor: "API for the administration" };
const defaultOverlapMs = 24 * 60 * 60_000;
const defaultLifeMs = 90 * 24 * 60 * 60_000;

/** Routes for the operator's programs: organizations, their sites and keys. */
export function addAdminRoutes(app: OpenAPIHono<ApiEnvironment>, deps: AdminDeps): void {
  const { accounts, now } = deps;
  const checkToken = createTokenCheck(accounts, deps.adminToken, "offprint administration", now);
  app.use("/v1/admin/*", async (c, next) => {
    await checkToken(c.req.header("Authorization"), c.get("clientAddress"));
    await next();
  });
  // A request that its listener received always has a stream as its body, also if nothing is in it.
  for (const route of Object.values(routes))
    if ("body" in (("request" in route && route.request) || {}))
      app.on(route.method, route.getRoutingPath(), readJson(deps.maxBodyBytes));

  app.openapi(routes.listOrganizations, async (c) =>
    c.json({ organizations: [...(await accounts.organizations())] }, 200),
  );
  app.openapi(routes.createOrganization, async (c) => {
    const { name, plan } = c.req.valid("json");
    const created = await accounts.createOrganization(name, plan, by);
    if (!created) throw new ApiError(409, `There is an organization with the name "${name}" already.`);
    return c.json(created, 201);
  });
  app.openapi(routes.setPlan, async (c) => {
    const { organizationId } = await organizationOf(accounts, c.req.valid("param").organizationId);
    const { plan } = c.req.valid("json");
    await accounts.setPlan(organizationId, plan, by);
    return c.json((await accounts.organizationById(organizationId))!, 200);
  });

  app.openapi(routes.listSites, async (c) => {
    const { organizationId } = await organizationOf(accounts, c.req.valid("param").organizationId);
    return c.json({ sites: (await accounts.projects(organizationId)).map(siteView) }, 200);
  });
  app.openapi(routes.addSite, async (c) => {
    const { organizationId } = await organizationOf(accounts, c.req.valid("param").organizationId);
    const { domain, git, deployment = "cloud" } = c.req.valid("json");
    const source = { kind: "git", ...git } as const;
    const project = await accounts.addProject({ organizationId, domain, source, deployment }, by).catch(asConflict);
    return c.json({ ...siteView(project), webhookSecret: project.webhookSecret }, 201);
  });
  app.openapi(routes.setCounting, async (c) => {
    const { organizationId, domain } = c.req.valid("param");
    const project = await accounts.setCounting(organizationId, domain, c.req.valid("json"), by);
    if (!project) throw notFound(`site ${domain}`);
    return c.json(siteView(project), 200);
  });
  addErasureRoutes(app, deps, by);
  app.openapi(routes.rotateSecret, async (c) => {
    const { organizationId, domain } = c.req.valid("param");
    const project = await accounts.rotateWebhookSecret(organizationId, domain, overlapMs(c.req.valid("json")), by);
    if (!project) throw notFound(`site ${domain}`);
    const { webhookSecret, oldWebhookSecret } = project;
    return c.json({ webhookSecret, oldSecretValidUntil: oldWebhookSecret!.until.toISOString() }, 200);
  });

  app.openapi(routes.listKeys, async (c) => {
    const { organizationId } = await organizationOf(accounts, c.req.valid("param").organizationId);
    return c.json({ keys: (await accounts.keys(organizationId)).map(keyView) }, 200);
  });
  app.openapi(routes.createKey, async (c) => {
    const { organizationId } = await organizationOf(accounts, c.req.valid("param").organizationId);
    const {
      name,
      kind = "admin",
      scope,
      allowedAddresses = [],
      allowedOrigins,
      groups,
      expiresAt,
    } = c.req.valid("json");
    if (kind === "assistant" && scope !== undefined)
      throw new ApiError(400, 'An assistant key has no scope: leave "scope" out.');
    if (kind === "admin" && allowedOrigins !== undefined)
      throw new ApiError(400, 'An admin key is a secret of servers: leave "allowedOrigins" out.');
    if (kind === "admin" && groups !== undefined)
      throw new ApiError(400, 'An admin key belongs to no group of readers: leave "groups" out.');
    const expiry = expiresAt === null ? undefined : new Date(expiresAt ?? now() + defaultLifeMs);
    if (expiry && expiry.getTime() <= now()) throw new ApiError(400, '"expiresAt" is in the past.');
    const scopes = kind === "assistant" ? [] : [scope ?? ("write" as const)];
    const wanted = { organizationId, kind, name, scopes, allowedAddresses, allowedOrigins, groups, expiresAt: expiry };
    const { key, secret } = await createKey(accounts, wanted, by).catch(asTooMany);
    return c.json({ ...keyView(key), secret }, 201);
  });
  app.openapi(routes.rotateKey, async (c) => {
    const { organizationId, keyId } = c.req.valid("param");
    const overlap = overlapMs(c.req.valid("json"));
    const created = await rotateKey(accounts, organizationId, keyId, overlap, by).catch(asTooMany);
    if (!created) throw notFound(`valid key ${keyId}`);
    return c.json({ ...keyView(created.key), secret: created.secret }, 201);
  });
  app.openapi(routes.revokeKey, async (c) => {
    const { organizationId, keyId } = c.req.valid("param");
    if (!(await accounts.revokeKey(organizationId, keyId, by))) throw notFound(`valid key ${keyId}`);
    return c.body(null, 204);
  });
  addCredentialRoutes(app, deps.credentials, (organizationId) => organizationOf(accounts, organizationId), by);
}

const notFound = (what: string): ApiError => new ApiError(404, `The organization has no ${what}.`);

async function organizationOf(accounts: AccountStore, organizationId: string): Promise<Organization> {
  const organization = await accounts.organizationById(organizationId);
  if (organization) return organization;
  throw new ApiError(404, "There is no such organization. GET /v1/admin/organizations lists them.");
}

const overlapMs = ({ overlapSeconds }: { readonly overlapSeconds?: number }): number =>
  overlapSeconds === undefined ? defaultOverlapMs : overlapSeconds * 1000;

function asConflict(error: unknown): never {
  // The store's errors arrive as a 503 with their cause.
  const cause = error instanceof ApiError ? error.cause : error;
  if (cause instanceof DomainTakenError) throw new ApiError(409, cause.message);
  throw error;
}

function asTooMany(error: unknown): never {
  if (error instanceof TooManyKeysError) throw new ApiError(429, error.message, { "Retry-After": "600" });
  throw error;
}

const siteView = ({
  projectId,
  domain,
  identifier,
  source,
  deployment,
  counting,
}: Project): z.infer<typeof siteSchema> => ({
  projectId,
  domain,
  identifier,
  ...(source.kind === "folder"
    ? { folder: source.path }
    : { git: { url: source.url, ref: source.ref, subfolder: source.subfolder } }),
  deployment,
  ...counting,
});

const keyView = ({ organizationId: _, ...key }: ApiKey): z.infer<typeof keySchema> => ({
  ...key,
  scopes: [...key.scopes],
  allowedAddresses: [...key.allowedAddresses],
  allowedOrigins: [...key.allowedOrigins],
  groups: [...key.groups],
  createdAt: key.createdAt.toISOString(),
  expiresAt: key.expiresAt?.toISOString(),
  revokedAt: key.revokedAt?.toISOString(),
  lastUsedAt: key.lastUsedAt?.toISOString(),
});
