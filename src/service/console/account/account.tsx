import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Person, Session } from "../../jobs/index.js";
import { cookie, transportOf } from "../browser-request.js";
import {
  Action,
  Badge,
  Button,
  Field,
  type FieldErrors,
  Form,
  PageHead,
  Section,
  Table,
  Time,
} from "../components/index.js";
import { counted } from "../format.js";
import { checkPassword } from "../login/attempts.js";
import { localPath } from "../login/open-session.js";
import { hashPassword, isPassword, passwordFault } from "../password.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

/** Name, password, second factor and sessions of the person. */
export async function showAccount(context: ConsoleContext): Promise<ConsoleAnswer> {
  return accountPage(context);
}

async function accountPage(
  { deps, person, csrf, session, form }: ConsoleContext,
  errors: FieldErrors = {},
): Promise<ConsoleAnswer> {
  const sessions = await deps.store.people.sessions(person.personId);
  return {
    title: "Your account",
    status: Object.keys(errors).length > 0 ? 422 : 200,
    page: [
      <PageHead title="Your account" lead={person.email} />,
      <Section title="Name" wide>
        <Form action="/console/account/name" csrf={csrf}>
          <Field
            name="name"
            label="Your name"
            value={form.get("name") ?? person.name}
            errors={errors}
            autocomplete="name"
          />
          <Button kind="plain">Save</Button>
        </Form>
      </Section>,
      person.passwordHash !== undefined && (
        <Section title="Password" wide lead="A change logs out your other browsers.">
          <Form action="/console/account/password" csrf={csrf}>
            <Field
              name="password"
              label="Current password"
              type="password"
              errors={errors}
              autocomplete="current-password"
            />
            <Field
              name="new"
              label="New password"
              type="password"
              hint="12 characters or more."
              errors={errors}
              autocomplete="new-password"
            />
            <Button kind="plain">Change the password</Button>
          </Form>
        </Section>
      ),
      person.passwordHash !== undefined && <SecondFactor person={person} />,
      <Sessions sessions={sessions} current={session.sessionId} csrf={csrf} />,
    ],
  };
}

const SecondFactor = ({ person: { totpSecret, recoveryCodes } }: { readonly person: Person }): JsxNode => (
  <Section
    title="Second factor"
    wide
    lead="An app on your phone shows a code for each login. With it, a stolen password alone opens nothing."
  >
    <p class="line">
      {totpSecret === undefined ? <Badge>Off</Badge> : <Badge kind="good">On</Badge>}
      {totpSecret !== undefined && <span class="faint">{recoveryCodes.length} recovery codes left</span>}
      <a class="button button-plain" href="/console/account/second-factor">
        {totpSecret === undefined ? "Turn on" : "Turn off"}
      </a>
    </p>
  </Section>
);

interface SessionsProps {
  readonly sessions: readonly Omit<Session, "memberships">[];
  readonly current: string;
  readonly csrf: string;
}

const Sessions = ({ sessions, current, csrf }: SessionsProps): JsxNode => (
  <Section
    title="Sessions"
    lead="Browsers in which you are logged in."
    actions={
      sessions.length > 1 && (
        <Action action="/console/account/sessions/others" csrf={csrf}>
          Log out all others
        </Action>
      )
    }
  >
    <Table
      label="Sessions"
      rows={sessions}
      columns={[
        {
          title: "Browser",
          kind: "wide",
          of: ({ browser, sessionId }) => (
            <span class="line">
              {browser}
              {sessionId === current && <Badge kind="good">This one</Badge>}
            </span>
          ),
        },
        { title: "Logged in", kind: "number", of: ({ createdAt }) => <Time at={createdAt} /> },
        { title: "Last used", kind: "number", of: ({ seenAt }) => <Time at={seenAt} /> },
        {
          title: "Action",
          kind: "action",
          of: ({ sessionId }) =>
            sessionId !== current && (
              <Action action="/console/account/sessions/end" csrf={csrf} fields={{ session: sessionId }}>
                Log out
              </Action>
            ),
        },
      ]}
    />
  </Section>
);

export async function changeName(context: ConsoleContext): Promise<ConsoleAnswer> {
  const name = (context.form.get("name") ?? "").trim();
  if (name === "" || name.length > 100) return accountPage(context, { name: "A name has 1 to 100 characters." });
  await context.deps.store.people.changePerson(context.person.personId, { name }, context.by);
  return { redirect: "/console/account", notice: "Your name is saved." };
}

export async function changePassword(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, form, person, session } = context;
  const problem = await checkPassword(context);
  if (problem !== undefined) return accountPage(context, { password: problem });
  const wanted = form.get("new") ?? "";
  const fault = passwordFault(wanted, person.email);
  if (fault !== undefined) return accountPage(context, { new: fault });
  if (await isPassword(wanted, person.passwordHash)) return accountPage(context, { new: "This is the old one." });
  const { people } = deps.store;
  const passwordHash = await hashPassword(wanted, deps.passwordCost);
  await people.changePerson(person.personId, { passwordHash }, context.by);
  const ended = await people.endSessions(person.personId, session.sessionId);
  const others = ended === 0 ? "" : ` ${counted(ended, "other session has", "other sessions have")} ended.`;
  return { redirect: "/console/account", notice: `The password is changed.${others}` };
}

export async function endSession({ deps, form, person }: ConsoleContext): Promise<ConsoleAnswer> {
  const ended = await deps.store.people.endSession(person.personId, form.get("session") ?? "");
  return ended ? { redirect: "/console/account", notice: "That browser is logged out." } : "not-found";
}

export async function endOtherSessions({ deps, person, session }: ConsoleContext): Promise<ConsoleAnswer> {
  await deps.store.people.endSessions(person.personId, session.sessionId);
  return { redirect: "/console/account", notice: "Your other browsers are logged out." };
}

const yearSeconds = 365 * 24 * 60 * 60;

/** Light or dark colours in this browser, or those of the system. */
export async function chooseMode({ deps, request, form }: ConsoleContext): Promise<ConsoleAnswer> {
  const mode = form.get("mode");
  const isSecure = transportOf(request, deps.publicUrl) === "secure";
  return {
    redirect: localPath(form.get("to")),
    cookies: [cookie("mode", mode === "light" || mode === "dark" ? mode : "", isSecure, yearSeconds)],
  };
}

/** Looks at another organization of the person. */
export async function chooseOrganization({ deps, form, session }: ConsoleContext): Promise<ConsoleAnswer> {
  const wanted = session.memberships.find(({ organizationId }) => organizationId === form.get("organization"));
  if (!wanted) return "not-found";
  await deps.store.people.chooseOrganization(session.sessionId, wanted.organizationId);
  return { redirect: "/console" };
}
