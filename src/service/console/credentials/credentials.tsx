import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { shellWord } from "../../../lib/shell-word.js";
import { type Credential, CredentialFault, type NewCredential } from "../../git/credentials/index.js";
import { ForgeFault, forgeKinds } from "../../git/forge/index.js";
import { commandText } from "../add-site.js";
import * as ui from "../components/index.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";

const credentialsPath = "/console/credentials";
const back = ["Credentials", credentialsPath] as const;

/** A handler for the credential of the address. */
export const forCredential = forObject(async ({ store, organizationId, params }): Promise<Credential | undefined> => {
  const credentials = await store.credentials.list(organizationId);
  return credentials.find(({ credentialId }) => credentialId === params["id"]);
});

/** @param refusal why the credential was not added. */
export async function listCredentials(context: ConsoleContext, refusal?: string): Promise<ConsoleAnswer> {
  const { deps, store, organization, organizationId } = context;
  const credentials = await store.credentials.list(organizationId);
  const { installHosts } = store.credentials;
  const command = `credential add https://git.example.com/acme/ --organization ${shellWord(organization.organizationName)}`;
  return {
    title: "Credentials",
    status: refusal === undefined ? undefined : 422,
    page: [
      <Refusal text={refusal} />,
      <ui.PageHead
        title="Credentials"
        lead="Credentials give the service access to private repositories of your sites. Their secrets cannot be read again."
      >
        {installHosts.map((host) => (
          <ui.Action
            action={`${credentialsPath}/github/begin`}
            context={context}
            hidden={{ host }}
            label={installHosts.length === 1 ? "Connect GitHub" : `Connect ${host}`}
          />
        ))}
        <ui.LinkButton href={`${credentialsPath}/new`} kind="primary" label="New credential" />
      </ui.PageHead>,
      credentials.length === 0 ? (
        <ui.EmptyState icon="lock" title="No credentials" command={commandText(deps, command)}>
          Public repositories need none. Add one here, or in a terminal on the service's machine.
        </ui.EmptyState>
      ) : (
        <ui.Table label="Credentials" columns={columns} rows={credentials} />
      ),
    ],
  };
}

const Refusal = ({ text }: { readonly text: string | undefined }): JsxNode => (
  <>{text !== undefined && <ui.Notice kind="bad">{text}</ui.Notice>}</>
);

const columns: readonly ui.Column<Credential>[] = [
  {
    title: "Repositories below",
    kind: "wide",
    of: ({ credentialId, prefix, name }) => (
      <ui.RowText href={`${credentialsPath}/${credentialId}`} below={name !== prefix && name}>
        {prefix}
      </ui.RowText>
    ),
  },
  { title: "Kind", of: ({ kind }) => kindNames[kind] },
  { title: "Secret", of: ({ hint }) => <code class="faint">{hint || "hidden"}</code> },
  { title: "Last used", of: ({ lastUsedAt }) => <ui.Time at={lastUsedAt} /> },
];

const kindNames = { token: "Token", "ssh-key": "SSH key", "github-app": "GitHub app" } as const;

export function showCredential(
  context: ConsoleContext,
  credential: Credential,
  errors?: ui.FieldErrors,
): ConsoleAnswer {
  const { credentialId, kind, name, prefix, forge, hint, createdAt, rotatedAt, lastUsedAt } = credential;
  const path = `${credentialsPath}/${credentialId}`;
  return {
    title: name,
    status: errors && 422,
    page: [
      <ui.PageHead title={name} back={back}>
        <ui.Badge kind="good">{kindNames[kind]}</ui.Badge>
      </ui.PageHead>,
      <ui.Facts
        facts={[
          ["Repositories below", <code>{prefix}</code>],
          ["Secret", <code>{hint || "hidden"}</code>],
          ["Identifier", <code>{credentialId}</code>],
          forge !== undefined && ["The host runs", forge],
          ["Added", <ui.Time at={createdAt} />],
          rotatedAt !== undefined && ["Secret replaced", <ui.Time at={rotatedAt} />],
          ["Last used", <ui.Time at={lastUsedAt} />],
        ]}
      />,
      kind !== "github-app" && (
        <ui.Section title="Replace the secret" lead="Exports that start from now on use the new one.">
          <ui.Form
            action={`${path}/rotate`}
            context={{ csrf: context.csrf }}
            fields={secretFields(kind)}
            errors={errors}
          >
            <div class="form-actions">
              <ui.Button kind="plain" label="Replace secret" />
            </div>
          </ui.Form>
        </ui.Section>
      ),
      <ui.Section
        title="Remove"
        lead="Exports that start from now on cannot use it. Also revoke the secret at its host. This cannot be undone."
      >
        <ui.Action action={`${path}/remove`} context={context} kind="danger" label="Remove credential" />
      </ui.Section>,
    ],
  };
}

