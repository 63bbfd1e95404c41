import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { erase } from "../../erase.js";
import { type Invite, type Member, type Role, roles } from "../../jobs/index.js";
import * as ui from "../components/index.js";
import { dayMs, isEmailAddress } from "../format.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";

const peoplePath = "/console/people";

const roleTexts: readonly (readonly [Role, string])[] = [
  ["owner", "Owner: people, keys, removal"],
  ["editor", "Editor: sites, exports, conversations"],
  ["reader", "Reader: looks only"],
];

interface PeoplePage {
  readonly errors?: ui.FieldErrors;
  /** A new invite. Its link is shown only this once. */
  readonly link?: { readonly email: string; readonly url: string };
}

/** Who may enter the organization, and who is invited. */
export async function showPeople(context: ConsoleContext, { errors, link }: PeoplePage = {}): Promise<ConsoleAnswer> {
  const { store, organization, organizationId, csrf, form } = context;
  const [members, invites] = await Promise.all([
    store.people.members(organizationId),
    store.people.invites(organizationId),
  ]);
  return {
    title: "People",
    status: errors && 422,
    page: [
      <ui.PageHead title="People" lead={`Who may open the console of ${organization.organizationName}.`} />,
      link && (
        <ui.Notice kind="good">
          <p>Send this link to {link.email}. It works once, for 24 hours, and is not shown again.</p>
          <ui.Command text={link.url} />
        </ui.Notice>
      ),
      memberTable(context, members),
      invites.length > 0 && invitesSection(context, invites),
      <ui.Section title="Invite somebody" wide lead="You get a link that you send to them yourself.">
        <ui.Form
          action={peoplePath}
          context={{ csrf }}
          fields={[
            {
              name: "email",
              label: "Email",
              type: "email",
              value: errors?.["email"] ? (form.get("email") ?? "") : "",
            },
            { name: "role", label: "Role", options: roleTexts, value: form.get("role") ?? "reader" },
          ]}
          errors={errors}
          submit="Make a link"
        />
      </ui.Section>,
      <ui.Section
        title="Delete the organization"
        wide
        lead="Permanently, with all its sites, exports, keys and people."
      >
        <p>
          <ui.LinkButton
            href="/console/organization/delete"
            kind="danger"
            label={`Delete ${organization.organizationName}`}
          />
        </p>
      </ui.Section>,
    ],
  };
}

const memberTable = (context: ConsoleContext, members: readonly Member[]): JsxNode => (
  <ui.Table
    label="People"
    rows={members}
    columns={[
      {
        title: "Person",
        kind: "wide",
        of: ({ person }) => (
          <span class="stack">
            <b>
              {person.name}
              {person.personId === context.person.personId && " (you)"}
            </b>
            <span class="faint">{person.email}</span>
          </span>
        ),
      },
      {
        title: "Second factor",
        of: ({ person }) =>
          person.passwordHash === undefined ? (
            <span class="faint">single sign-on</span>
          ) : person.totpSecret === undefined ? (
            <span class="faint">off</span>
          ) : (
            <ui.Badge kind="good">On</ui.Badge>
          ),
      },
      { title: "Last seen", kind: "number", of: ({ lastSeenAt }) => <ui.Time at={lastSeenAt} /> },
      {
        title: "Role",
        of: ({ person, role }) => (
          <ui.Form action={`${peoplePath}/${person.personId}/role`} context={context} class="filter">
            <select name="role" aria-label={`Role of ${person.name}`}>
              <ui.Options options={roles.map((name) => [name, name])} chosen={role} />
            </select>
            <ui.Button kind="plain" label="Save" />
          </ui.Form>
        ),
      },
      {
        title: "Action",
        kind: "action",
        of: ({ person }) => (
          <span class="line">
            <ui.Action action={`${peoplePath}/${person.personId}/log-out`} context={context} label="Log out" />
            <ui.LinkButton href={`${peoplePath}/${person.personId}/remove`} label="Remove" />
          </span>
        ),
      },
    ]}
  />
);

const invitesSection = (context: ConsoleContext, invites: readonly Invite[]): JsxNode => (
  <ui.Section title="Invited">
    <ui.Table
      label="Invited"
      rows={invites}
      columns={[
        { title: "Email", kind: "wide", of: ({ email }) => email || <span class="faint">whoever has the link</span> },
        { title: "Role", of: ({ role }) => role },
        { title: "Expires", kind: "number", of: ({ endsAt }) => <ui.Time at={endsAt} /> },
        {
          title: "Action",
          kind: "action",
          of: ({ inviteId }) => (
            <ui.Action
              action={`${peoplePath}/withdraw`}
              context={context}
              hidden={{ invite: inviteId }}
              label="Withdraw"
            />
          ),
        },
      ]}
    />
  </ui.Section>
);

