import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { ApiKey } from "../../jobs/index.js";
import {
  Action,
  Badge,
  Button,
  type Column,
  Command,
  EmptyState,
  Facts,
  Field,
  Form,
  Icon,
  Notice,
  PageHead,
  Section,
  Table,
  Time,
} from "../components/index.js";

interface KeysPageProps {
  readonly keys: readonly ApiKey[];
  readonly now: number;
  readonly createCommand: string;
}

/** Valid keys by their last use, then those that are over. */
export function KeysPage({ keys, now, createCommand }: KeysPageProps): JsxNode {
  const isOver = (key: ApiKey): boolean => stateOf(key, now)[1] !== "good";
  const valid = keys.filter((key) => !isOver(key)).toReversed();
  const over = keys.filter(isOver).toReversed();
  return (
    <>
      <PageHead title="API keys" lead="Programs use keys to start exports and to ask the assistant.">
        <a class="button button-primary" href="/console/keys/new">
          New key
        </a>
      </PageHead>
      {valid.length === 0 ? (
        <EmptyState icon="keys" title="No valid key" command={createCommand}>
          Create one here, or in a terminal of the service.
        </EmptyState>
      ) : (
        <Table label="Valid keys" columns={columns(now)} rows={valid} />
      )}
      {over.length > 0 && (
        <Section title="No longer valid" lead="Expired and revoked keys.">
          <Table label="Expired and revoked keys" columns={columns(now)} rows={over} />
        </Section>
      )}
    </>
  );
}

const columns = (now: number): readonly Column<ApiKey>[] => [
  {
    title: "Key",
    kind: "wide",
    of: (key) => (
      <span class="stack">
        <a class="row-link" href={`/console/keys/${key.keyId}`}>
          {key.name}
        </a>
        <code class="faint">{shownSecret(key)}</code>
      </span>
    ),
  },
  { title: "Access", of: accessOf },
  { title: "Last used", of: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { title: "Expires", of: ({ expiresAt }) => <Time at={expiresAt} /> },
  { title: "State", of: (key) => <KeyState apiKey={key} now={now} /> },
];

const shownSecret = ({ kind, lastFour }: ApiKey): string => `${kind === "admin" ? "svc_" : "svc_dsc_"}…${lastFour}`;

function accessOf(key: ApiKey): JsxNode {
  const text = key.kind === "assistant" ? "Assistant" : key.scopes.includes("write") ? "Read and write" : "Read";
  const isLimited = key.allowedAddresses.length > 0 || key.allowedOrigins.length > 0;
  return (
    <span class="with-icon">
      {text}
      {isLimited && <Icon name="lock" />}
      {isLimited && <span class="visually-hidden">, from some places only</span>}
    </span>
  );
}

const soonMs = 14 * 24 * 60 * 60_000;

function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): readonly [text: string, kind: "good" | "wait"] {
  if (revokedAt) return ["Revoked", "wait"];
  return expiresAt && expiresAt.getTime() <= now ? ["Expired", "wait"] : ["Valid", "good"];
}

function KeyState({ apiKey, now }: { readonly apiKey: ApiKey; readonly now: number }): JsxNode {
  const [text, kind] = stateOf(apiKey, now);
  const { expiresAt } = apiKey;
  const isSoon = kind === "good" && expiresAt !== undefined && expiresAt.getTime() - now < soonMs;
  return <Badge kind={isSoon ? "warning" : kind}>{isSoon ? "Expires soon" : text}</Badge>;
}

/** Hours that a rotated key stays valid. */
export const overlaps = [
  ["24", "for a day"],
  ["168", "for a week"],
  ["1", "for an hour"],
  ["0", "no longer"],
] as const;

interface KeyPageProps {
  readonly apiKey: ApiKey;
  readonly csrf: string;
  readonly now: number;
}

export function KeyPage({ apiKey, csrf, now }: KeyPageProps): JsxNode {
  const { keyId, name, kind, scopes, allowedAddresses, allowedOrigins, groups, createdAt, expiresAt, revokedAt } =
    apiKey;
  const isValid = !revokedAt && !(expiresAt && expiresAt.getTime() <= now);
  const path = `/console/keys/${keyId}`;
  return (
    <>
      <PageHead title={name} back={["API keys", "/console/keys"]}>
        <KeyState apiKey={apiKey} now={now} />
      </PageHead>
      <Facts
        facts={[
          ["Kind", kind === "admin" ? "Admin key" : "Assistant key"],
          ["Secret", <code>{shownSecret(apiKey)}</code>],
          ["Identifier", <code>{keyId}</code>],
          kind === "admin"
            ? ["Scope", scopes.includes("write") ? "Read and write" : "Read"]
            : ["Allowed origins", listed(allowedOrigins, "The site's own host")],
          ...(groups.length > 0 ? [["Groups of readers", listed(groups, "")] as const] : []),
          ["Allowed addresses", listed(allowedAddresses, "All")],
          ["Created", <Time at={createdAt} />],
          ["Last used", <Time at={apiKey.lastUsedAt} />],
          ["Expires", <Time at={expiresAt} />],
          ...(revokedAt ? [["Revoked", <Time at={revokedAt} />] as const] : []),
        ]}
      />
      {isValid && (
        <>
          <Section title="Rotate" lead="Creates a key like this one. Put it in place while this one still works.">
            <Form action={`${path}/rotate`} csrf={csrf} class="form form-row">
              <Field name="overlap" label="This key stays valid" options={overlaps} />
              <Button kind="plain">Rotate key</Button>
            </Form>
          </Section>
          <Section title="Revoke" lead="Requests with this key are refused at once. This cannot be undone.">
            <Action action={`${path}/revoke`} csrf={csrf} kind="danger">
              Revoke key
            </Action>
          </Section>
        </>
      )}
    </>
  );
}

function listed(entries: readonly string[], none: string): JsxNode {
  if (entries.length === 0) return <span>{none}</span>;
  return (
    <ul class="plain-list">
      {entries.map((entry) => (
        <li>
          <code>{entry}</code>
        </li>
      ))}
    </ul>
  );
}

interface CreatedKeyPageProps {
  readonly apiKey: ApiKey;
  readonly secret: string;
  readonly publicUrl: string;
  readonly note?: JsxChild;
}

/** The only page that shows a secret, once. */
export function CreatedKeyPage({ apiKey, secret, publicUrl, note }: CreatedKeyPageProps): JsxNode {
  const { name, kind } = apiKey;
  return (
    <>
      <PageHead title="Save the new key" back={["API keys", "/console/keys"]} lead={`"${name}" is ready to use.`} />
      <Notice kind="warning">
        <p>
          <strong>Copy the key now.</strong> It is not shown again: only its hash is stored.
        </p>
        {note}
      </Notice>
      <Command text={secret} />
      {kind === "admin" && (
        <Section title="Try it">
          <Command text={`curl -H "Authorization: Bearer ${secret}" ${publicUrl}/v1/static-export/jobs`} />
        </Section>
      )}
      <p>
        <a class="button button-primary" href="/console/keys">
          I have saved it
        </a>
      </p>
    </>
  );
}
