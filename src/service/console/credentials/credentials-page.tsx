import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Credential } from "../../git/credentials/index.js";
import {
  Action,
  Badge,
  Button,
  type Column,
  EmptyState,
  Facts,
  Field,
  type FieldErrors,
  Form,
  PageHead,
  Section,
  Table,
  Time,
} from "../components/index.js";

interface CredentialsPageProps {
  readonly credentials: readonly Credential[];
  readonly addCommand: string;
  readonly installHosts: readonly string[];
  readonly csrf: string;
}

export function CredentialsPage({ credentials, addCommand, installHosts, csrf }: CredentialsPageProps): JsxNode {
  return (
    <>
      <PageHead
        title="Credentials"
        lead="They open private repositories of your sites. Nobody can read their secrets again."
      >
        {installHosts.map((host) => (
          <Action action="/console/credentials/github/begin" csrf={csrf} fields={{ host }}>
            {installHosts.length === 1 ? "Connect GitHub" : `Connect ${host}`}
          </Action>
        ))}
        <a class="button button-primary" href="/console/credentials/new">
          New credential
        </a>
      </PageHead>
      {credentials.length === 0 ? (
        <EmptyState icon="lock" title="No credentials" command={addCommand}>
          Public repositories need none. Add one here, or in a terminal of the service.
        </EmptyState>
      ) : (
        <Table label="Credentials" columns={columns} rows={credentials} />
      )}
    </>
  );
}

const columns: readonly Column<Credential>[] = [
  {
    title: "Repositories below",
    kind: "wide",
    of: ({ credentialId, prefix, name }) => (
      <span class="stack">
        <a class="row-link" href={`/console/credentials/${credentialId}`}>
          {prefix}
        </a>
        {name !== prefix && <span class="faint">{name}</span>}
      </span>
    ),
  },
  { title: "Kind", of: ({ kind }) => kindNames[kind] },
  { title: "Secret", of: ({ hint }) => <code class="faint">{hint || "hidden"}</code> },
  { title: "Last used", of: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
];

export const kindNames: Readonly<Record<Credential["kind"], string>> = {
  token: "Token",
  "ssh-key": "SSH key",
  "github-app": "GitHub app",
};

interface CredentialPageProps {
  readonly credential: Credential;
  readonly csrf: string;
  readonly errors?: FieldErrors | undefined;
}

export function CredentialPage({ credential, csrf, errors }: CredentialPageProps): JsxNode {
  const { credentialId, kind, name, prefix, forge, hint, createdAt, rotatedAt, lastUsedAt } = credential;
  const path = `/console/credentials/${credentialId}`;
  return (
    <>
      <PageHead title={name} back={["Credentials", "/console/credentials"]}>
        <Badge kind="good">{kindNames[kind]}</Badge>
      </PageHead>
      <Facts
        facts={[
          ["Repositories below", <code>{prefix}</code>],
          ["Secret", <code>{hint || "hidden"}</code>],
          ["Identifier", <code>{credentialId}</code>],
          ...(forge === undefined ? [] : [["The host runs", forge] as const]),
          ["Added", <Time at={createdAt} />],
          ...(rotatedAt ? [["Secret replaced", <Time at={rotatedAt} />] as const] : []),
          ["Last used", <Time at={lastUsedAt} />],
        ]}
      />
      {kind !== "github-app" && (
        <Section title="Replace the secret" lead="Exports that begin from now on use the new one.">
          <Form action={`${path}/rotate`} csrf={csrf}>
            <SecretFields kind={kind} errors={errors} />
            <div class="form-actions">
              <Button kind="plain">Replace secret</Button>
            </div>
          </Form>
        </Section>
      )}
      <Section
        title="Remove"
        lead="Exports that begin from now on cannot use it. Revoke the secret at its host, too. This cannot be undone."
      >
        <Action action={`${path}/remove`} csrf={csrf} kind="danger">
          Remove credential
        </Action>
      </Section>
    </>
  );
}

/** A secret that was sent is not shown again, even if another field was wrong. */
export const SecretFields = ({
  kind,
  errors,
}: Pick<Credential, "kind"> & Pick<CredentialPageProps, "errors">): JsxNode =>
  kind === "token" ? (
    <Field
      name="secret"
      label="Token"
      type="password"
      hint="As its host has given it, or user:token. It needs the right to read the repositories; for agent jobs, to push branches and to open pull requests."
      required
      errors={errors}
    />
  ) : (
    <>
      <Field
        name="secret"
        label="Private key"
        rows={6}
        placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
        hint="In the format of OpenSSH, without a passphrase."
        required
        errors={errors}
      />
      <Field
        name="knownHosts"
        label="Keys of the host"
        rows={3}
        placeholder="git.example.com ssh-ed25519 AAAA…"
        hint="As ssh-keyscan prints them. Compare them with those that the host publishes."
        required={false}
        errors={errors}
      />
    </>
  );
