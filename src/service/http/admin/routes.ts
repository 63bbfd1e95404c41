import { z } from "@hono/zod-openapi";
import { inPath, json, jsonBody, routesOf } from "../route-parts.js";
import { erasureSchema } from "../schemas.js";
import * as schemas from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations } = texts;
const root = "/v1/admin/organizations";
const organization = `${root}/{organizationId}` as const;
const site = `${organization}/sites/{domain}` as const;
const key = `${organization}/keys/{keyId}` as const;
const credential = `${organization}/credentials/{credentialId}` as const;
const route = routesOf({ tag: "Administration", scheme: "operatorToken", operations, failures: [401, 429, 503] });

const ofOrganization = z.object({ organizationId: inPath("organizationId") });
const ofSite = ofOrganization.extend({ domain: inPath("domain") });
const ofKey = ofOrganization.extend({ keyId: inPath("keyId") });
const ofCredential = ofOrganization.extend({ credentialId: inPath("credentialId") });
const gone = { description: "Done." };

export const listOrganizations = route("listOrganizations", "get", root, {
  200: json("The organizations.", schemas.organizationsSchema),
});

export const createOrganization = route("createOrganization", "post", root, {
  body: jsonBody(schemas.newOrganizationSchema),
  201: json("The organization.", schemas.organizationSchema),
  failures: [409],
});

export const setPlan = route("setPlan", "patch", organization, {
  params: ofOrganization,
  body: jsonBody(schemas.planSchema),
  200: json("The organization.", schemas.organizationSchema),
});

export const listSites = route("listSites", "get", `${organization}/sites`, {
  params: ofOrganization,
  200: json("The sites.", schemas.sitesSchema),
});

export const addSite = route("addSite", "post", `${organization}/sites`, {
  params: ofOrganization,
  body: jsonBody(schemas.newSiteSchema),
  201: json("The site and its secret.", schemas.siteSchema.extend(schemas.siteSecretSchema.shape)),
  failures: [409],
});

export const setCounting = route("setCounting", "patch", site, {
  params: ofSite,
  body: jsonBody(schemas.countingSchema),
  200: json("The site.", schemas.siteSchema),
});

const receipt = { 200: json("The receipt.", erasureSchema) };

export const removeSite = route("removeSite", "delete", site, { params: ofSite, ...receipt });

export const eraseOrganization = route("eraseOrganization", "delete", organization, {
  params: ofOrganization,
  ...receipt,
});

export const eraseThread = route("eraseThread", "delete", `${organization}/threads/{threadId}`, {
  params: ofOrganization.extend({ threadId: inPath("threadId") }),
  ...receipt,
});

export const withdrawBundle = route("withdrawBundleOf", "delete", `${organization}/jobs/{jobId}/bundle`, {
  params: ofOrganization.extend({ jobId: inPath("jobId") }),
  ...receipt,
});

export const erasePerson = route("erasePerson", "delete", "/v1/admin/people/{email}", {
  params: z.object({ email: inPath("email") }),
  ...receipt,
  failures: [409],
});

export const getErasure = route("getErasure", "get", "/v1/admin/erasures/{erasureId}", {
  params: z.object({ erasureId: inPath("erasureId") }),
  ...receipt,
});

export const rotateSecret = route("rotateSecret", "post", `${site}/rotate-secret`, {
  params: ofSite,
  body: jsonBody(schemas.overlapSchema),
  200: json("The new secret.", schemas.siteSecretSchema),
});

export const listKeys = route("listKeys", "get", `${organization}/keys`, {
  params: ofOrganization,
  200: json("The keys.", schemas.keysSchema),
});

export const createKey = route("createKey", "post", `${organization}/keys`, {
  params: ofOrganization,
  body: jsonBody(schemas.newKeySchema),
  201: json("The key.", schemas.createdKeySchema),
});

export const rotateKey = route("rotateKey", "post", `${key}/rotate`, {
  params: ofKey,
  body: jsonBody(schemas.overlapSchema),
  201: json("The new key.", schemas.createdKeySchema),
});

export const revokeKey = route("revokeKey", "delete", key, {
  params: ofKey,
  204: gone,
});

export const listCredentials = route("listCredentials", "get", `${organization}/credentials`, {
  params: ofOrganization,
  200: json("The credentials.", schemas.credentialsSchema),
});

export const addCredential = route("addCredential", "post", `${organization}/credentials`, {
  params: ofOrganization,
  body: jsonBody(schemas.newCredentialSchema),
  201: json("The credential.", schemas.credentialSchema),
  failures: [409],
});

export const rotateCredential = route("rotateCredential", "post", `${credential}/rotate`, {
  params: ofCredential,
  body: jsonBody(schemas.newSecretSchema),
  200: json("The credential.", schemas.credentialSchema),
  failures: [409],
});

export const removeCredential = route("removeCredential", "delete", credential, {
  params: ofCredential,
  204: gone,
});
