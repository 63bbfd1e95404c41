import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { createKey, rotateKey, TooManyKeysError } from "../../create-key.js";
import { erase } from "../../erase.js";
import { type Credential, CredentialFault } from "../../git/credentials/index.js";
import { ForgeFault } from "../../git/forge/index.js";
import { type Actor, type ApiKey, DomainTakenError, type ErasureTarget, type Project } from "../../jobs/index.js";
import { ApiError, tryLater } from "../api-error.js";
import { createTokenCheck } from "../authenticate.js";
import { readJson } from "../request-body.js";
import type { ApiEnvironment, RouteDeps } from "../request-context.js";
import { erasureView, projectView } from "../views.js";
import * as routes from "./routes.js";
import type { credentialSchema, keySchema, siteSchema } from "./schemas.js";

/** Who acts, for the audit log: the token does not identify a person. */
const by: Actor = { actor: "API for the administration" };
const defaultOverlapMs = 24 * 60 * 60_000;
const defaultLifeMs = 90 * 24 * 60 * 60_000;

/** Adds the routes for the operator's programs: organizations, their sites, keys and credentials. */
export function addAdminRoutes(app: OpenAPIHono<ApiEnvironment>, deps: RouteDeps, adminToken: string): void {
  const checkToken = createTokenCheck(deps, adminToken, "offprint administration");
  app.use("/v1/admin/*", async (c, next) => {
    await checkToken(c.req.header("Authorization"), c.get("clientAddress"));
    await next();
  });
  app.use("/v1/admin/organizations/:organizationId/*", async (c, next) => {
    if (!(await deps.store.accounts.organizationById(c.req.param("organizationId"))))
      throw new ApiError(404, "There is no such organization. GET /v1/admin/organizations lists them.");
    await next();
  });
  // Behind the listener, each request has a stream as its body, even an empty one.
  for (const route of Object.values(routes))
    if ("body" in route.request && route.request.body)
      app.on(route.method, route.getRoutingPath(), readJson(deps.options.maxBodyBytes));
  addOrganizationRoutes(app, deps);
  addSiteRoutes(app, deps);
  addKeyRoutes(app, deps);
  addCredentialRoutes(app, deps);
  addErasureRoutes(app, deps);
}

const notFound = (what: string): ApiError => new ApiError(404, `The organization has no ${what}.`);

const overlapMs = ({ overlapSeconds }: { readonly overlapSeconds?: number }): number =>
  overlapSeconds === undefined ? defaultOverlapMs : overlapSeconds * 1000;

/** Refuses a request because of these errors, with a status and their message. */
function refused(error: unknown): never {
  if (error instanceof TooManyKeysError) throw tryLater(429, error.message, 600);
  if (error instanceof CredentialFault) throw new ApiError(400, error.message);
  if (error instanceof DomainTakenError || error instanceof ForgeFault) throw new ApiError(409, error.message);
  throw error;
}

function addOrganizationRoutes(app: OpenAPIHono<ApiEnvironment>, { store: { accounts } }: RouteDeps): void {
  app.openapi(routes.listOrganizations, async (c) =>
    c.json({ organizations: [...(await accounts.organizations())] }, 200),
  );
  app.openapi(routes.createOrganization, async (c) => {
    const { name, plan } = c.req.valid("json");
    const created = await accounts.createOrganization(name, plan, by);
    if (!created) throw new ApiError(409, `An organization named "${name}" already exists.`);
    return c.json(created, 201);
  });
  app.openapi(routes.setPlan, async (c) => {
    const { organizationId } = c.req.valid("param");
    await accounts.setPlan(organizationId, c.req.valid("json").plan, by);
    return c.json((await accounts.organizationById(organizationId))!, 200);
  });
}

function addSiteRoutes(app: OpenAPIHono<ApiEnvironment>, { store: { accounts } }: RouteDeps): void {
  app.openapi(routes.listSites, async (c) => {
    const projects = await accounts.projects(c.req.valid("param").organizationId);
    return c.json({ sites: projects.map(siteView) }, 200);
  });
  app.openapi(routes.addSite, async (c) => {
    const { organizationId } = c.req.valid("param");
    const { domain, git, deployment = "cloud" } = c.req.valid("json");
    const source = { kind: "git", ...git } as const;
    const project = await accounts.addProject({ organizationId, domain, source, deployment }, by).catch(refused);
    return c.json({ ...siteView(project), webhookSecret: project.webhookSecret }, 201);
  });
  app.openapi(routes.setCounting, async (c) => {
    const { organizationId, domain } = c.req.valid("param");
    const project = await accounts.setCounting(organizationId, domain, c.req.valid("json"), by);
    if (!project) throw notFound(`site ${domain}`);
    return c.json(siteView(project), 200);
  });
  app.openapi(routes.rotateSecret, async (c) => {
    const { organizationId, domain } = c.req.valid("param");
    const project = await accounts.rotateWebhookSecret(organizationId, domain, overlapMs(c.req.valid("json")), by);
    if (!project) throw notFound(`site ${domain}`);
    const { webhookSecret, oldWebhookSecret } = project;
    return c.json({ webhookSecret, oldSecretValidUntil: oldWebhookSecret!.until.toISOString() }, 200);
  });
}

