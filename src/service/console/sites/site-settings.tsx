import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { type Counting, includesRole, type Project } from "../../jobs/index.js";
import * as ui from "../components/index.js";
import { hourMs } from "../format.js";
import { overlaps, secretPage } from "../keys/keys.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { sitePath } from "./sites-page.js";

const humansFrom = [
  ["server", "The server that responds"],
  ["beacon", "A script in the pages"],
  ["logs", "Imported logs"],
] as const satisfies readonly (readonly [Counting["humansFrom"], string])[];
const agentsFrom = humansFrom.filter(
  (way): way is Exclude<(typeof humansFrom)[number], readonly ["beacon", string]> => way[0] !== "beacon",
);

/** Who counts the views of a site, and the secret of its webhooks. */
export function showSettings(context: ConsoleContext, project: Project, errors?: ui.FieldErrors): ConsoleAnswer {
  const { deps, role } = context;
  const path = sitePath(project);
  const { counting } = project;
  return {
    title: `Settings of ${project.domain}`,
    status: errors && 422,
    page: [
      <ui.PageHead title="Settings" back={[project.domain, path]} />,
      <ui.Section
        title="Page views"
        wide
        lead="Choose one source, so that no view is counted twice. Views from any other source are ignored."
      >
        <ui.Form
          action={`${path}/counting`}
          context={context}
          fields={[
            {
              name: "humansFrom",
              label: "Views of people come from",
              options: humansFrom,
              value: counting.humansFrom,
            },
            {
              name: "agentsFrom",
              label: "Views of AI agents and crawlers come from",
              options: agentsFrom,
              value: counting.agentsFrom,
            },
          ]}
          errors={errors}
          submit="Save"
          kind="plain"
        />
      </ui.Section>,
      includesRole(role, "owner") && (
        <ui.Section
          title="Webhook secret"
          wide
          lead="It signs this site's webhooks, so that the receiver can verify where they come from."
        >
          <ui.Form
            action={`${path}/webhook-secret`}
            context={context}
            fields={[
              {
                name: "overlap",
                label: "The old secret also signs",
                hint: oldSecretHint(project, deps.now()),
                options: overlaps,
              },
            ]}
            errors={errors}
            submit="Rotate the secret"
            kind="plain"
          />
        </ui.Section>
      ),
    ],
  };
}

/** Until when the secret before the last rotation signs. */
function oldSecretHint({ oldWebhookSecret: old }: Project, now: number): JsxNode | undefined {
  if (old === undefined || old.until.getTime() <= now) return undefined;
  return (
    <span>
      The secret before the last rotation signs until <ui.Time at={old.until} exact />.
    </span>
  );
}

export async function changeCounting(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { store, form, by } = context;
  const chosen = <Value extends string>(name: string, options: readonly (readonly [Value, string])[]) =>
    options.find(([value]) => value === form.get(name))?.[0];
  const counting = { humansFrom: chosen("humansFrom", humansFrom), agentsFrom: chosen("agentsFrom", agentsFrom) };
  if (counting.humansFrom === undefined)
    return showSettings(context, project, { humansFrom: "Choose one of the options." });
  if (counting.agentsFrom === undefined)
    return showSettings(context, project, { agentsFrom: "Choose one of the options." });
  const { organizationId, domain } = project;
  const changed = await store.accounts.setCounting(organizationId, domain, counting as Counting, by);
  if (!changed) return "not-found";
  return { redirect: `${sitePath(project)}/settings`, notice: "Saved. Running servers follow within a minute." };
}

export async function rotateWebhookSecret(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { store, form, by } = context;
  const { organizationId, domain } = project;
  const overlap = overlaps.find(([value]) => value === form.get("overlap"));
  if (!overlap) return showSettings(context, project, { overlap: "Choose how long the old secret stays valid." });
  const [hours, text] = overlap;
  const rotated = await store.accounts.rotateWebhookSecret(organizationId, domain, Number(hours) * hourMs, by);
  if (!rotated) return "not-found";
  return secretPage({
    title: "Save the new secret",
    back: [domain, sitePath(project)],
    lead: `It signs the webhooks of ${domain}.`,
    warning: (
      <>
        <strong>Give it to the receiver of the webhooks now.</strong> The console does not show it again.
      </>
    ),
    note: hours === "0" ? "The old secret no longer signs." : `The old secret also signs ${text}.`,
    secret: rotated.webhookSecret,
  });
}
