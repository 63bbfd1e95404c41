import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { Credential, NewCredential } from "../../git/credentials/index.js";
import { forgeKinds } from "../../git/forge/index.js";
import { commandText } from "../add-site.js";
import {
  Action,
  Badge,
  Button,
  type Column,
  EmptyState,
  Facts,
  type FieldErrors,
  type FieldProps,
  Form,
  KindChoices,
  LinkButton,
  Notice,
  PageHead,
  RowText,
  Section,
  Table,
  Time,
} from "../components/index.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

export const credentialsPath = "/console/credentials";
const back = ["Credentials", credentialsPath] as const;

/** @param refusal why the credential was not added. */
export function credentialsPage(
  context: ConsoleContext,
  credentials: readonly Credential[],
  refusal?: string,
): ConsoleAnswer {
  const { deps, store, organization } = context;
  const { installHosts } = store.credentials;
  const command = `credential add https://git.example.com/acme/ --organization ${shellWord(organization.organizationName)}`;
  return {
    title: "Credentials",
    status: refusal === undefined ? undefined : 422,
    page: [
      <Refusal text={refusal} />,
      <PageHead
        title="Credentials"
        lead="They open private repositories of your sites. Nobody can read their secrets again."
      >
        {installHosts.map((host) => (
          <Action action={`${credentialsPath}/github/begin`} context={context} hidden={{ host }}>
            {installHosts.length === 1 ? "Connect GitHub" : `Connect ${host}`}
          </Action>
        ))}
        <LinkButton href={`${credentialsPath}/new`} kind="primary">
          New credential
        </LinkButton>
      </PageHead>,
      credentials.length === 0 ? (
        <EmptyState icon="lock" title="No credentials" command={commandText(deps, command)}>
          Public repositories need none. Add one here, or in a terminal of the service.
        </EmptyState>
      ) : (
        <Table label="Credentials" columns={columns} rows={credentials} />
      ),
    ],
  };
}

const Refusal = ({ text }: { readonly text: string | undefined }): JsxNode => (
  <>{text !== undefined && <Notice kind="bad">{text}</Notice>}</>
);