export async function invite(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, form, organizationId, by } = context;
  const { people } = context.store;
  const email = (form.get("email") ?? "").trim().toLowerCase();
  const role = roles.find((name) => name === form.get("role"));
  if (!isEmailAddress(email))
    return showPeople(context, { errors: { email: "Enter an email address such as ada@example.com." } });
  if (!role) return showPeople(context, { errors: { role: "Choose a role." } });
  if ((await people.members(organizationId)).some(({ person }) => person.email === email))
    return showPeople(context, { errors: { email: "This person is already a member. Change the role above." } });
  const endsAt = new Date(deps.now() + dayMs);
  const { secret } = await people.invite({ email, organizationId, role, endsAt }, by);
  return showPeople(context, { link: { email, url: `${deps.publicUrl}/console/invite/${secret}` } });
}

export async function withdrawInvite({ store, form, organizationId, by }: ConsoleContext): Promise<ConsoleAnswer> {
  const isWithdrawn = await store.people.withdrawInvite(organizationId, form.get("invite") ?? "", by);
  return isWithdrawn ? toPeople("The invitation is withdrawn.") : "not-found";
}

const toPeople = (notice: string): ConsoleAnswer => ({ redirect: peoplePath, notice });

/** A handler for the member of the organization whom the address names. */
export const forMember = forObject(async ({ store, params, organizationId }): Promise<Member | undefined> => {
  const members = await store.people.members(organizationId);
  return members.find(({ person }) => person.personId === params["id"]);
});

export async function changeRole(context: ConsoleContext, member: Member): Promise<ConsoleAnswer> {
  const { store, form, organizationId, by } = context;
  const role = roles.find((name) => name === form.get("role"));
  if (!role) return "not-found";
  const { personId, name } = member.person;
  if (role === member.role) return toPeople("Nothing has changed.");
  const result = await store.people.setRole(organizationId, personId, role, by);
  if (result === "unknown") return "not-found";
  return toPeople(result === "last owner" ? lastOwner : `${name} is ${role} now, and logs in again.`);
}

const lastOwner = "Nothing has changed: someone else must become an owner first.";

export async function logOutMember({ store, by }: ConsoleContext, { person }: Member): Promise<ConsoleAnswer> {
  await store.people.endSessions(person.personId, undefined, by);
  return toPeople(`${person.name} is logged out everywhere.`);
}

/** Asks before somebody is removed. */
export function askToRemove(context: ConsoleContext, { person }: Member): ConsoleAnswer {
  const { name, email, personId } = person;
  return {
    title: `Remove ${name}`,
    page: [
      <ui.PageHead
        back={["People", peoplePath]}
        title={`Remove ${name}?`}
        lead={`${email} can no longer open the console of ${context.organization.organizationName}.`}
      />,
      <ui.Form action={`${peoplePath}/${personId}/remove`} context={context}>
        <p>
          Somebody without another organization loses the account: address, password, second factor and sessions are
          deleted. The audit log keeps the name, unless you erase it there, too.
        </p>
        <div class="form-actions">
          <ui.Button kind="danger" label="Remove" />
          <ui.Button kind="danger" name="log" value="erase" label="Remove and erase from the log" />
        </div>
      </ui.Form>,
    ],
  };
}

export async function removeMember(context: ConsoleContext, member: Member): Promise<ConsoleAnswer> {
  const { store, organizationId, form, by } = context;
  const { personId, name } = member.person;
  const keepNames = form.get("log") !== "erase";
  const erased = await erase(store, { kind: "person", personId, onlyIn: organizationId, keepNames }, by);
  const isElsewhere = !("erasureId" in erased) && erased.kind === "elsewhere";
  const result = isElsewhere ? await store.people.setRole(organizationId, personId, undefined, by) : erased.kind;
  if (result === "unknown") return "not-found";
  if (result === "last owner") return toPeople(lastOwner);
  if (isElsewhere && !keepNames)
    return toPeople(
      `${name} is removed. The account stays, since it belongs to another organization, too; so does the name in the log.`,
    );
  return toPeople(`${name} is removed.`);
}
