import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { ApiKey } from "../../jobs/index.js";
import { Action, Button, Facts, Field, Form, PageHead, Section, Time } from "../parts/index.js";
import { KeyState, shownSecret } from "./keys-page.js";

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