const columns: readonly Column<Credential>[] = [
  {
    title: "Repositories below",
    kind: "wide",
    of: ({ credentialId, prefix, name }) => (
      <RowText href={`${credentialsPath}/${credentialId}`} below={name !== prefix && name}>
        {prefix}
      </RowText>
    ),
  },
  { title: "Kind", of: ({ kind }) => kindNames[kind] },
  { title: "Secret", of: ({ hint }) => <code class="faint">{hint || "hidden"}</code> },
  { title: "Last used", of: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
];

const kindNames = { token: "Token", "ssh-key": "SSH key", "github-app": "GitHub app" } as const;

export function credentialPage(context: ConsoleContext, credential: Credential, errors?: FieldErrors): ConsoleAnswer {
  const { credentialId, kind, name, prefix, forge, hint, createdAt, rotatedAt, lastUsedAt } = credential;
  const path = `${credentialsPath}/${credentialId}`;
  return {
    title: name,
    status: errors && 422,
    page: [
      <PageHead title={name} back={back}>
        <Badge kind="good">{kindNames[kind]}</Badge>
      </PageHead>,
      <Facts
        facts={[
          ["Repositories below", <code>{prefix}</code>],
          ["Secret", <code>{hint || "hidden"}</code>],
          ["Identifier", <code>{credentialId}</code>],
          forge !== undefined && ["The host runs", forge],
          ["Added", <Time at={createdAt} />],
          rotatedAt !== undefined && ["Secret replaced", <Time at={rotatedAt} />],
          ["Last used", <Time at={lastUsedAt} />],
        ]}
      />,
      kind !== "github-app" && (
        <Section title="Replace the secret" lead="Exports that begin from now on use the new one.">
          <Form action={`${path}/rotate`} context={{ csrf: context.csrf }} fields={secretFields(kind)} errors={errors}>
            <div class="form-actions">
              <Button kind="plain">Replace secret</Button>
            </div>
          </Form>
        </Section>
      ),
      <Section
        title="Remove"
        lead="Exports that begin from now on cannot use it. Revoke the secret at its host, too. This cannot be undone."
      >
        <Action action={`${path}/remove`} context={context} kind="danger">
          Remove credential
        </Action>
      </Section>,
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
      <PageHead title="New credential" back={back} />,
      <Refusal text={refusal} />,
      <KindChoices label="Kind of credential" path={`${credentialsPath}/new`} kinds={kinds} chosen={kind} />,
      <Form
        action={credentialsPath}
        context={{ csrf, form }}
        hidden={{ kind }}
        fields={[
          {
            name: "prefix",
            label: "Repositories below",
            placeholder: kind === "token" ? "https://github.com/acme/" : "ssh://git@git.example.com/team/",
            hint: "What their addresses begin with: protocol, host and whole parts of the path. The secret is sent nowhere else.",
            required: true,
          },
          ...secretFields(kind),
          { name: "name", label: "Name", hint: "Empty: the address above.", required: false },
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

export const kindIn = (fields: URLSearchParams): NewCredential["kind"] =>
  fields.get("kind") === "ssh-key" ? "ssh-key" : "token";

const kinds = [
  ["token", "Token", "For repositories at https://."],
  ["ssh-key", "SSH key", "For repositories at ssh://."],
] as const;

const forgeNames = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea or Forgejo",
  none: "Something else, without pull requests",
} as const;

const secretFields = (kind: NewCredential["kind"]): readonly FieldProps[] =>
  kind === "token"
    ? [
        {
          name: "secret",
          label: "Token",
          type: "password",
          hint: "As its host has given it, or user:token. It needs the right to read the repositories; for agent jobs, to push branches and to open pull requests.",
          required: true,
        },
      ]
    : [
        {
          name: "secret",
          label: "Private key",
          rows: 6,
          placeholder: "-----BEGIN OPENSSH PRIVATE KEY-----",
          hint: "In the format of OpenSSH, without a passphrase.",
          required: true,
        },
        {
          name: "knownHosts",
          label: "Keys of the host",
          rows: 3,
          placeholder: "git.example.com ssh-ed25519 AAAA…",
          hint: "As ssh-keyscan prints them. Compare them with those that the host publishes.",
          required: false,
        },
      ];

/** The page has a link, since its policy lets no form lead to another host. */
export const installPage = (host: string, address: string): ConsoleAnswer => ({
  title: "Connect GitHub",
  page: [
    <PageHead
      title={`Install the app at ${host}`}
      back={back}
      lead={`Choose the account and the repositories there. Then ${host} leads back here, within ten minutes.`}
    />,
    <p>
      <LinkButton href={address} kind="primary">{`Go to ${host}`}</LinkButton>
    </p>,
  ],
});

interface ReturnedInstallation {
  readonly installation: string;
  readonly secretState: string;
  readonly code: string;
}

/** @param returned undefined if the return address is incomplete. */
export function confirmInstallationPage(
  context: ConsoleContext,
  returned: ReturnedInstallation | undefined,
): ConsoleAnswer {
  const { organizationName } = context.organization;
  const lead = returned && `Sites of ${organizationName} may then be read from the repositories of its account.`;
  return {
    title: "Connect GitHub",
    status: returned ? undefined : 422,
    page: [
      <PageHead title="Connect GitHub" back={back} lead={lead} />,
      returned ? (
        <Action action={`${credentialsPath}/github`} context={context} hidden={{ ...returned }} kind="primary">
          {`Add the installation ${returned.installation}`}
        </Action>
      ) : (
        <Notice kind="bad">
          The return address lacks the installation or its proof. In the settings of the app, "Request user
          authorization (OAuth) during installation" must be on. Begin again.
        </Notice>
      ),
    ],
  };
}
