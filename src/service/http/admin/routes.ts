import { createRoute, z } from "@hono/zod-openapi";
import { failures, json } from "../route-parts.js";
import { erasureSchema } from "../schemas.js";
import * as schemas from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations } = texts;
const root = "/v1/admin/organizations";
const organization = `${root}/{organizationId}`;
const common = { tags: ["Administration"], security: [{ operatorToken: [] }] };

const inPath = (name: string) => z.string().openapi({ param: { name, in: "path" } });
const ofOrganization = z.object({ organizationId: inPath("organizationId") });
const ofSite = ofOrganization.extend({ domain: inPath("domain") });
const ofKey = ofOrganization.extend({ keyId: inPath("keyId") });
const ofCredential = ofOrganization.extend({ credentialId: inPath("credentialId") });
const body = <S extends z.ZodType>(schema: S) => ({
  body: { required: true, content: { "application/json": { schema } } },
});
const refused = failures(401, 429, 503);
const refusedBody = failures(400, 401, 413, 415, 429, 503);
const gone = { description: "Done." };

export const listOrganizations = createRoute({
  ...common,
  method: "get",
  path: root,
  ...operations.listOrganizations,
  responses: { 200: json("The organizations.", schemas.organizationsSchema), ...refused },
});

export const createOrganization = createRoute({
  ...common,
  method: "post",
  path: root,
  ...operations.createOrganization,
  request: body(schemas.newOrganizationSchema),
  responses: { 201: json("The organization.", schemas.organizationSchema), ...refusedBody, ...failures(409) },
});

export const setPlan = createRoute({
  ...common,
  method: "patch",
  path: organization,
  ...operations.setPlan,
  request: { params: ofOrganization, ...body(schemas.planSchema) },
  responses: { 200: json("The organization.", schemas.organizationSchema), ...refusedBody, ...failures(404) },
});

export const listSites = createRoute({
  ...common,
  method: "get",
  path: `${organization}/sites`,
  ...operations.listSites,
  request: { params: ofOrganization },
  responses: { 200: json("The sites.", schemas.sitesSchema), ...refused, ...failures(404) },
});

export const addSite = createRoute({
  ...common,
  method: "post",
  path: `${organization}/sites`,
  ...operations.addSite,
  request: { params: ofOrganization, ...body(schemas.newSiteSchema) },
  responses: {
    201: json("The site and its secret.", schemas.siteSchema.extend(schemas.siteSecretSchema.shape)),
    ...refusedBody,
    ...failures(404, 409),
  },
});

export const setCounting = createRoute({
  ...common,
  method: "patch",
  path: `${organization}/sites/{domain}`,
  ...operations.setCounting,
  request: { params: ofSite, ...body(schemas.countingSchema) },
  responses: { 200: json("The site.", schemas.siteSchema), ...refusedBody, ...failures(404) },
});

const receipt = { 200: json("The receipt.", erasureSchema), ...refused, ...failures(404) };

export const removeSite = createRoute({
  ...common,
  method: "delete",
  path: `${organization}/sites/{domain}`,
  ...operations.removeSite,
  request: { params: ofSite },
  responses: receipt,
});

export const eraseOrganization = createRoute({
  ...common,
  method: "delete",
  path: organization,
  ...operations.eraseOrganization,
  request: { params: ofOrganization },
  responses: receipt,
});

export const eraseThread = createRoute({
  ...common,
  method: "delete",
  path: `${organization}/threads/{threadId}`,
  ...operations.eraseThread,
  request: { params: ofOrganization.extend({ threadId: inPath("threadId") }) },
  responses: receipt,
});

export const withdrawBundle = createRoute({
  ...common,
  method: "delete",
  path: `${organization}/jobs/{jobId}/bundle`,
  ...operations.withdrawBundleOf,
  request: { params: ofOrganization.extend({ jobId: inPath("jobId") }) },
  responses: receipt,
});

export const erasePerson = createRoute({
  ...common,
  method: "delete",
  path: "/v1/admin/people/{email}",
  ...operations.erasePerson,
  request: { params: z.object({ email: inPath("email") }) },
  responses: { ...receipt, ...failures(409) },
});

export const getErasure = createRoute({
  ...common,
  method: "get",
  path: "/v1/admin/erasures/{erasureId}",
  ...operations.getErasure,
  request: { params: z.object({ erasureId: inPath("erasureId") }) },
  responses: receipt,
});

export const rotateSecret = createRoute({
  ...common,
  method: "post",
  path: `${organization}/sites/{domain}/rotate-secret`,
  ...operations.rotateSecret,
  request: { params: ofSite, ...body(schemas.overlapSchema) },
  responses: { 200: json("The new secret.", schemas.siteSecretSchema), ...refusedBody, ...failures(404) },
});

export const listKeys = createRoute({
  ...common,
  method: "get",
  path: `${organization}/keys`,
  ...operations.listKeys,
  request: { params: ofOrganization },
  responses: { 200: json("The keys.", schemas.keysSchema), ...refused, ...failures(404) },
});

export const createKey = createRoute({
  ...common,
  method: "post",
  path: `${organization}/keys`,
  ...operations.createKey,
  request: { params: ofOrganization, ...body(schemas.newKeySchema) },
  responses: { 201: json("The key.", schemas.createdKeySchema), ...refusedBody, ...failures(404) },
});

export const rotateKey = createRoute({
  ...common,
  method: "post",
  path: `${organization}/keys/{keyId}/rotate`,
  ...operations.rotateKey,
  request: { params: ofKey, ...body(schemas.overlapSchema) },
  responses: { 201: json("The new key.", schemas.createdKeySchema), ...refusedBody, ...failures(404) },
});

export const revokeKey = createRoute({
  ...common,
  method: "delete",
  path: `${organization}/keys/{keyId}`,
  ...operations.revokeKey,
  request: { params: ofKey },
  responses: { 204: gone, ...refused, ...failures(404) },
});

export const listCredentials = createRoute({
  ...common,
  method: "get",
  path: `${organization}/credentials`,
  ...operations.listCredentials,
  request: { params: ofOrganization },
  responses: {
    200: json("The credentials.", schemas.credentialsSchema),
    ...refused,
    ...failures(404),
  },
});

export const addCredential = createRoute({
  ...common,
  method: "post",
  path: `${organization}/credentials`,
  ...operations.addCredential,
  request: { params: ofOrganization, ...body(schemas.newCredentialSchema) },
  responses: { 201: json("The credential.", schemas.credentialSchema), ...refusedBody, ...failures(404, 409) },
});

export const rotateCredential = createRoute({
  ...common,
  method: "post",
  path: `${organization}/credentials/{credentialId}/rotate`,
  ...operations.rotateCredential,
  request: { params: ofCredential, ...body(schemas.newSecretSchema) },
  responses: { 200: json("The credential.", schemas.credentialSchema), ...refusedBody, ...failures(404, 409) },
});

export const removeCredential = createRoute({
  ...common,
  method: "delete",
  path: `${organization}/credentials/{credentialId}`,
  ...operations.removeCredential,
  request: { params: ofCredential },
  responses: { 204: gone, ...refused, ...failures(404) },
});