/** @param values what was sent, or the query of the page. */
export function newCredentialPage({ csrf }: ConsoleContext, values: URLSearchParams, refusal?: string): ConsoleAnswer {
  const kind = kindIn(values);
  const form = new URLSearchParams(values);
  // A secret is never shown, also not to its sender.
  for (const { name } of secretFields(kind)) form.delete(name);
  return {
    title: "New credential",
    status: refusal === undefined ? undefined : 422,
    page: [
      <ui.PageHead title="New credential" back={back} />,
      <Refusal text={refusal} />,
      <ui.KindChoices label="Kind of credential" path={`${credentialsPath}/new`} kinds={kinds} chosen={kind} />,
      <ui.Form
        action={credentialsPath}
        context={{ csrf, form }}
        hidden={{ kind }}
        fields={[
          {
            name: "prefix",
            label: "Repositories below",
            placeholder: kind === "token" ? "https://github.com/acme/" : "ssh://git@git.example.com/team/",
            hint: "The start of the repositories' URLs: protocol, host and complete path segments. The secret is sent nowhere else.",
            required: true,
          },
          ...secretFields(kind),
          { name: "name", label: "Name", hint: "Leave empty for the URL above.", required: false },
          kind === "token" && {
            name: "forge",
            label: "The host runs",
            options: [["", "By the host"], ...forgeKinds.map((forge) => [forge, forgeNames[forge]] as const)],
            hint: "For agent jobs, which open pull requests. github.com, gitlab.com and codeberg.org are known.",
          },
        ]}
        submit="Add credential"
        cancel={credentialsPath}
      />,
    ],
  };
}

const kindIn = (fields: URLSearchParams): NewCredential["kind"] =>
  fields.get("kind") === "ssh-key" ? "ssh-key" : "token";

const kinds = [
  ["token", "Token", "For repositories with an https:// URL."],
  ["ssh-key", "SSH key", "For repositories with an ssh:// URL."],
] as const;

const forgeNames = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea or Forgejo",
  none: "Something else, without pull requests",
} as const;

const secretFields = (kind: NewCredential["kind"]): readonly ui.FieldProps[] =>
  kind === "token"
    ? [
        {
          name: "secret",
          label: "Token",
          type: "password",
          hint: "The token as its host shows it, or user:token. It needs permission to read the repositories; for agent jobs, also to push branches and open pull requests.",
          required: true,
        },
      ]
    : [
        {
          name: "secret",
          label: "Private key",
          rows: 6,
          placeholder: "-----BEGIN OPENSSH PRIVATE KEY-----",
          hint: "In OpenSSH format, without a passphrase.",
          required: true,
        },
        {
          name: "knownHosts",
          label: "Keys of the host",
          rows: 3,
          placeholder: "git.example.com ssh-ed25519 AAAA…",
          hint: "As printed by ssh-keyscan. Compare them with the keys that the host publishes.",
          required: false,
        },
      ];

/** The page has a link, since its policy lets no form lead to another host. */
const installPage = (host: string, address: string): ConsoleAnswer => ({
  title: "Connect GitHub",
  page: [
    <ui.PageHead
      title={`Install the app at ${host}`}
      back={back}
      lead={`Choose the account and the repositories there. Then ${host} leads back here, within ten minutes.`}
    />,
    <p>
      <ui.LinkButton href={address} kind="primary" label={`Go to ${host}`} />
    </p>,
  ],
});

const installationId = /^\d{1,15}$/;

/** The return address. It is opened by another site, so it changes nothing by itself. */
export function confirmInstallation(context: ConsoleContext): ConsoleAnswer {
  const { query } = context;
  const installation = query.get("installation_id") ?? "";
  const proof = { secretState: query.get("state") ?? "", code: query.get("code") ?? "" };
  const isComplete = installationId.test(installation) && proof.secretState !== "" && proof.code !== "";
  const returned = isComplete ? { installation, ...proof } : undefined;
  const { organizationName } = context.organization;
  const lead = returned && `Sites of ${organizationName} may then be read from the repositories of its account.`;
  return {
    title: "Connect GitHub",
    status: returned ? undefined : 422,
    page: [
      <ui.PageHead title="Connect GitHub" back={back} lead={lead} />,
      returned ? (
        <ui.Action
          action={`${credentialsPath}/github`}
          context={context}
          hidden={{ ...returned }}
          kind="primary"
          label={`Add the installation ${returned.installation}`}
        />
      ) : (
        <ui.Notice kind="bad">
          The return address lacks the installation or its proof. In the settings of the app, "Request user
          authorization (OAuth) during installation" must be on. Begin again.
        </ui.Notice>
      ),
    ],
  };
}

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
    (secret) => showCredential(context, credential, { secret }),
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
