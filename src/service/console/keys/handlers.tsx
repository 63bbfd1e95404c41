import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { createKey, rotateKey, TooManyKeysError } from "../../create-key.js";
import type { ApiKey } from "../../jobs/index.js";
import { commandText } from "../add-site.js";
import { Notice, PageHead } from "../components/index.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleRoute } from "../route.js";
import { KeyForm, kindOf, readKeyForm } from "./key-form.js";
import { CreatedKeyPage, KeyPage, KeysPage, overlaps } from "./key-pages.js";

/** API keys of the organization. */
export const keyRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/keys", role: "owner", handle: listKeys },
  { method: "GET", path: "/keys/new", role: "owner", handle: async (context) => newKeyPage(context, context.query) },
  { method: "POST", path: "/keys", role: "owner", handle: create },
  { method: "GET", path: "/keys/{id}", role: "owner", handle: showKey },
  { method: "POST", path: "/keys/{id}/rotate", role: "owner", handle: rotate },
  { method: "POST", path: "/keys/{id}/revoke", role: "owner", handle: revoke },
];

async function listKeys({ deps, organization }: ConsoleContext): Promise<ConsoleAnswer> {
  const keys = await deps.store.accounts.keys(organization.organizationId);
  return {
    title: "API keys",
    page: <KeysPage keys={keys} now={deps.now()} createCommand={commandText(deps, "key create --name ci")} />,
  };
}

function newKeyPage(
  { deps, csrf }: ConsoleContext,
  values: URLSearchParams,
  refusal: {
    readonly errors?: Readonly<Record<string, string>>;
    readonly message?: string;
    readonly status?: number;
  } = {},
): ConsoleAnswer {
  const title = kindOf(values) === "admin" ? "New admin key" : "New assistant key";
  return {
    title,
    status: refusal.status,
    page: (
      <>
        <PageHead title="New API key" back={["API keys", "/console/keys"]} />
        {refusal.message !== undefined && <Notice kind="bad">{refusal.message}</Notice>}
        <KeyForm csrf={csrf} now={deps.now()} values={values} errors={refusal.errors} />
      </>
    ),
  };
}

async function create(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, organization, form } = context;
  const read = readKeyForm(form, organization.organizationId, deps.now());
  if ("errors" in read) return newKeyPage(context, form, { errors: read.errors, status: 422 });
  try {
    const { key, secret } = await createKey(deps.store.accounts, read.key, context.by);
    return createdPage(context, key, secret);
  } catch (error) {
    if (!(error instanceof TooManyKeysError)) throw error;
    return newKeyPage(context, form, { message: error.message, status: 429 });
  }
}

const createdPage = ({ deps }: ConsoleContext, key: ApiKey, secret: string, note?: JsxNode): ConsoleAnswer => ({
  title: "Save the new key",
  page: <CreatedKeyPage apiKey={key} secret={secret} note={note} publicUrl={deps.publicUrl} />,
});

async function ownKey({ deps, organization, params }: ConsoleContext): Promise<ApiKey | undefined> {
  const keys = await deps.store.accounts.keys(organization.organizationId);
  return keys.find(({ keyId }) => keyId === params["id"]);
}

async function showKey(context: ConsoleContext): Promise<ConsoleAnswer> {
  const key = await ownKey(context);
  return key ? keyPage(context, key) : "not-found";
}

const keyPage = ({ deps, csrf }: ConsoleContext, key: ApiKey, message?: string, status?: number): ConsoleAnswer => ({
  title: key.name,
  status,
  page: (
    <>
      {message !== undefined && <Notice kind="bad">{message}</Notice>}
      <KeyPage apiKey={key} csrf={csrf} now={deps.now()} />
    </>
  ),
});

async function rotate(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, organization, form } = context;
  const key = await ownKey(context);
  if (!key) return "not-found";
  const overlap = overlaps.find(([value]) => value === form.get("overlap"));
  if (!overlap) return keyPage(context, key, "Choose how long the old key stays valid.", 422);
  const overlapMs = Number(overlap[0]) * 60 * 60_000;
  try {
    const created = await rotateKey(deps.store.accounts, organization.organizationId, key.keyId, overlapMs, context.by);
    if (!created) return keyPage(context, key, "This key is no longer valid, so it cannot be rotated.", 422);
    const note = overlapMs === 0 ? "The old key is no longer valid." : `The old key stays valid ${overlap[1]}.`;
    return createdPage(context, created.key, created.secret, <p>{note}</p>);
  } catch (error) {
    if (!(error instanceof TooManyKeysError)) throw error;
    return keyPage(context, key, error.message, 429);
  }
}

async function revoke(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, organization } = context;
  const key = await ownKey(context);
  if (!key) return "not-found";
  if (!(await deps.store.accounts.revokeKey(organization.organizationId, key.keyId, context.by)))
    return { redirect: "/console/keys", notice: "The key had already been revoked." };
  return { redirect: "/console/keys", notice: `The key "${key.name}" is revoked.` };
}
