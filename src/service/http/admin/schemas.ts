import { z } from "@hono/zod-openapi";
import { deployments } from "../../../lib/deployments.js";
import { isAddressRange } from "../../../lib/http/index.js";
import { forgeKinds } from "../../git/forge/index.js";
import { isOrigin } from "../assistant/site-lookup.js";
import { addIssue, domainSchema, groupsSchema, sourceFault } from "../jobs/job-request.js";
import { projectSchema } from "../projects/routes.js";
import { named, namedStrict } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { fields } = texts;
const oneOf = <T extends string>(name: string, values: readonly [T, ...T[]]) =>
  z.enum(values, { error: `"${name}" must be one of ${values.join(", ")}.` });
const nameOf = (description: string, example: string) =>
  z
    .string()
    .trim()
    .min(1, { error: '"name" is empty.' })
    .max(100, { error: '"name" has more than 100 characters.' })
    .openapi({ description, example });
const time = (description: string) => z.iso.datetime({ offset: true, error: fields.time }).openapi({ description });

const plan = oneOf("plan", ["free", "pro", "enterprise"]).openapi({ description: fields.plan });
export const organizationSchema = named("Organization", { organizationId: z.string(), name: z.string(), plan });
export const organizationsSchema = named("Organizations", { organizations: z.array(organizationSchema) });
export const newOrganizationSchema = namedStrict("NewOrganization", {
  name: nameOf(fields.organizationName, "acme"),
  plan: plan.optional(),
});
export const planSchema = namedStrict("OrganizationPlan", { plan });

const gitSchema = z
  .strictObject({
    url: z.string().max(2048).openapi({ description: fields.gitUrl, example: "https://git.example.com/docs.git" }),
    ref: z.string().max(255).optional().openapi({ description: fields.gitRef }),
    subfolder: z.string().max(1024).optional().openapi({ description: fields.gitSubfolder }),
  })
  .superRefine((git, context) => addIssue(context, sourceFault({ kind: "git", ...git }, "tenant")));
const deployment = oneOf("deployment", deployments).openapi({
  description: fields.deployment,
});
export const newSiteSchema = namedStrict("NewSite", {
  domain: domainSchema(fields.domain),
  git: gitSchema,
  deployment: deployment.optional(),
});
const counting = {
  humansFrom: oneOf("humansFrom", ["server", "beacon", "logs"]).openapi({ description: fields.humansFrom }),
  agentsFrom: oneOf("agentsFrom", ["server", "logs"]).openapi({ description: fields.agentsFrom }),
};
export const countingSchema = z
  .strictObject({ humansFrom: counting.humansFrom.optional(), agentsFrom: counting.agentsFrom.optional() })
  .refine((changes) => Object.keys(changes).length > 0, { error: fields.countingError })
  .openapi("SiteCounting");
export const siteSchema = named("Site", {
  projectId: z.string(),
  domain: z.string(),
  identifier: z.string().openapi({ description: fields.identifier, example: "docs" }),
  folder: z.string().optional().openapi({ description: fields.folder }),
  git: z.object({ url: z.string(), ref: z.string().optional(), subfolder: z.string().optional() }).optional(),
  deployment,
  ...counting,
});
export const sitesSchema = named("Sites", { sites: z.array(siteSchema) });
export const siteSecretSchema = named("SiteSecret", {
  webhookSecret: z.string().openapi({ description: fields.webhookSecret }),
  oldSecretValidUntil: time(fields.oldSecretValidUntil).optional(),
});

export const keySchema = named("ApiKey", {
  keyId: z.string(),
  kind: z.enum(["admin", "assistant"]),
  name: z.string(),
  scopes: z.array(z.enum(["read", "write"])),
  allowedAddresses: z.array(z.string()),
  allowedOrigins: z.array(z.string()),
  groups: z.array(z.string()),
  lastFour: z.string(),
  createdAt: time(fields.createdAt),
  expiresAt: time(fields.expiresAt).optional(),
  revokedAt: time(fields.revokedAt).optional(),
  lastUsedAt: time(fields.lastUsedAt).optional(),
});
export const keysSchema = named("ApiKeys", { keys: z.array(keySchema) });
export const newKeySchema = namedStrict("NewApiKey", {
  name: nameOf(fields.keyName, "ci"),
  kind: oneOf("kind", ["admin", "assistant"]).optional().openapi({ description: fields.keyKind }),
  scope: oneOf("scope", ["read", "write"]).optional().openapi({ description: fields.keyScope }),
  allowedAddresses: z
    .array(z.string().refine((range) => isAddressRange(range) && !range.endsWith("/0"), { error: fields.range }))
    .max(100, { error: '"allowedAddresses" has more than 100 entries.' })
    .optional()
    .openapi({ description: fields.allowedAddresses, example: ["203.0.113.0/24"] }),
  allowedOrigins: z
    .array(z.string().refine(isOrigin, { error: fields.origin }))
    .max(100, { error: '"allowedOrigins" has more than 100 entries.' })
    .optional()
    .openapi({ description: fields.allowedOrigins, example: ["https://docs.example.com"] }),
  groups: groupsSchema("groups", fields.groups),
  expiresAt: time(fields.newExpiresAt).nullable().optional(),
});
export const createdKeySchema = keySchema
  .extend({
    secret: z.string().openapi({ description: fields.keySecret }),
    projects: z.array(projectSchema).optional().openapi({ description: "The sites that the key may see." }),
  })
  .openapi("CreatedApiKey");

export const overlapSchema = namedStrict("Rotation", {
  overlapSeconds: z
    .int({ error: fields.overlapError })
    .min(0, { error: fields.overlapError })
    .max(365 * 24 * 60 * 60, { error: fields.overlapError })
    .optional()
    .openapi({ description: fields.overlap, example: 86_400 }),
});

export const credentialSchema = named("Credential", {
  credentialId: z.string(),
  kind: z.enum(["token", "ssh-key", "github-app"]),
  name: z.string(),
  prefix: z.string().openapi({ description: fields.prefix, example: "https://git.example.com/acme/" }),
  forge: z.string().optional().openapi({ description: fields.forge }),
  hint: z.string().openapi({ description: fields.hint }),
  createdAt: time(fields.credentialCreatedAt),
  rotatedAt: time(fields.rotatedAt).optional(),
  lastUsedAt: time(fields.lastUsedAt).optional(),
});
const secret = {
  secret: z.string().max(16_384).openapi({ description: fields.secret }),
  knownHosts: z.string().max(16_384).optional().openapi({ description: fields.knownHosts }),
};
export const newCredentialSchema = z
  .discriminatedUnion(
    "kind",
    [
      z.strictObject({
        kind: z.enum(["token", "ssh-key"]),
        prefix: z.string().max(2048).openapi({ description: fields.prefix }),
        name: z.string().max(200).optional(),
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
export const credentialsSchema = named("Credentials", { credentials: z.array(credentialSchema) });
export const newSecretSchema = namedStrict("NewSecret", secret);
