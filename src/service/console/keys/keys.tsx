import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { rotateKey, TooManyKeysError } from "../../create-key.js";
import { isValid } from "../../http/index.js";
import type { ApiKey, CreatedKey, Project } from "../../jobs/index.js";
import { commandText } from "../add-site.js";
import * as ui from "../components/index.js";
import { FirstCalls } from "../first-calls.js";
import { dayMs, hourMs } from "../format.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";

export const keysPath = "/console/keys";
const soonMs = 14 * dayMs;

/** How many hours a rotated key stays valid. */
export const overlaps = [
  ["24", "for a day"],
  ["168", "for a week"],
  ["1", "for an hour"],
  ["0", "no longer"],
] as const;

/** A handler for the key of the address. */
export const forKey = forObject(async ({ store, organizationId, params }): Promise<ApiKey | undefined> => {
  const keys = await store.accounts.keys(organizationId);
  return keys.find(({ keyId }) => keyId === params["id"]);
});

/** Valid keys by their last use, then expired and revoked ones. */
export async function listKeys({ deps, store, organizationId }: ConsoleContext): Promise<ConsoleAnswer> {
  const keys = await store.accounts.keys(organizationId);
  const projects = await store.accounts.projects(organizationId);
  const now = deps.now();
  const newest = keys.toReversed();
  const valid = newest.filter((key) => isValid(key, now));
  const invalid = newest.filter((key) => !isValid(key, now));
  return {
    title: "API keys",
    page: [
      <ui.PageHead title="API keys" lead="Programs use keys to start exports and to ask the assistant.">
        <ui.LinkButton href={`${keysPath}/new`} kind="primary" label="New key" />
      </ui.PageHead>,
      valid.length === 0 ? (
        <ui.EmptyState icon="keys" title="No valid key" command={commandText(deps, "key create --name ci")}>
          Create one here, or in a terminal on the service's machine.
        </ui.EmptyState>
      ) : (
        <ui.Table label="Valid keys" columns={columns(now)} rows={valid} />
      ),
      projects.length > 0 && (
        <ui.Section
          title="Projects"
          lead="The names that programs use for your sites; GET /v1/projects also lists them."
        >
          <ui.Table label="Projects" columns={projectColumns} rows={projects} />
        </ui.Section>
      ),
      invalid.length > 0 && (
        <ui.Section title="No longer valid" lead="Expired and revoked keys.">
          <ui.Table label="Expired and revoked keys" columns={columns(now)} rows={invalid} />
        </ui.Section>
      ),
    ],
  };
}

const columns = (now: number): readonly ui.Column<ApiKey>[] => [
  {
    title: "Key",
    kind: "wide",
    of: (key) => (
      <span class="stack">
        <a class="row-link" href={`${keysPath}/${key.keyId}`}>
          {key.name}
        </a>
        <code class="faint">{shownSecret(key)}</code>
      </span>
    ),
  },
  { title: "Access", of: (key) => <Access apiKey={key} /> },
  { title: "Last used", of: ({ lastUsedAt }) => <ui.Time at={lastUsedAt} /> },
  { title: "Expires", of: ({ expiresAt }) => <ui.Time at={expiresAt} /> },
  { title: "State", of: (key) => <KeyState apiKey={key} now={now} /> },
];

const projectColumns: readonly ui.Column<Project>[] = [
  { title: "Site", kind: "wide", of: ({ domain }) => domain },
  { title: "Project id", of: ({ projectId }) => <ui.Copyable text={projectId} /> },
  { title: "Identifier", of: ({ identifier }) => <ui.Copyable text={identifier} /> },
];

const shownSecret = ({ kind, lastFour }: ApiKey): string => `${kind === "admin" ? "svc_" : "svc_dsc_"}…${lastFour}`;

function Access({ apiKey }: { readonly apiKey: ApiKey }): JsxNode {
  const { kind, scopes, allowedAddresses, allowedOrigins } = apiKey;
  const isLimited = allowedAddresses.length > 0 || allowedOrigins.length > 0;
  return (
    <span class="with-icon">
      {kind === "assistant" ? "Assistant" : scopes.includes("write") ? "Read and write" : "Read"}
      {isLimited && <ui.Icon name="lock" />}
      {isLimited && <span class="visually-hidden">, from some places only</span>}
    </span>
  );
}

function KeyState({ apiKey, now }: { readonly apiKey: ApiKey; readonly now: number }): JsxNode {
  const { revokedAt, expiresAt } = apiKey;
  if (!isValid(apiKey, now)) return <ui.Badge>{revokedAt ? "Revoked" : "Expired"}</ui.Badge>;
  const isSoon = expiresAt !== undefined && expiresAt.getTime() - now < soonMs;
  return isSoon ? <ui.Badge kind="warning">Expires soon</ui.Badge> : <ui.Badge kind="good">Valid</ui.Badge>;
}

/** Why a key was not created or changed. */
export interface KeyRefusal {
  readonly message?: string;
  readonly status: number;
}

