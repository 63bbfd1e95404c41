import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { createKey, rotateKey, TooManyKeysError } from "../../create-key.js";
import {
  type AccountStore,
  type ApiKey,
  DomainTakenError,
  type Organization,
  type PersonStore,
  type Project,
} from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { readJson } from "../request-body.js";
import type { ApiEnvironment } from "../request-context.js";
import { requireToken } from "../require-token.js";
import * as routes from "./routes.js";
import type { keySchema, siteSchema } from "./schemas.js";

export interface AdminDeps {
  readonly accounts: AccountStore;
  readonly people: Pick<PersonStore, "addAuditEntry">;
  readonly adminToken: string;
  readonly maxBodyBytes: number;
  /** Returns the error to respond with instead of a 401. */
  readonly onRefusal: (refusal: ApiError, address: string | undefined) => ApiError;
  readonly now: () => number;
}

const defaultOverlapMs = 24 * 60 * 60_000;
const defaultLifeMs = 90 * 24 * 60 * 60_000;

/** Routes for the operator's programs: organizations, their sites and keys. */
export function addAdminRoutes(app: OpenAPIHono<ApiEnvironment>, deps: AdminDeps): void {
  const { accounts, people, now } = deps;
  const audit = (organizationId: string, action: string, subject: string): Promise<void> =>
    people.addAuditEntry({ organizationId, action, subject, detail: "by the API for the administration" });
  app.use("/v1/admin/*", async (c, next) => {
    try {
      requireToken(deps.adminToken, c.req.header("Authorization"), "offprint administration");
    } catch (refusal) {
      throw deps.onRefusal(refusal as ApiError, c.get("clientAddress"));
    }
    if (c.req.raw.body === null) return next();
    return readJson(deps.maxBodyBytes)(c, next);
  });

  app.openapi(routes.listOrganizations, async (c) =>
    c.json({ organizations: [...(await accounts.organizations())] }, 200),
  );
  app.openapi(routes.createOrganization, async (c) => {
    const { name, plan } = c.req.valid("json");
    const created = await accounts.createOrganization(name, plan);
    if (!created) throw new ApiError(409, `There is an organization with the name "${name}" already.`);
    return c.json(created, 201);
  });
  app.openapi(routes.setPlan, async (c) => {
    const { organizationId } = await organizationOf(accounts, c.req.valid("param").organizationId);
    const { plan } = c.req.valid("json");
    await accounts.setPlan(organizationId, plan);
    await audit(organizationId, "organization.plan", plan);
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
    const project = await accounts.addProject({ organizationId, domain, source, deployment }).catch(asConflict);
    await audit(organizationId, "site.add", domain);
    return c.json({ ...siteView(project), webhookSecret: project.webhookSecret }, 201);
  });
  app.openapi(routes.setCounting, async (c) => {
    const { organizationId, domain } = c.req.valid("param");
    const project = await accounts.setCounting(organizationId, domain, c.req.valid("json"));
    if (!project) throw notFound(`site ${domain}`);
    await audit(organizationId, "site.change", domain);
    return c.json(siteView(project), 200);
  });
  app.openapi(routes.removeSite, async (c) => {
    const { organizationId, domain } = c.req.valid("param");
    if (!(await accounts.removeProject(organizationId, domain))) throw notFound(`site ${domain}`);
    await audit(organizationId, "site.remove", domain);
    return c.body(null, 204);
  });
  app.openapi(routes.rotateSecret, async (c) => {
    const { organizationId, domain } = c.req.valid("param");
    const project = await accounts.rotateWebhookSecret(organizationId, domain, overlapMs(c.req.valid("json")));
    if (!project) throw notFound(`site ${domain}`);
    await audit(organizationId, "site.rotate-secret", domain);
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
    const { key, secret } = await createKey(accounts, wanted).catch(asTooMany);
    await audit(organizationId, "key.create", key.keyId);
    return c.json({ ...keyView(key), secret }, 201);
  });
  app.openapi(routes.rotateKey, async (c) => {
    const { organizationId, keyId } = c.req.valid("param");
    const created = await rotateKey(accounts, organizationId, keyId, overlapMs(c.req.valid("json"))).catch(asTooMany);
    if (!created) throw notFound(`valid key ${keyId}`);
    await audit(organizationId, "key.rotate", keyId);
    return c.json({ ...keyView(created.key), secret: created.secret }, 201);
  });
  app.openapi(routes.revokeKey, async (c) => {
    const { organizationId, keyId } = c.req.valid("param");
    if (!(await accounts.revokeKey(organizationId, keyId))) throw notFound(`valid key ${keyId}`);
    await audit(organizationId, "key.revoke", keyId);
    return c.body(null, 204);
  });
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
