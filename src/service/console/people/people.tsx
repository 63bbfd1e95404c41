import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { erase } from "../../erase.js";
import { type Invite, type Member, type Role, roles } from "../../jobs/index.js";
import {
  Action,
  Badge,
  Button,
  Command,
  Field,
  type FieldErrors,
  Form,
  Notice,
  PageHead,
  Section,
  Table,
  Time,
} from "../components/index.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const dayMs = 24 * 60 * 60_000;

const roleTexts: readonly (readonly [Role, string])[] = [
  ["owner", "Owner: people, keys, removal"],
  ["editor", "Editor: sites, exports, conversations"],
  ["reader", "Reader: looks only"],
];

/** Who may enter the organization, and who is invited. */
export async function showPeople(context: ConsoleContext): Promise<ConsoleAnswer> {
  return peoplePage(context);
}

interface PeoplePage {
  readonly errors?: FieldErrors;
  /** A new invite with its link, shown this once. */
  readonly link?: { readonly email: string; readonly url: string };
}

async function peoplePage(context: ConsoleContext, { errors = {}, link }: PeoplePage = {}): Promise<ConsoleAnswer> {
  const { deps, organization, person, csrf, form } = context;
  const { people } = deps.store;
  const [members, invites] = await Promise.all([
    people.members(organization.organizationId),
    people.invites(organization.organizationId),
  ]);
  return {
    title: "People",
    status: Object.keys(errors).length > 0 ? 422 : 200,
    page: [
      <PageHead title="People" lead={`Who may open the console of ${organization.organizationName}.`} />,
      link && (
        <Notice kind="good">
          <p>Send this link to {link.email}. It works once, for 24 hours, and is not shown again.</p>
          <Command text={link.url} />
        </Notice>
      ),
      <Members members={members} self={person.personId} csrf={csrf} />,
      invites.length > 0 && <Invites invites={invites} csrf={csrf} />,
      <Section title="Invite somebody" wide lead="You get a link, which you send to them yourself.">
        <Form action="/console/people" csrf={csrf}>
          <Field
            name="email"
            label="Email"
            type="email"
            value={errors["email"] ? (form.get("email") ?? "") : ""}
            errors={errors}
          />
          <Field name="role" label="Role" options={roleTexts} value={form.get("role") ?? "reader"} errors={errors} />
          <Button>Make a link</Button>
        </Form>
      </Section>,
      <Section title="Delete the organization" wide lead="With all its sites, exports, keys and people, for good.">
        <p>
          <a class="button button-danger" href="/console/organization/delete">
            {`Delete ${organization.organizationName}`}
          </a>
        </p>
      </Section>,
    ],
  };
}

interface MembersProps {
  readonly members: readonly Member[];
  readonly self: string;
  readonly csrf: string;
}

const Members = ({ members, self, csrf }: MembersProps): JsxNode => (
  <Table
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
              {person.personId === self && " (you)"}
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
            <Badge kind="good">On</Badge>
          ),
      },
      { title: "Last seen", kind: "number", of: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
      {
        title: "Role",
        of: ({ person, role }) => (
          <Form action={`/console/people/${person.personId}/role`} csrf={csrf} class="filter">
            <select name="role" aria-label={`Role of ${person.name}`}>
              {roles.map((each) => (
                <option value={each} selected={each === role}>
                  {each}
                </option>
              ))}
            </select>
            <Button kind="plain">Save</Button>
          </Form>
        ),
      },
      {
        title: "Action",
        kind: "action",
        of: ({ person }) => (
          <span class="line">
            <Action action={`/console/people/${person.personId}/log-out`} csrf={csrf}>
              Log out
            </Action>
            <a class="button button-plain" href={`/console/people/${person.personId}/remove`}>
              Remove
            </a>
          </span>
        ),
      },
    ]}
  />
);

const Invites = ({ invites, csrf }: { readonly invites: readonly Invite[]; readonly csrf: string }): JsxNode => (
  <Section title="Invited">
    <Table
      label="Invited"
      rows={invites}
      columns={[
        { title: "Email", kind: "wide", of: ({ email }) => email || <span class="faint">whoever has the link</span> },
        { title: "Role", of: ({ role }) => role },
        { title: "Expires", kind: "number", of: ({ endsAt }) => <Time at={endsAt} /> },
        {
          title: "Action",
          kind: "action",
          of: ({ inviteId }) => (
            <Action action="/console/people/withdraw" csrf={csrf} fields={{ invite: inviteId }}>
              Withdraw
            </Action>
          ),
        },
      ]}
    />
  </Section>
);

