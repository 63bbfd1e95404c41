import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { ApiKey } from "../../jobs/index.js";
import { Command, Notice, PageHead, Section } from "../parts/index.js";

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
