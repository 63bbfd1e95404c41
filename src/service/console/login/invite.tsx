import type { Invite } from "../../jobs/index.js";
import * as ui from "../components/index.js";
import { isEmailAddress } from "../format.js";
import { hashPassword, passwordFault } from "../password.js";
import type { ConsoleAnswer, OpenContext, PageAnswer } from "../route.js";
import { doorPage, openSession } from "./login.js";

/** Shows the page behind the link of an invite, which asks for a name and a password, or for a new password. */
export async function showInvite(context: OpenContext): Promise<ConsoleAnswer> {
  const invite = await inviteOf(context);
  return invite ? invitePage(context, invite) : expiredPage();
}

const inviteOf = ({ store, params }: OpenContext): Promise<Invite | undefined> =>
  store.people.findInvite(params["secret"]!);

/** Whether the invited person has an account, which then joins the organization. */
async function isMember({ store: { people } }: OpenContext, { kind, email }: Invite): Promise<boolean> {
  if (kind === "reset" || email === "") return false;
  const person = await people.personByEmail(email);
  return person !== undefined && (await people.memberships(person.personId)).length > 0;
}

async function invitePage(context: OpenContext, invite: Invite, errors?: ui.FieldErrors): Promise<ConsoleAnswer> {
  const { deps, store, form, params, session } = context;
  const { kind, email, organizationId, role } = invite;
  const action = `/console/invite/${params["secret"]}`;
  const organization = organizationId && (await store.accounts.organizationById(organizationId))?.name;
  if (await isMember(context, invite)) {
    const isThem = session?.stage === "open" && session.person.email === email;
    return doorPage(`Join ${organization}`, [
      <p>
        You become {role} of <b>{organization}</b> with your account <b>{email}</b>.
      </p>,
      isThem ? (
        <ui.Form action={action} submit="Join" />
      ) : (
        <ui.LinkButton href={`/console/login?to=${encodeURIComponent(action)}`} kind="primary" label="Log in to join" />
      ),
    ]);
  }
  const welcome = `Welcome to ${email === "" ? "Offprint" : organization}`;
  if (deps.oidc?.only)
    return doorPage(
      "Welcome",
      [
        <p class="lead">
          You become {role}. Log in as {email}.
        </p>,
        <ui.LinkButton href="/console/login/oidc" kind="primary" label="Continue with single sign-on" />,
      ],
      { heading: welcome },
    );
  const isReset = kind === "reset";
  return doorPage(
    isReset ? "New password" : "Welcome",
    [
      <p class="lead">
        {isReset
          ? `For ${email}. You are logged out everywhere, and a second factor is turned off.`
          : email === ""
            ? "You become the owner and can invite others."
            : `You become ${role}, as ${email}.`}
      </p>,
      <ui.Form
        action={action}
        context={{ form }}
        fields={[
          !isReset &&
            email === "" && {
              name: "email",
              label: "Email",
              type: "email",
              autocomplete: "username",
              autofocus: true,
            },
          !isReset && { name: "name", label: "Your name", autocomplete: "name", autofocus: email !== "" },
          {
            name: "password",
            label: "Password",
            type: "password",
            hint: "12 characters or more. A few words are easy to remember.",
            autocomplete: "new-password",
            autofocus: isReset,
          },
        ]}
        errors={errors}
        submit={isReset ? "Save the password" : "Open the console"}
      />,
    ],
    { heading: isReset ? "Choose a new password" : welcome, status: errors && 422 },
  );
}

const expiredPage = (): PageAnswer =>
  doorPage(
    "This link cannot be used",
    [
      <p>It has already been used, or is older than 24 hours. Ask the sender for a new one.</p>,
      <ui.LinkButton href="/console/login" label="Log in" />,
    ],
    { status: 404 },
  );

export async function acceptInvite(context: OpenContext): Promise<ConsoleAnswer> {
  const { deps, form, params, session } = context;
  const { people } = context.store;
  const invite = await inviteOf(context);
  if (!invite) return expiredPage();
  if (await isMember(context, invite)) {
    if (session?.stage !== "open" || session.person.email !== invite.email) return invitePage(context, invite);
    const joined = await people.acceptInvite(params["secret"]!, { personId: session.person.personId });
    if (!joined) return expiredPage();
    const joinedAs = (await people.memberships(joined.personId)).find(
      ({ organizationId }) => organizationId === invite.organizationId,
    )?.role;
    if (joinedAs !== invite.role)
      return { redirect: "/console", notice: `You stay ${joinedAs}, since nobody else is an owner.` };
    await people.chooseOrganization(session.sessionId, invite.organizationId!);
    return { redirect: "/console", notice: "Welcome." };
  }
  if (deps.oidc?.only) return "not-found";
  const name = (form.get("name") ?? "").trim().slice(0, 100);
  const email = invite.email || (form.get("email") ?? "").trim();
  const password = form.get("password") ?? "";
  const errors: Record<string, string> = {};
  if (!isEmailAddress(email)) errors["email"] = "Enter an email address such as ada@example.com.";
  else if (invite.email === "" && (await people.personByEmail(email)))
    errors["email"] = "This email address is already in use. Use another one, or log in.";
  if (invite.kind === "invite" && name === "") errors["name"] = "Enter your name as others know it.";
  const fault = passwordFault(password, email);
  if (fault !== undefined) errors["password"] = fault;
  if (Object.keys(errors).length > 0) return invitePage(context, invite, errors);
  const person = await people.acceptInvite(params["secret"]!, {
    name,
    email,
    passwordHash: await hashPassword(password, deps.passwordCost),
  });
  if (!person) return expiredPage();
  return { ...(await openSession(context, person, "/console")), notice: "Welcome." };
}
