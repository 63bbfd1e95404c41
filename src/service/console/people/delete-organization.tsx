import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { erase } from "../../erase.js";
import type { Erasure } from "../../jobs/index.js";
import { commandText } from "../add-site.js";
import { cookie } from "../browser-request.js";
import * as ui from "../components/index.js";
import { counted } from "../format.js";
import { checkPassword } from "../login/attempts.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

/** Somebody without a password must have logged in at the provider within this time. */
const freshMs = 15 * 60_000;

export function askToDeleteOrganization(context: ConsoleContext, errors?: ui.FieldErrors): ConsoleAnswer {
  const { organization, person } = context;
  const { organizationName } = organization;
  const problem = errors?.["session"];
  return {
    title: `Delete ${organizationName}`,
    status: errors && 422,
    page: [
      <ui.PageHead title={`Delete ${organizationName}`} back={["People", "/console/people"]} />,
      problem !== undefined && <ui.Notice kind="bad">{problem}</ui.Notice>,
      <ui.Notice kind="warning">
        <p>
          All of it is deleted for good: sites, exports with their bundles, views, conversations, API keys, credentials
          and the audit log. Links to bundles end at once, and queued and running exports fail. People without another
          organization lose their accounts. Repositories stay as they are.
        </p>
      </ui.Notice>,
      <ui.Form
        action="/console/organization/delete"
        context={context}
        fields={[
          { name: "organization", label: `Type ${organizationName} to confirm`, required: true, autofocus: true },
          person.passwordHash !== undefined && ui.passwordField,
        ]}
        errors={errors}
        submit="Delete the organization"
        kind="danger"
        cancel="/console/people"
      />,
    ],
  };
}

/** A stolen session must not be enough: asks for the password, or a recent login at the provider. */
async function identityErrors(context: ConsoleContext): Promise<ui.FieldErrors | undefined> {
  const { deps, person, session } = context;
  if (person.passwordHash !== undefined) {
    const password = await checkPassword(context);
    return password === undefined ? undefined : { password };
  }
  if (deps.now() - session.createdAt.getTime() <= freshMs) return undefined;
  return {
    session: "You logged in more than 15 minutes ago. Log out, log in again, and then delete the organization.",
  };
}

/** Deletes the organization and shows the receipt. The session goes on with another organization, or ends. */
export async function deleteOrganization(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, store, isSecure, session, form, by } = context;
  const { organizationId, organizationName } = context.organization;
  if ((form.get("organization") ?? "").trim() !== organizationName.trim())
    return askToDeleteOrganization(context, { organization: `Type ${organizationName} to delete this organization.` });
  const errors = await identityErrors(context);
  if (errors) return askToDeleteOrganization(context, errors);
  const erased = await erase(store, { kind: "organization", organizationId }, by);
  if (!("erasureId" in erased)) return "not-found";
  const next = session.memberships.find((membership) => membership.organizationId !== organizationId);
  const command = commandText(deps, `erase show ${erased.erasureId}`);
  return {
    title: `${organizationName} is deleted`,
    full: true,
    ...(!next && { cookies: [cookie("session", "", isSecure)] }),
    page: (
      <div class="receipt">
        <ui.PageHead
          title={`${organizationName} is deleted`}
          lead={next ? "Save this receipt." : "Your account is deleted as well. Save this receipt."}
        />
        {receiptOf(erased, command)}
        <p>
          <ui.LinkButton
            href={next ? "/console" : "/console/login"}
            kind="primary"
            label={next ? `Go on with ${next.organizationName}` : "To the login"}
          />
        </p>
      </div>
    ),
  };
}

/** @param command shows the receipt at a later time. */
function receiptOf(erasure: Erasure, command: string): JsxNode {
  const { erasureId, subject, requestedBy, requestedAt, completedAt, database, auditLog, objects, workers } = erasure;
  const waiting = workers.filter(({ confirmedAt }) => !confirmedAt);
  const tables = Object.entries(database).filter(([, rows]) => rows > 0);
  return (
    <>
      {completedAt === undefined && (
        <ui.Notice>
          <p>
            {waiting.length > 0
              ? `The database is changed. Copies are still on the disks of ${counted(waiting.length, "worker")}.`
              : "The data is deleted from the database. The rest follows within seconds."}{" "}
            This shows whether the erasure is complete:
          </p>
          <ui.Command text={command} />
        </ui.Notice>
      )}
      <ui.Facts
        facts={[
          ["Receipt", <code>{erasureId}</code>],
          ["Organization", <code>{subject}</code>],
          ["Requested by", requestedBy],
          ["Requested", <ui.Time at={requestedAt} exact />],
          ["Complete", <ui.Time at={completedAt} none="not yet" exact />],
          ["Bundles and reports", objects ? `${objects.bundles} removed` : "the object store did not answer"],
          ["Shared cached pages", objects ? `${objects.caches} removed` : "the object store did not answer"],
          ["Audit log", counted(auditLog?.lines ?? 0, "line")],
          ["Last hash of the audit log", <code>{auditLog?.head || "none"}</code>],
        ]}
      />
      <ui.Table
        label="Deleted rows"
        rows={tables}
        columns={[
          { title: "Table", kind: "wide", of: ([table]) => <code>{table}</code> },
          { title: "Rows", kind: "number", of: ([, rows]) => rows },
        ]}
      />
    </>
  );
}
