import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { createKey, rotateKey, TooManyKeysError } from "../../create-key.js";
import { erase } from "../../erase.js";
import type { Credentials } from "../../git/credentials/index.js";
import {
  type AccountStore,
  type Actor,
  type ApiKey,
  DomainTakenError,
  type ErasureStore,
  type ErasureTarget,
  type Organization,
  type PersonStore,
  type Project,
} from "../../jobs/index.js";
import type { ObjectStore } from "../../store/index.js";
import { ApiError } from "../api-error.js";
import { createTokenCheck } from "../authenticate.js";
import { readJson } from "../request-body.js";
import type { ApiEnvironment } from "../request-context.js";
import { erasureView } from "../views.js";
import { addCredentialRoutes } from "./add-credential-routes.js";
import * as routes from "./routes.js";
import type { keySchema, siteSchema } from "./schemas.js";

interface AdminDeps extends ErasureDeps {
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

interface ErasureDeps {
  readonly erasures: ErasureStore;
  readonly objects: ObjectStore;
  readonly people: Pick<PersonStore, "personByEmail">;
}

/** Routes that erase data, with a receipt. */
function addErasureRoutes(app: OpenAPIHono<ApiEnvironment>, deps: ErasureDeps, by: Actor): void {
  const receiptOf = async (target: ErasureTarget) => {
    const erased = await erase(deps, target, by);
    if ("erasureId" in erased) return erasureView(erased);
    if (erased.kind === "last owner")
      throw new ApiError(
        409,
        `The person is the last owner of "${erased.organizationName}". Make somebody else an owner, or erase the organization.`,
      );
    throw new ApiError(404, `There is no such ${target.kind}.`);
  };
  app.openapi(routes.eraseOrganization, async (c) =>
    c.json(await receiptOf({ kind: "organization", ...c.req.valid("param") }), 200),
  );
  app.openapi(routes.removeSite, async (c) => c.json(await receiptOf({ kind: "site", ...c.req.valid("param") }), 200));
  app.openapi(routes.eraseThread, async (c) =>
    c.json(await receiptOf({ kind: "thread", ...c.req.valid("param") }), 200),
  );
  app.openapi(routes.withdrawBundle, async (c) =>
    c.json(await receiptOf({ kind: "bundle", ...c.req.valid("param") }), 200),
  );
  app.openapi(routes.erasePerson, async (c) => {
    const person = await deps.people.personByEmail(c.req.valid("param").email);
    if (!person) throw new ApiError(404, "There is no such person.");
    return c.json(await receiptOf({ kind: "person", personId: person.personId }), 200);
  });
  app.openapi(routes.getErasure, async (c) => {
    const erasure = await deps.erasures.get(c.req.valid("param").erasureId);
    if (!erasure) throw new ApiError(404, "There is no such erasure.");
    return c.json(erasureView(erasure), 200);
  });
}
