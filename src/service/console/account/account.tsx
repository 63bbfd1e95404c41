import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Person, Session } from "../../jobs/index.js";
import { cookie } from "../browser-request.js";
import * as ui from "../components/index.js";
import { counted } from "../format.js";
import { checkPassword } from "../login/attempts.js";
import { localPath } from "../login/login.js";
import { hashPassword, isPassword, passwordFault } from "../password.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const accountPath = "/console/account";
const yearSeconds = 365 * 24 * 60 * 60;

/** Name, password, second factor and sessions of the person. */
export async function showAccount(context: ConsoleContext, errors?: ui.FieldErrors): Promise<ConsoleAnswer> {
  const { store, person } = context;
  const sessions = await store.people.sessions(person.personId);
  const nameField = { name: "name", label: "Your name", value: person.name, autocomplete: "name" };
  return {
    title: "Your account",
    status: errors && 422,
    page: [
      <ui.PageHead title="Your account" lead={person.email} />,
      <ui.Section title="Name" wide>
        <ui.Form
          action={`${accountPath}/name`}
          context={context}
          fields={[nameField]}
          errors={errors}
          submit="Save"
          kind="plain"
        />
      </ui.Section>,
      person.passwordHash !== undefined && [
        <ui.Section title="Password" wide lead="A change logs out your other browsers.">
          <ui.Form
            action={`${accountPath}/password`}
            context={context}
            fields={[
              { ...ui.passwordField, label: "Current password" },
              {
                name: "new",
                label: "New password",
                type: "password",
                hint: "12 characters or more.",
                autocomplete: "new-password",
              },
            ]}
            errors={errors}
            submit="Change the password"
            kind="plain"
          />
        </ui.Section>,
        <SecondFactor person={person} />,
      ],
      sessionsSection(context, sessions),
    ],
  };
}

const SecondFactor = ({ person: { totpSecret, recoveryCodes } }: { readonly person: Person }): JsxNode => (
  <ui.Section
    title="Second factor"
    wide
    lead="An app on your phone shows a code for each login, so that a stolen password alone is not enough to log in."
  >
    <p class="line">
      {totpSecret === undefined ? <ui.Badge>Off</ui.Badge> : <ui.Badge kind="good">On</ui.Badge>}
      {totpSecret !== undefined && <span class="faint">{recoveryCodes.length} recovery codes left</span>}
      <ui.LinkButton href={`${accountPath}/second-factor`} label={totpSecret === undefined ? "Turn on" : "Turn off"} />
    </p>
  </ui.Section>
);

type Sessions = readonly Omit<Session, "memberships">[];

const sessionsSection = (context: ConsoleContext, sessions: Sessions): JsxNode => (
  <ui.Section
    title="Sessions"
    lead="Browsers in which you are logged in."
    actions={
      sessions.length > 1 && (
        <ui.Action action={`${accountPath}/sessions/others`} context={context} label="Log out all others" />
      )
    }
  >
    <ui.Table
      label="Sessions"
      rows={sessions}
      columns={[
        {
          title: "Browser",
          kind: "wide",
          of: ({ browser, sessionId }) => (
            <span class="line">
              {browser}
              {sessionId === context.session.sessionId && <ui.Badge kind="good">This one</ui.Badge>}
            </span>
          ),
        },
        { title: "Logged in", kind: "number", of: ({ createdAt }) => <ui.Time at={createdAt} /> },
        { title: "Last used", kind: "number", of: ({ seenAt }) => <ui.Time at={seenAt} /> },
        {
          title: "Action",
          kind: "action",
          of: ({ sessionId }) =>
            sessionId !== context.session.sessionId && (
              <ui.Action
                action={`${accountPath}/sessions/end`}
                context={context}
                hidden={{ session: sessionId }}
                label="Log out"
              />
            ),
        },
      ]}
    />
  </ui.Section>
);

export async function changeName(context: ConsoleContext): Promise<ConsoleAnswer> {
  const name = (context.form.get("name") ?? "").trim();
  if (name === "" || name.length > 100)
    return showAccount(context, { name: "The name must have 1 to 100 characters." });
  await context.store.people.changePerson(context.person.personId, { name }, context.by);
  return { redirect: accountPath, notice: "Your name is saved." };
}

export async function changePassword(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, form, person, session } = context;
  const { people } = context.store;
  const problem = await checkPassword(context);
  if (problem !== undefined) return showAccount(context, { password: problem });
  const newPassword = form.get("new") ?? "";
  const fault = passwordFault(newPassword, person.email);
  if (fault !== undefined) return showAccount(context, { new: fault });
  if (await isPassword(newPassword, person.passwordHash))
    return showAccount(context, { new: "This is your old password." });
  const passwordHash = await hashPassword(newPassword, deps.passwordCost);
  await people.changePerson(person.personId, { passwordHash }, context.by);
  const ended = await people.endSessions(person.personId, session.sessionId);
  const others = ended === 0 ? "" : ` ${counted(ended, "other session has", "other sessions have")} ended.`;
  return { redirect: accountPath, notice: `The password is changed.${others}` };
}

export async function endSession({ store, form, person }: ConsoleContext): Promise<ConsoleAnswer> {
  const ended = await store.people.endSession(person.personId, form.get("session") ?? "");
  return ended ? { redirect: accountPath, notice: "That browser is logged out." } : "not-found";
}

export async function endOtherSessions({ store, person, session }: ConsoleContext): Promise<ConsoleAnswer> {
  await store.people.endSessions(person.personId, session.sessionId);
  return { redirect: accountPath, notice: "Your other browsers are logged out." };
}

/** Chooses light or dark colours in this browser, or those of the system. */
export function chooseMode({ isSecure, form }: ConsoleContext): ConsoleAnswer {
  const mode = form.get("mode");
  return {
    redirect: localPath(form.get("to")),
    cookies: [cookie("mode", mode === "light" || mode === "dark" ? mode : "", isSecure, yearSeconds)],
  };
}

/** Switches to another organization of the person. */
export async function chooseOrganization({ store, form, session }: ConsoleContext): Promise<ConsoleAnswer> {
  const membership = session.memberships.find(({ organizationId }) => organizationId === form.get("organization"));
  if (!membership) return "not-found";
  await store.people.chooseOrganization(session.sessionId, membership.organizationId);
  return { redirect: "/console" };
}
