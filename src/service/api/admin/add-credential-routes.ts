import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { type Credential, CredentialFault, type Credentials } from "../../credentials/index.js";
import { ForgeFault, forgeKinds } from "../../forge/index.js";
import { ApiError, asUnavailable } from "../api-error.js";
import type { ApiEnvironment } from "../request-context.js";
import { failures, json } from "../route-parts.js";
import texts from "./texts.json" with { type: "json" };

const { operations, fields } = texts;
const root = "/v1/admin/organizations/{organizationId}/credentials";
const common = { tags: ["Administration"], security: [{ operatorToken: [] }] };

const inPath = (name: string) => z.string().openapi({ param: { name, in: "path" } });
const ofOrganization = z.object({ organizationId: inPath("organizationId") });
const ofCredential = ofOrganization.extend({ credentialId: inPath("credentialId") });
const time = (description: string) => z.iso.datetime({ offset: true }).openapi({ description });

const credentialSchema = z
  .object({
    credentialId: z.string(),
    kind: z.enum(["token", "ssh-key", "github-app"]),
    name: z.string(),
    prefix: z.string().openapi({ description: fields.prefix, example: "https://git.example.com/acme/" }),
    forge: z.string().optional().openapi({ description: fields.forge }),
    hint: z.string().openapi({ description: fields.hint }),
    createdAt: time(fields.credentialCreatedAt),
    rotatedAt: time(fields.rotatedAt).optional(),
    lastUsedAt: time(fields.lastUsedAt).optional(),
  })
  .openapi("Credential");
const secret = {
  secret: z.string().max(16_384).openapi({ description: fields.secret }),
  knownHosts: z.string().max(16_384).optional().openapi({ description: fields.knownHosts }),
};
const name = z.string().max(200).optional();
const newCredentialSchema = z
  .discriminatedUnion(
    "kind",
    [
      z.strictObject({
        kind: z.enum(["token", "ssh-key"]),
        prefix: z.string().max(2048).openapi({ description: fields.prefix }),
        name,
        forge: z.enum(forgeKinds).optional().openapi({ description: fields.forge }),
        ...secret,
      }),
      z.strictObject({
        kind: z.literal("github-app"),
        installationId: z.int().min(1).openapi({ description: fields.installationId }),
        host: z.string().max(255).optional().openapi({ description: fields.appHost }),
      }),
    ],
    { error: fields.credentialKindError },
  )
  .openapi("NewCredential");

const body = <S extends z.ZodType>(schema: S) => ({
  body: { required: true, content: { "application/json": { schema } } },
});
const refused = failures(401, 429, 503);
const refusedBody = failures(400, 401, 404, 413, 415, 429, 503);

const listCredentials = createRoute({
  ...common,
  method: "get",
  path: root,
  ...operations.listCredentials,
  request: { params: ofOrganization },
  responses: {
    200: json("The credentials.", z.object({ credentials: z.array(credentialSchema) }).openapi("Credentials")),
    ...refused,
    ...failures(404),
  },
});
const addCredential = createRoute({
  ...common,
  method: "post",
  path: root,
  ...operations.addCredential,
  request: { params: ofOrganization, ...body(newCredentialSchema) },
  responses: { 201: json("The credential.", credentialSchema), ...refusedBody, ...failures(409) },
});
const rotateCredential = createRoute({
  ...common,
  method: "post",
  path: `${root}/{credentialId}/rotate`,
  ...operations.rotateCredential,
  request: { params: ofCredential, ...body(z.strictObject(secret).openapi("NewSecret")) },
  responses: { 200: json("The credential.", credentialSchema), ...refusedBody, ...failures(409) },
});
const removeCredential = createRoute({
  ...common,
  method: "delete",
  path: `${root}/{credentialId}`,
  ...operations.removeCredential,
  request: { params: ofCredential },
  responses: { 204: { description: "Done." }, ...refused, ...failures(404) },
});

export const credentialRoutes = [listCredentials, addCredential, rotateCredential, removeCredential] as const;

const by = { actor: "API for the administration" };

/**
 * Routes for the credentials of organizations. No response has a secret.
 *
 * @param requireOrganization throws a 404 for an unknown one.
 */
export function addCredentialRoutes(
  app: OpenAPIHono<ApiEnvironment>,
  given: Credentials,
  requireOrganization: (organizationId: string) => Promise<unknown>,
): void {
  const credentials = asUnavailable(given, "database");
  app.openapi(listCredentials, async (c) => {
    const { organizationId } = c.req.valid("param");
    await requireOrganization(organizationId);
    return c.json({ credentials: (await credentials.list(organizationId)).map(credentialView) }, 200);
  });
  app.openapi(addCredential, async (c) => {
    const { organizationId } = c.req.valid("param");
    await requireOrganization(organizationId);
    const wanted = c.req.valid("json");
    const adding =
      wanted.kind === "github-app"
        ? credentials.addInstallation(organizationId, wanted.host ?? "github.com", wanted.installationId, by)
        : credentials.add({ ...wanted, organizationId }, by);
    return c.json(credentialView(await adding.catch(asRefused)), 201);
  });
  app.openapi(rotateCredential, async (c) => {
    const { organizationId, credentialId } = c.req.valid("param");
    const rotated = await credentials.rotate(organizationId, credentialId, c.req.valid("json"), by).catch(asRefused);
    if (!rotated) throw unknown(credentialId);
    return c.json(credentialView(rotated), 200);
  });
  app.openapi(removeCredential, async (c) => {
    const { organizationId, credentialId } = c.req.valid("param");
    if (!(await credentials.remove(organizationId, credentialId, by))) throw unknown(credentialId);
    return c.body(null, 204);
  });
}

const unknown = (credentialId: string): ApiError =>
  new ApiError(404, `The organization has no credential ${credentialId}.`);

function asRefused(error: unknown): never {
  // The store's errors arrive as a 503 with their cause.
  const cause = error instanceof ApiError ? error.cause : error;
  if (cause instanceof CredentialFault) throw new ApiError(400, cause.message);
  if (cause instanceof ForgeFault) throw new ApiError(409, cause.message);
  throw error;
}

const credentialView = ({ organizationId: _, ...credential }: Credential): z.infer<typeof credentialSchema> => ({
  ...credential,
  createdAt: credential.createdAt.toISOString(),
  rotatedAt: credential.rotatedAt?.toISOString(),
  lastUsedAt: credential.lastUsedAt?.toISOString(),
});