export async function invite(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, form, organization } = context;
  const { people } = deps.store;
  const { organizationId } = organization;
  const email = (form.get("email") ?? "").trim().toLowerCase();
  const role = roles.find((each) => each === form.get("role"));
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email))
    return peoplePage(context, { errors: { email: "Write an address such as ada@example.com." } });
  if (!role) return peoplePage(context, { errors: { role: "Choose a role." } });
  if ((await people.members(organizationId)).some(({ person }) => person.email === email))
    return peoplePage(context, { errors: { email: "This person is here already. Change the role above." } });
  const endsAt = new Date(deps.now() + dayMs);
  const { secret } = await people.invite({ email, organizationId, role, endsAt }, context.by);
  return peoplePage(context, { link: { email, url: `${deps.publicUrl}/console/invite/${secret}` } });
}

export async function withdrawInvite(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, form, organization } = context;
  const inviteId = form.get("invite") ?? "";
  const isWithdrawn = await deps.store.people.withdrawInvite(organization.organizationId, inviteId, context.by);
  if (!isWithdrawn) return "not-found";
  return { redirect: "/console/people", notice: "The invite is withdrawn." };
}

/** The member that the address names. */
async function memberOf({ deps, params, organization }: ConsoleContext): Promise<Member | undefined> {
  const members = await deps.store.people.members(organization.organizationId);
  return members.find(({ person }) => person.personId === params["id"]);
}

export async function changeRole(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, form, organization } = context;
  const member = await memberOf(context);
  const role = roles.find((each) => each === form.get("role"));
  if (!member || !role) return "not-found";
  const { person } = member;
  if (role === member.role) return { redirect: "/console/people", notice: "Nothing has changed." };
  const result = await deps.store.people.setRole(organization.organizationId, person.personId, role, context.by);
  if (result === "unknown") return "not-found";
  if (result === "last owner") return { redirect: "/console/people", notice: lastOwner };
  return { redirect: "/console/people", notice: `${person.name} is ${role} now, and logs in again.` };
}

const lastOwner = "Nothing has changed: somebody else must be an owner first.";

export async function logOutMember(context: ConsoleContext): Promise<ConsoleAnswer> {
  const member = await memberOf(context);
  if (!member) return "not-found";
  const { personId, name } = member.person;
  await context.deps.store.people.endSessions(personId, undefined, context.by);
  return { redirect: "/console/people", notice: `${name} is logged out everywhere.` };
}

/** Asks before somebody is removed. */
export async function askToRemove(context: ConsoleContext): Promise<ConsoleAnswer> {
  const member = await memberOf(context);
  if (!member) return "not-found";
  const { name, email, personId } = member.person;
  return {
    title: `Remove ${name}`,
    page: [
      <PageHead
        back={["People", "/console/people"]}
        title={`Remove ${name}?`}
        lead={`${email} can no longer open the console of ${context.organization.organizationName}.`}
      />,
      <Form action={`/console/people/${personId}/remove`} csrf={context.csrf}>
        <p>
          Somebody without another organization loses the account: address, password, second factor and sessions are
          deleted. The audit log keeps the name, unless you erase it there, too.
        </p>
        <div class="form-actions">
          <Button kind="danger">Remove</Button>
          <Button kind="danger" name="log" value="erase">
            Remove and erase from the log
          </Button>
        </div>
      </Form>,
    ],
  };
}

export async function removeMember(context: ConsoleContext): Promise<ConsoleAnswer> {
  const member = await memberOf(context);
  if (!member) return "not-found";
  const { personId, name } = member.person;
  const { deps, organization, by } = context;
  const { organizationId } = organization;
  const keepNames = context.form.get("log") !== "erase";
  const target = { kind: "person", personId, onlyIn: organizationId, keepNames } as const;
  const erased = await erase(deps.store, target, by);
  const isElsewhere = !("erasureId" in erased) && erased.kind === "elsewhere";
  const result = isElsewhere ? await deps.store.people.setRole(organizationId, personId, undefined, by) : erased.kind;
  if (result === "unknown") return "not-found";
  if (result === "last owner") return { redirect: "/console/people", notice: lastOwner };
  if (isElsewhere && !keepNames)
    return {
      redirect: "/console/people",
      notice: `${name} is removed. The account stays, since it belongs to another organization, too; so does the name in the log.`,
    };
  return { redirect: "/console/people", notice: `${name} is removed.` };
}
