import { type Credential, CredentialFault } from "../../git/credentials/index.js";
import { ForgeFault, forgeKinds } from "../../git/forge/index.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";
import {
  confirmInstallationPage,
  credentialPage,
  credentialsPage,
  credentialsPath,
  installPage,
  kindIn,
  newCredentialPage,
} from "./credential-pages.js";

export { newCredentialPage } from "./credential-pages.js";

/** A handler for the credential of the address. */
export const forCredential = forObject(async ({ store, organizationId, params }): Promise<Credential | undefined> => {
  const credentials = await store.credentials.list(organizationId);
  return credentials.find(({ credentialId }) => credentialId === params["id"]);
});

export const showCredential = (context: ConsoleContext, credential: Credential): ConsoleAnswer =>
  credentialPage(context, credential);

export const listCredentials = async (context: ConsoleContext, refusal?: string): Promise<ConsoleAnswer> =>
  credentialsPage(context, await context.store.credentials.list(context.organizationId), refusal);

export function add(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { store, organizationId, form, by } = context;
  const forge = forgeKinds.find((kind) => kind === form.get("forge"));
  const credential = {
    organizationId,
    kind: kindIn(form),
    prefix: form.get("prefix") ?? "",
    name: form.get("name") ?? "",
    forge,
    ...secretIn(form),
  };
  return orRefused(
    async () => addedAnswer(await store.credentials.add(credential, by)),
    (refusal) => newCredentialPage(context, form, refusal),
  );
}

const addedAnswer = ({ prefix }: Credential): ConsoleAnswer => ({
  redirect: credentialsPath,
  notice: `The repositories below ${prefix} can be opened.`,
});

const secretIn = (form: URLSearchParams) => ({
  secret: form.get("secret") ?? "",
  knownHosts: form.get("knownHosts")?.trim() || undefined,
});

export function rotate(context: ConsoleContext, credential: Credential): Promise<ConsoleAnswer> {
  const { store, form, by } = context;
  const { organizationId, credentialId } = credential;
  return orRefused(
    async () => {
      const rotated = await store.credentials.rotate(organizationId, credentialId, secretIn(form), by);
      if (!rotated) return "not-found";
      return { redirect: `${credentialsPath}/${credentialId}`, notice: "The secret is replaced." };
    },
    (secret) => credentialPage(context, credential, { secret }),
  );
}

export async function remove(
  { store, by }: ConsoleContext,
  { organizationId, credentialId, prefix }: Credential,
): Promise<ConsoleAnswer> {
  await store.credentials.remove(organizationId, credentialId, by);
  return { redirect: credentialsPath, notice: `The credential for ${prefix} is removed.` };
}

export function beginInstallation(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { store, organizationId, session, form } = context;
  const host = form.get("host") ?? "";
  return orRefused(
    async () => installPage(host, await store.credentials.beginInstallation(organizationId, session.sessionId, host)),
    (refusal) => listCredentials(context, refusal),
  );
}

const installationId = /^\d{1,15}$/;

/** The return address. It is opened by another site, so it changes nothing by itself. */
export function confirmInstallation(context: ConsoleContext): ConsoleAnswer {
  const { query } = context;
  const installation = query.get("installation_id") ?? "";
  const proof = { secretState: query.get("state") ?? "", code: query.get("code") ?? "" };
  const isComplete = installationId.test(installation) && proof.secretState !== "" && proof.code !== "";
  return confirmInstallationPage(context, isComplete ? { installation, ...proof } : undefined);
}

export function finishInstallation(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { store, organizationId, session, form, by } = context;
  const returned = {
    organizationId,
    sessionId: session.sessionId,
    state: form.get("secretState") ?? "",
    code: form.get("code") ?? "",
    installationId: Number(installationId.exec(form.get("installation") ?? "")?.[0] ?? 0),
  };
  return orRefused(
    async () => addedAnswer(await store.credentials.finishInstallation(returned, by)),
    (refusal) => listCredentials(context, refusal),
  );
}

async function orRefused(
  work: () => Promise<ConsoleAnswer>,
  refused: (message: string) => ConsoleAnswer | Promise<ConsoleAnswer>,
): Promise<ConsoleAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CredentialFault || error instanceof ForgeFault)) throw error;
    return refused(error.message);
  }
}
