import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { ApiKey } from "../../jobs/index.js";
import { Badge, type Column, EmptyState, Icon, PageHead, Section, Table, Time } from "../parts/index.js";

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

export const shownSecret = ({ kind, lastFour }: ApiKey): string =>
  `${kind === "admin" ? "svc_" : "svc_dsc_"}…${lastFour}`;

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

export function KeyState({ apiKey, now }: { readonly apiKey: ApiKey; readonly now: number }): JsxNode {
  const [text, kind] = stateOf(apiKey, now);
  const { expiresAt } = apiKey;
  const isSoon = kind === "good" && expiresAt !== undefined && expiresAt.getTime() - now < soonMs;
  return <Badge kind={isSoon ? "warning" : kind}>{isSoon ? "Expires soon" : text}</Badge>;
}
