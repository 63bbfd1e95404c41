import { shellWord } from "../../../lib/shell-word.js";
import { type Credential, CredentialFault } from "../../git/credentials/index.js";
import { ForgeFault, forgeKinds } from "../../git/forge/index.js";
import { ApiError } from "../../http/index.js";
import { commandText } from "../add-site.js";
import { Action, type FieldErrors, Notice, PageHead } from "../components/index.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleRoute } from "../route.js";
import { CredentialPage, CredentialsPage } from "./credentials-page.js";
import { kindOf, NewCredentialForm } from "./new-credential.js";

/** Credentials of the organization. */
export const credentialRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/credentials", role: "owner", handle: (context) => listCredentials(context) },
  {
    method: "GET",
    path: "/credentials/new",
    role: "owner",
    handle: async (context) => newPage(context, context.query),
  },
  { method: "POST", path: "/credentials", role: "owner", handle: add },
  { method: "POST", path: "/credentials/github/begin", role: "owner", handle: beginInstallation },
  { method: "GET", path: "/credentials/github", role: "owner", handle: confirmInstallation },
  { method: "POST", path: "/credentials/github", role: "owner", handle: finishInstallation },
  { method: "GET", path: "/credentials/{id}", role: "owner", handle: (context) => ofCredential(context, show) },
  {
    method: "POST",
    path: "/credentials/{id}/rotate",
    role: "owner",
    handle: (context) => ofCredential(context, rotate),
  },
  {
    method: "POST",
    path: "/credentials/{id}/remove",
    role: "owner",
    handle: (context) => ofCredential(context, remove),
  },
];

const home = "/console/credentials";
const by = ({ person }: ConsoleContext) => ({ personId: person.personId });

async function listCredentials({ deps, organization, csrf }: ConsoleContext, message?: string): Promise<ConsoleAnswer> {
  const { credentials } = deps.store;
  const { organizationId, organizationName } = organization;
  const command = `credential add https://git.example.com/acme/ --organization ${shellWord(organizationName)}`;
  return {
    title: "Credentials",
    status: message === undefined ? undefined : 422,
    page: (
      <>
        {message !== undefined && <Notice kind="bad">{message}</Notice>}
        <CredentialsPage
          credentials={await credentials.list(organizationId)}
          addCommand={commandText(deps, command)}
          installHosts={credentials.installHosts}
          csrf={csrf}
        />
      </>
    ),
  };
}

function newPage({ csrf }: ConsoleContext, values: URLSearchParams, message?: string): ConsoleAnswer {
  return {
    title: "New credential",
    status: message === undefined ? undefined : 422,
    page: (
      <>
        <PageHead title="New credential" back={["Credentials", home]} />
        {message !== undefined && <Notice kind="bad">{message}</Notice>}
        <NewCredentialForm csrf={csrf} values={values} />
      </>
    ),
  };
}

async function add(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, organization, form } = context;
  const text = (name: string): string => form.get(name) ?? "";
  const forge = forgeKinds.find((each) => each === text("forge"));
  const { organizationId } = organization;
  const wanted = { organizationId, kind: kindOf(form), prefix: text("prefix"), name: text("name"), forge };
  return orRefused(
    async () => {
      const added = await deps.store.credentials.add({ ...wanted, ...secretIn(form) }, by(context));
      return { redirect: home, notice: `The repositories below ${added.prefix} can be opened.` };
    },
    (message) => newPage(context, form, message),
  );
}

const secretIn = (form: URLSearchParams) => ({
  secret: form.get("secret") ?? "",
  knownHosts: form.get("knownHosts")?.trim() || undefined,
});

/** Another organization's credential is as unknown as none. */
async function ofCredential(
  context: ConsoleContext,
  handle: (context: ConsoleContext, credential: Credential) => Promise<ConsoleAnswer>,
): Promise<ConsoleAnswer> {
  const { deps, organization, params } = context;
  const credentials = await deps.store.credentials.list(organization.organizationId);
  const credential = credentials.find(({ credentialId }) => credentialId === params["id"]);
  return credential ? handle(context, credential) : "not-found";
}

