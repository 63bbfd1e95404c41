import { createKey, rotateKey, TooManyKeysError } from "../../create-key.js";
import type { ApiKey } from "../../jobs/index.js";
import { hourMs } from "../format.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";
import { newKeyPage, readKeyForm } from "./key-form.js";
import { createdKeyPage, keyPage, keysPage, overlaps } from "./key-pages.js";

export { newKeyPage } from "./key-form.js";

/** A handler for the key of the address. */
export const forKey = forObject(async ({ store, organizationId, params }): Promise<ApiKey | undefined> => {
  const keys = await store.accounts.keys(organizationId);
  return keys.find(({ keyId }) => keyId === params["id"]);
});

export const listKeys = async (context: ConsoleContext): Promise<ConsoleAnswer> =>
  keysPage(context, await context.store.accounts.keys(context.organizationId), await projectsOf(context));

const projectsOf = ({ store, organizationId }: ConsoleContext) => store.accounts.projects(organizationId);

export async function create(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, store, organizationId, form, by } = context;
  const read = readKeyForm(form, organizationId, deps.now());
  if ("errors" in read) return newKeyPage(context, form, { errors: read.errors, status: 422 });
  try {
    const created = await createKey(store.accounts, read.key, by);
    return createdKeyPage(context, created, await projectsOf(context));
  } catch (error) {
    if (!(error instanceof TooManyKeysError)) throw error;
    return newKeyPage(context, form, { message: error.message, status: 429 });
  }
}

export const showKey = (context: ConsoleContext, key: ApiKey): ConsoleAnswer => keyPage(context, key);

export async function rotate(context: ConsoleContext, key: ApiKey): Promise<ConsoleAnswer> {
  const { store, organizationId, form, by } = context;
  const overlap = overlaps.find(([value]) => value === form.get("overlap"));
  if (!overlap) return keyPage(context, key, { message: "Choose how long the old key stays valid.", status: 422 });
  const [hours, text] = overlap;
  try {
    const created = await rotateKey(store.accounts, organizationId, key.keyId, Number(hours) * hourMs, by);
    if (!created)
      return keyPage(context, key, { message: "This key is no longer valid, so it cannot be rotated.", status: 422 });
    const note = hours === "0" ? "The old key is no longer valid." : `The old key stays valid ${text}.`;
    return createdKeyPage(context, created, await projectsOf(context), note);
  } catch (error) {
    if (!(error instanceof TooManyKeysError)) throw error;
    return keyPage(context, key, { message: error.message, status: 429 });
  }
}

export async function revoke({ store, organizationId, by }: ConsoleContext, key: ApiKey): Promise<ConsoleAnswer> {
  const isRevoked = await store.accounts.revokeKey(organizationId, key.keyId, by);
  const notice = isRevoked ? `The key "${key.name}" is revoked.` : "The key had already been revoked.";
  return { redirect: "/console/keys", notice };
}
