import { json, jsonBody, routesOf } from "../route-parts.js";
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
  body: jsonBody(schemas.planSchema),
  200: json("The organization.", schemas.organizationSchema),
});

export const listSites = route("listSites", "get", `${organization}/sites`, {
  200: json("The sites.", schemas.sitesSchema),
});

export const addSite = route("addSite", "post", `${organization}/sites`, {
  body: jsonBody(schemas.newSiteSchema),
  201: json("The site and its secret.", schemas.siteSchema.extend(schemas.siteSecretSchema.shape)),
  failures: [409],
});

export const setCounting = route("setCounting", "patch", site, {
  body: jsonBody(schemas.countingSchema),
  200: json("The site.", schemas.siteSchema),
});

const receipt = { 200: json("The receipt.", erasureSchema) };

export const removeSite = route("removeSite", "delete", site, receipt);

export const eraseOrganization = route("eraseOrganization", "delete", organization, receipt);

export const eraseThread = route("eraseThread", "delete", `${organization}/threads/{threadId}`, receipt);

export const withdrawBundle = route("withdrawBundleOf", "delete", `${organization}/jobs/{jobId}/bundle`, receipt);

export const erasePerson = route("erasePerson", "delete", "/v1/admin/people/{email}", {
  ...receipt,
  failures: [409],
});

export const getErasure = route("getErasure", "get", "/v1/admin/erasures/{erasureId}", receipt);

export const rotateSecret = route("rotateSecret", "post", `${site}/rotate-secret`, {
  body: jsonBody(schemas.overlapSchema),
  200: json("The new secret.", schemas.siteSecretSchema),
});

export const listKeys = route("listKeys", "get", `${organization}/keys`, {
  200: json("The keys.", schemas.keysSchema),
});

export const createKey = route("createKey", "post", `${organization}/keys`, {
  body: jsonBody(schemas.newKeySchema),
  201: json("The key.", schemas.createdKeySchema),
});

export const rotateKey = route("rotateKey", "post", `${key}/rotate`, {
  body: jsonBody(schemas.overlapSchema),
  201: json("The new key.", schemas.createdKeySchema),
});

export const revokeKey = route("revokeKey", "delete", key, {
  204: gone,
});

export const listCredentials = route("listCredentials", "get", `${organization}/credentials`, {
  200: json("The credentials.", schemas.credentialsSchema),
});

export const addCredential = route("addCredential", "post", `${organization}/credentials`, {
  body: jsonBody(schemas.newCredentialSchema),
  201: json("The credential.", schemas.credentialSchema),
  failures: [409],
});

export const rotateCredential = route("rotateCredential", "post", `${credential}/rotate`, {
  body: jsonBody(schemas.newSecretSchema),
  200: json("The credential.", schemas.credentialSchema),
  failures: [409],
});

export const removeCredential = route("removeCredential", "delete", credential, {
  204: gone,
});
