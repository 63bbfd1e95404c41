import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { type Counting, includesRole, type Project } from "../../jobs/index.js";
import {
  Button,
  Command,
  Field,
  type FieldErrors,
  Form,
  Notice,
  PageHead,
  Section,
  Time,
} from "../components/index.js";
import { overlaps } from "../keys/key-pages.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const humansFrom = [
  ["server", "The server that answers"],
  ["beacon", "A script in the pages"],
  ["logs", "Imported logs"],
] as const satisfies readonly (readonly [Counting["humansFrom"], string])[];
const agentsFrom = humansFrom.filter(
  (each): each is Exclude<(typeof humansFrom)[number], readonly ["beacon", string]> => each[0] !== "beacon",
);

const pathOf = ({ projectId }: Project): string => `/console/sites/${projectId}`;

/** Who counts the views of a site, and the secret of its webhooks. */
export async function showSettings(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  return settingsPage(context, project);
}

function settingsPage(
  { csrf, deps, form, role }: ConsoleContext,
  project: Project,
  errors: FieldErrors = {},
): ConsoleAnswer {
  const path = pathOf(project);
  const { counting } = project;
  return {
    title: `Settings of ${project.domain}`,
    status: Object.keys(errors).length > 0 ? 422 : 200,
    page: [
      <PageHead title="Settings" back={[project.domain, path]} />,
      <Section
        title="Page views"
        wide
        lead="One way counts the views of people, so that none is counted twice. The other ways drop theirs."
      >
        <Form action={`${path}/counting`} csrf={csrf}>
          <Field
            name="humansFrom"
            label="Views of people come from"
            options={humansFrom}
            value={form.get("humansFrom") ?? counting.humansFrom}
            errors={errors}
          />
          <Field
            name="agentsFrom"
            label="Views of AI agents and crawlers come from"
            options={agentsFrom}
            value={form.get("agentsFrom") ?? counting.agentsFrom}
            errors={errors}
          />
          <Button kind="plain">Save</Button>
        </Form>
      </Section>,
      includesRole(role, "owner") && (
        <Section
          title="Webhook secret"
          wide
          lead="It signs the webhooks of this site, so that their receiver knows where they come from."
        >
          <Form action={`${path}/webhook-secret`} csrf={csrf}>
            <Field
              name="overlap"
              label="The old secret also signs"
              hint={oldSecretHint(project, deps.now())}
              options={overlaps}
              value={form.get("overlap") ?? undefined}
              errors={errors}
            />
            <Button kind="plain">Rotate the secret</Button>
          </Form>
        </Section>
      ),
    ],
  };
}

/** How long the last rotation still counts. */
function oldSecretHint({ oldWebhookSecret: old }: Project, now: number): JsxNode | undefined {
  if (old === undefined || old.until.getTime() <= now) return undefined;
  return (
    <span>
      The secret before the last rotation signs until <Time at={old.until} exact />.
    </span>
  );
}

export async function changeCounting(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { deps, form } = context;
  const chosen = <Value extends string>(name: string, options: readonly (readonly [Value, string])[]) =>
    options.find(([value]) => value === form.get(name))?.[0];
  const counting = { humansFrom: chosen("humansFrom", humansFrom), agentsFrom: chosen("agentsFrom", agentsFrom) };
  if (counting.humansFrom === undefined) return settingsPage(context, project, { humansFrom: "Choose one of them." });
  if (counting.agentsFrom === undefined) return settingsPage(context, project, { agentsFrom: "Choose one of them." });
  const { organizationId, domain } = project;
  const changed = await deps.store.accounts.setCounting(organizationId, domain, counting as Counting, context.by);
  if (!changed) return "not-found";
  return {
    redirect: `${pathOf(project)}/settings`,
    notice: "Saved. Running servers follow within a minute.",
  };
}

export async function rotateWebhookSecret(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { deps, form } = context;
  const { organizationId, domain } = project;
  const overlap = overlaps.find(([value]) => value === form.get("overlap"));
  if (!overlap) return settingsPage(context, project, { overlap: "Choose how long the old secret stays valid." });
  const overlapMs = Number(overlap[0]) * 60 * 60_000;
  const rotated = await deps.store.accounts.rotateWebhookSecret(organizationId, domain, overlapMs, context.by);
  if (!rotated) return "not-found";
  return {
    title: "Save the new secret",
    page: [
      <PageHead
        title="Save the new secret"
        back={[domain, pathOf(project)]}
        lead={`It signs the webhooks of ${domain}.`}
      />,
      <Notice kind="warning">
        <p>
          <strong>Give it to the receiver of the webhooks now.</strong> The console does not show it again.
        </p>
        <p>{overlapMs === 0 ? "The old secret no longer signs." : `The old secret also signs ${overlap[1]}.`}</p>
      </Notice>,
      <Command text={rotated.webhookSecret} />,
      <p>
        <a class="button button-primary" href={pathOf(project)}>
          I have saved it
        </a>
      </p>,
    ],
  };
}