export function showKey(context: ConsoleContext, key: ApiKey, refusal?: KeyRefusal): ConsoleAnswer {
  const { keyId, name, kind, scopes, allowedAddresses, allowedOrigins, groups, createdAt, expiresAt, revokedAt } = key;
  const now = context.deps.now();
  const path = `${keysPath}/${keyId}`;
  return {
    title: name,
    status: refusal?.status,
    page: [
      refusal && <ui.Notice kind="bad">{refusal.message}</ui.Notice>,
      <ui.PageHead title={name} back={["API keys", keysPath]}>
        <KeyState apiKey={key} now={now} />
      </ui.PageHead>,
      <ui.Facts
        facts={[
          ["Kind", kind === "admin" ? "Admin key" : "Assistant key"],
          ["Secret", <code>{shownSecret(key)}</code>],
          ["Identifier", <code>{keyId}</code>],
          kind === "admin"
            ? ["Scope", scopes.includes("write") ? "Read and write" : "Read"]
            : ["Allowed origins", <CodeList entries={allowedOrigins} none="The site's own host" />],
          groups.length > 0 && ["Groups of readers", <CodeList entries={groups} none="" />],
          ["Allowed addresses", <CodeList entries={allowedAddresses} none="All" />],
          ["Created", <ui.Time at={createdAt} />],
          ["Last used", <ui.Time at={key.lastUsedAt} />],
          ["Expires", <ui.Time at={expiresAt} />],
          revokedAt !== undefined && ["Revoked", <ui.Time at={revokedAt} />],
        ]}
      />,
      isValid(key, now) && [
        <ui.Section
          title="Rotate"
          lead="Creates a new key with the same settings. Replace this key while it still works."
        >
          <ui.Form
            action={`${path}/rotate`}
            context={{ csrf: context.csrf }}
            class="form form-row"
            fields={[{ name: "overlap", label: "This key stays valid", options: overlaps }]}
            submit="Rotate key"
            kind="plain"
          />
        </ui.Section>,
        <ui.Section title="Revoke" lead="Requests with this key will be rejected immediately. This cannot be undone.">
          <ui.Action action={`${path}/revoke`} context={context} kind="danger" label="Revoke key" />
        </ui.Section>,
      ],
    ],
  };
}

export async function rotate(context: ConsoleContext, key: ApiKey): Promise<ConsoleAnswer> {
  const { store, organizationId, form, by } = context;
  const overlap = overlaps.find(([value]) => value === form.get("overlap"));
  if (!overlap) return showKey(context, key, { message: "Choose how long the old key stays valid.", status: 422 });
  const [hours, text] = overlap;
  try {
    const created = await rotateKey(store.accounts, organizationId, key.keyId, Number(hours) * hourMs, by);
    if (!created)
      return showKey(context, key, { message: "This key is no longer valid, so it cannot be rotated.", status: 422 });
    const note = hours === "0" ? "The old key is no longer valid." : `The old key stays valid ${text}.`;
    return createdKeyPage(context, created, note);
  } catch (error) {
    if (!(error instanceof TooManyKeysError)) throw error;
    return showKey(context, key, { message: error.message, status: 429 });
  }
}

export async function revoke({ store, organizationId, by }: ConsoleContext, key: ApiKey): Promise<ConsoleAnswer> {
  const isRevoked = await store.accounts.revokeKey(organizationId, key.keyId, by);
  const notice = isRevoked ? `The key "${key.name}" is revoked.` : "The key had already been revoked.";
  return { redirect: "/console/keys", notice };
}

const CodeList = ({ entries, none }: { readonly entries: readonly string[]; readonly none: string }): JsxNode =>
  entries.length === 0 ? (
    <span>{none}</span>
  ) : (
    <ul class="plain-list">
      {entries.map((entry) => (
        <li>
          <code>{entry}</code>
        </li>
      ))}
    </ul>
  );

export async function createdKeyPage(
  { deps, store, organizationId }: ConsoleContext,
  { key, secret }: CreatedKey,
  note?: string,
): Promise<ConsoleAnswer> {
  const projects = await store.accounts.projects(organizationId);
  return secretPage({
    title: "Save the new key",
    back: ["API keys", keysPath],
    lead: `"${key.name}" is ready to use.`,
    warning: (
      <>
        <strong>Copy the key now.</strong> It is not shown again: only its hash is stored.
      </>
    ),
    note,
    secret,
    children: key.kind === "admin" && [
      key.scopes.includes("write") && projects[0] ? (
        <>
          <FirstCalls deps={deps} domain={projects[0].domain} secret={secret} />
          <p>
            <a href="/console">The overview</a> shows each call as soon as it has succeeded.
          </p>
        </>
      ) : (
        <ui.Section title="Try it">
          <ui.Command text={`curl -H "Authorization: Bearer ${secret}" ${deps.publicUrl}/v1/projects`} />
        </ui.Section>
      ),
      projects.length > 0 && (
        <ui.Section title="Projects">
          <ui.Table label="Projects" columns={projectColumns} rows={projects} />
        </ui.Section>
      ),
    ],
  });
}

interface SecretPage {
  readonly title: string;
  /** Where the person goes on: text and address. */
  readonly back: readonly [text: string, href: string];
  readonly lead: string;
  readonly warning: JsxChild;
  readonly note?: string;
  readonly secret: string;
  readonly children?: JsxChild;
}

/** The only page that shows a new secret, once. */
export const secretPage = ({ title, back, lead, warning, note, secret, children }: SecretPage): ConsoleAnswer => ({
  title,
  page: [
    <ui.PageHead title={title} back={back} lead={lead} />,
    <ui.Notice kind="warning">
      <p>{warning}</p>
      {note !== undefined && <p>{note}</p>}
    </ui.Notice>,
    <ui.Command text={secret} />,
    children,
    <p>
      <ui.LinkButton href={back[1]} kind="primary" label="I have saved it" />
    </p>,
  ],
});
