import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { type Credential, CredentialFault, type Credentials } from "../../git/credentials/index.js";
import { ForgeFault } from "../../git/forge/index.js";
import type { Actor } from "../../jobs/index.js";
import { ApiError, asUnavailable } from "../api-error.js";
import type { ApiEnvironment } from "../request-context.js";
import * as routes from "./routes.js";
import type { credentialSchema } from "./schemas.js";

/**
 * Routes for the credentials of organizations. No response has a secret.
 *
 * @param requireOrganization throws a 404 for an unknown one.
 */
export function addCredentialRoutes(
  app: OpenAPIHono<ApiEnvironment>,
  given: Credentials,
  requireOrganization: (organizationId: string) => Promise<unknown>,
  by: Actor,
): void {
  const credentials = asUnavailable(given, "database");
  app.openapi(routes.listCredentials, async (c) => {
    const { organizationId } = c.req.valid("param");
    await requireOrganization(organizationId);
    return c.json({ credentials: (await credentials.list(organizationId)).map(credentialView) }, 200);
  });
  app.openapi(routes.addCredential, async (c) => {
    const { organizationId } = c.req.valid("param");
    await requireOrganization(organizationId);
    const wanted = c.req.valid("json");
    const adding =
      wanted.kind === "github-app"
        ? credentials.addInstallation(organizationId, wanted.host ?? "github.com", wanted.installationId, by)
        : credentials.add({ ...wanted, organizationId }, by);
    return c.json(credentialView(await adding.catch(asRefused)), 201);
  });
  app.openapi(routes.rotateCredential, async (c) => {
    const { organizationId, credentialId } = c.req.valid("param");
    const rotated = await credentials.rotate(organizationId, credentialId, c.req.valid("json"), by).catch(asRefused);
    if (!rotated) throw unknown(credentialId);
    return c.json(credentialView(rotated), 200);
  });
  app.openapi(routes.removeCredential, async (c) => {
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