function addKeyRoutes(app: OpenAPIHono<ApiEnvironment>, { store: { accounts }, now }: RouteDeps): void {
  app.openapi(routes.listKeys, async (c) => {
    const keys = await accounts.keys(c.req.valid("param").organizationId);
    return c.json({ keys: keys.map(keyView) }, 200);
  });
  app.openapi(routes.createKey, async (c) => {
    const { organizationId } = c.req.valid("param");
    const { kind = "admin", scope, expiresAt, allowedAddresses = [], ...rest } = c.req.valid("json");
    if (kind === "assistant" && scope !== undefined)
      throw new ApiError(400, 'Assistant keys have no scopes: leave "scope" out.');
    if (kind === "admin" && rest.allowedOrigins !== undefined)
      throw new ApiError(400, 'Admin keys must stay on servers: leave "allowedOrigins" out.');
    if (kind === "admin" && rest.groups !== undefined)
      throw new ApiError(400, 'Admin keys do not belong to groups of readers: leave "groups" out.');
    const expiry = expiresAt === null ? undefined : new Date(expiresAt ?? now() + defaultLifeMs);
    if (expiry && expiry.getTime() <= now()) throw new ApiError(400, '"expiresAt" is in the past.');
    const scopes = kind === "assistant" ? [] : [scope ?? ("write" as const)];
    const newKey = { organizationId, kind, scopes, allowedAddresses, ...rest, expiresAt: expiry };
    const { key, secret } = await createKey(accounts, newKey, by).catch(refused);
    const projects = (await accounts.projects(organizationId)).map(projectView);
    return c.json({ ...keyView(key), secret, projects }, 201);
  });
  app.openapi(routes.rotateKey, async (c) => {
    const { organizationId, keyId } = c.req.valid("param");
    const overlap = overlapMs(c.req.valid("json"));
    const created = await rotateKey(accounts, organizationId, keyId, overlap, by).catch(refused);
    if (!created) throw notFound(`valid key ${keyId}`);
    return c.json({ ...keyView(created.key), secret: created.secret }, 201);
  });
  app.openapi(routes.revokeKey, async (c) => {
    const { organizationId, keyId } = c.req.valid("param");
    if (!(await accounts.revokeKey(organizationId, keyId, by))) throw notFound(`valid key ${keyId}`);
    return c.body(null, 204);
  });
}

/** No response of these routes has a secret. */
function addCredentialRoutes(app: OpenAPIHono<ApiEnvironment>, { store: { credentials } }: RouteDeps): void {
  app.openapi(routes.listCredentials, async (c) => {
    const list = await credentials.list(c.req.valid("param").organizationId);
    return c.json({ credentials: list.map(credentialView) }, 200);
  });
  app.openapi(routes.addCredential, async (c) => {
    const { organizationId } = c.req.valid("param");
    const body = c.req.valid("json");
    const adding =
      body.kind === "github-app"
        ? credentials.addInstallation(organizationId, body.host ?? "github.com", body.installationId, by)
        : credentials.add({ ...body, organizationId }, by);
    return c.json(credentialView(await adding.catch(refused)), 201);
  });
  app.openapi(routes.rotateCredential, async (c) => {
    const { organizationId, credentialId } = c.req.valid("param");
    const rotated = await credentials.rotate(organizationId, credentialId, c.req.valid("json"), by).catch(refused);
    if (!rotated) throw notFound(`credential ${credentialId}`);
    return c.json(credentialView(rotated), 200);
  });
  app.openapi(routes.removeCredential, async (c) => {
    const { organizationId, credentialId } = c.req.valid("param");
    if (!(await credentials.remove(organizationId, credentialId, by))) throw notFound(`credential ${credentialId}`);
    return c.body(null, 204);
  });
}

/** Each of these routes answers with the receipt. */
function addErasureRoutes(app: OpenAPIHono<ApiEnvironment>, { store }: RouteDeps): void {
  const receiptOf = async (target: ErasureTarget) => {
    const erased = await erase(store, target, by);
    if ("erasureId" in erased) return erasureView(erased);
    if (erased.kind === "last owner")
      throw new ApiError(
        409,
        `This person is the last owner of "${erased.organizationName}". Make someone else an owner, or erase the organization.`,
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
    const person = await store.people.personByEmail(c.req.valid("param").email);
    if (!person) throw new ApiError(404, "There is no such person.");
    return c.json(await receiptOf({ kind: "person", personId: person.personId }), 200);
  });
  app.openapi(routes.getErasure, async (c) => {
    const erasure = await store.erasures.get(c.req.valid("param").erasureId);
    if (!erasure) throw new ApiError(404, "There is no such erasure.");
    return c.json(erasureView(erasure), 200);
  });
}

const siteView = ({ source, deployment, counting, ...project }: Project): z.infer<typeof siteSchema> => ({
  projectId: project.projectId,
  domain: project.domain,
  identifier: project.identifier,
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

const credentialView = ({ organizationId: _, ...credential }: Credential): z.infer<typeof credentialSchema> => ({
  ...credential,
  createdAt: credential.createdAt.toISOString(),
  rotatedAt: credential.rotatedAt?.toISOString(),
  lastUsedAt: credential.lastUsedAt?.toISOString(),
});