const show = async (context: ConsoleContext, credential: Credential): Promise<ConsoleAnswer> =>
  credentialPage(context, credential);

const credentialPage = ({ csrf }: ConsoleContext, credential: Credential, errors?: FieldErrors): ConsoleAnswer => ({
  title: credential.name,
  status: errors ? 422 : undefined,
  page: <CredentialPage credential={credential} csrf={csrf} errors={errors} />,
});

function rotate(context: ConsoleContext, credential: Credential): Promise<ConsoleAnswer> {
  const { organizationId, credentialId } = credential;
  return orRefused(
    async () => {
      const given = secretIn(context.form);
      const rotated = await context.deps.store.credentials.rotate(organizationId, credentialId, given, by(context));
      if (!rotated) return "not-found";
      return { redirect: `${home}/${credentialId}`, notice: "The secret is replaced." };
    },
    (secret) => credentialPage(context, credential, { secret }),
  );
}

async function remove(context: ConsoleContext, { organizationId, credentialId, prefix }: Credential) {
  await context.deps.store.credentials.remove(organizationId, credentialId, by(context));
  return { redirect: home, notice: `The credential for ${prefix} is removed.` };
}

/** The policy of the page lets no form lead to another host, so the page has a link. */
function beginInstallation(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, organization, session, form } = context;
  const host = form.get("host") ?? "";
  return orRefused(
    async () => {
      const { organizationId } = organization;
      const address = await deps.store.credentials.beginInstallation(organizationId, session.sessionId, host);
      const lead = `Choose the account and the repositories there. Then ${host} leads back here, within ten minutes.`;
      return {
        title: "Connect GitHub",
        page: (
          <>
            <PageHead title={`Install the app at ${host}`} back={["Credentials", home]} lead={lead} />
            <p>
              <a class="button button-primary" href={address}>
                {`Go to ${host}`}
              </a>
            </p>
          </>
        ),
      };
    },
    (message) => listCredentials(context, message),
  );
}

/** The return address. It is opened by another site, so it changes nothing by itself. */
async function confirmInstallation({ organization, query, csrf }: ConsoleContext): Promise<ConsoleAnswer> {
  const installation = query.get("installation_id") ?? "";
  const fields = { installation, secretState: query.get("state") ?? "", code: query.get("code") ?? "" };
  const isComplete = /^\d{1,15}$/.test(installation) && fields.secretState !== "" && fields.code !== "";
  const lead = `Sites of ${organization.organizationName} may then be read from the repositories of its account.`;
  return {
    title: "Connect GitHub",
    status: isComplete ? undefined : 422,
    page: (
      <>
        <PageHead title="Connect GitHub" back={["Credentials", home]} lead={isComplete ? lead : undefined} />
        {isComplete ? (
          <Action action="/console/credentials/github" csrf={csrf} fields={fields} kind="primary">
            {`Add the installation ${installation}`}
          </Action>
        ) : (
          <Notice kind="bad">
            The return address lacks the installation or its proof. In the settings of the app, "Request user
            authorization (OAuth) during installation" must be on. Begin again.
          </Notice>
        )}
      </>
    ),
  };
}

function finishInstallation(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, organization, session, form } = context;
  return orRefused(
    async () => {
      const added = await deps.store.credentials.finishInstallation(
        {
          organizationId: organization.organizationId,
          sessionId: session.sessionId,
          state: form.get("secretState") ?? "",
          code: form.get("code") ?? "",
          installationId: Number(/^\d{1,15}$/.exec(form.get("installation") ?? "")?.[0] ?? 0),
        },
        by(context),
      );
      return { redirect: home, notice: `The repositories below ${added.prefix} can be opened.` };
    },
    (message) => listCredentials(context, message),
  );
}

/** The store's errors arrive as a 503 with their cause. */
async function orRefused(
  work: () => Promise<ConsoleAnswer>,
  refused: (message: string) => ConsoleAnswer | Promise<ConsoleAnswer>,
): Promise<ConsoleAnswer> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof ApiError ? error.cause : error;
    if (!(cause instanceof CredentialFault || cause instanceof ForgeFault)) throw error;
    return refused(cause.message);
  }
}
