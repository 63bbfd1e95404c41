import type { JsxChild } from "../../../lib/jsx/jsx-runtime.js";
import type { Person } from "../../jobs/index.js";
import { browserOf, cookie } from "../browser-request.js";
import * as ui from "../components/index.js";
import { isPassword } from "../password.js";
import type { ConsoleAnswer, ConsoleContext, OpenContext, PageAnswer } from "../route.js";
import { hashRecoveryCode, totpStep } from "../totp.js";
import { attemptLogin } from "./attempts.js";

interface DoorOptions {
  /** Default: the title. */
  readonly heading?: string;
  readonly status?: number;
}

/** A page for somebody who has not logged in yet. */
export const doorPage = (
  title: string,
  content: JsxChild,
  { heading = title, status }: DoorOptions = {},
): PageAnswer => ({
  title,
  status,
  full: true,
  page: (
    <div class="door">
      <h1>{heading}</h1>
      {content}
    </div>
  ),
});

export function showLogin({ deps, query, session }: OpenContext): ConsoleAnswer {
  const to = localPath(query.get("to"));
  return session?.stage === "open" ? { redirect: to } : loginPage(deps, { to });
}

interface LoginPage {
  readonly to: string;
  readonly email?: string;
  readonly problem?: string;
}

const loginPage = ({ oidc }: OpenContext["deps"], { to, email, problem }: LoginPage): PageAnswer =>
  doorPage(
    "Log in",
    [
      problem && <ui.Notice kind="bad">{problem}</ui.Notice>,
      oidc && (
        <ui.LinkButton
          href={`/console/login/oidc?to=${encodeURIComponent(to)}`}
          kind={oidc.only ? "primary" : "plain"}
          icon="lock"
          label="Continue with single sign-on"
        />
      ),
      oidc && !oidc.only && <p class="or">or</p>,
      !oidc?.only && [
        <ui.Form
          action="/console/login"
          hidden={{ to }}
          fields={[
            {
              name: "email",
              label: "Email",
              type: "email",
              value: email,
              autocomplete: "username",
              autofocus: !email,
              required: true,
            },
            {
              name: "password",
              label: "Password",
              type: "password",
              autocomplete: "current-password",
              autofocus: email !== undefined,
              required: true,
            },
          ]}
          submit="Log in"
        />,
        <p class="door-help">
          Cannot log in? The operator of the service can create a new link with <code>offprint console reset</code>.
        </p>,
      ],
    ],
    { status: problem === undefined ? undefined : 422 },
  );

/** Checks email and password. The answer does not tell whether the person exists. */
export async function logIn(context: OpenContext): Promise<ConsoleAnswer> {
  const { deps, store, form } = context;
  if (deps.oidc?.only) return "not-found";
  const to = localPath(form.get("to"));
  const email = (form.get("email") ?? "").trim().toLowerCase().slice(0, 254);
  const person = await attemptLogin(context, { factor: "password", email, byAddress: true }, async () => {
    const candidate = email === "" ? undefined : await store.people.personByEmail(email);
    const isRight = await isPassword(form.get("password") ?? "", candidate?.passwordHash, deps.passwordCost);
    const mayEnter = isRight && candidate && (await store.people.memberships(candidate.personId)).length > 0;
    return mayEnter ? candidate : undefined;
  });
  if (!person) return loginPage(deps, { to, email, problem: "The email or the password is wrong." });
  if (person.totpSecret === undefined) return openSession(context, person, to);
  return openSession(context, person, `/console/login/code?to=${encodeURIComponent(to)}`, { stage: "password" });
}

export async function logOut({ store, session, isSecure }: ConsoleContext): Promise<ConsoleAnswer> {
  await store.people.endSession(session.person.personId, session.sessionId);
  return { redirect: "/console/login", cookies: [cookie("session", "", isSecure)] };
}

/** Asks for the code of the second factor. */
export const showCode = ({ query, session }: OpenContext): ConsoleAnswer =>
  session?.stage === "password" ? codePage(localPath(query.get("to"))) : { redirect: "/console/login" };

const codePage = (to: string, problem?: string): PageAnswer =>
  doorPage(
    "Second factor",
    [
      <ui.Form
        action="/console/login/code"
        hidden={{ to }}
        fields={[
          {
            name: "code",
            label: "Code",
            hint: "The six digits of your authenticator app, or a recovery code.",
            autocomplete: "one-time-code",
            autofocus: true,
          },
        ]}
        errors={problem === undefined ? undefined : { code: problem }}
        submit="Continue"
      />,
      <p class="door-help">
        <a href="/console/login">Log in as somebody else</a>
      </p>,
    ],
    { status: problem === undefined ? undefined : 422 },
  );

/** Opens the session, if the code is right and has not been used. */
export async function checkCode(context: OpenContext): Promise<ConsoleAnswer> {
  const { form, session } = context;
  const to = localPath(form.get("to"));
  if (session?.stage !== "password") return { redirect: "/console/login" };
  const { person } = session;
  const isRight = await attemptLogin(
    context,
    { factor: "code", email: person.email, personId: person.personId },
    async () => (await useCode(context, person, form.get("code") ?? "")) || undefined,
  );
  if (!isRight) return codePage(to, "The code is wrong or has already been used. Enter the next one.");
  return openSession(context, person, to);
}

/** Whether the code is right and was not used before. */
async function useCode({ deps, store }: OpenContext, person: Person, code: string): Promise<boolean> {
  const { personId, totpSecret } = person;
  const step = totpSecret === undefined ? undefined : totpStep(totpSecret, code, deps.now());
  if (step !== undefined) return store.people.useTotpStep(personId, step);
  return store.people.useRecoveryCode(personId, hashRecoveryCode(code));
}

const sessionSeconds = 7 * 24 * 60 * 60;

interface OpenSessionOptions {
  readonly stage?: "password" | "open";
  /** See `NewSession.recheckMs`. */
  readonly recheckMs?: number;
}

/** Opens a session, which replaces the one that the browser had. */
export async function openSession(
  { store: { people }, request, isSecure, session, address }: OpenContext,
  person: Person,
  to: string,
  { stage = "open", recheckMs }: OpenSessionOptions = {},
) {
  if (session) await people.endSession(session.person.personId, session.sessionId);
  const secret = await people.createSession({
    personId: person.personId,
    stage,
    recheckMs,
    browser: browserOf(request.headers.get("User-Agent")),
    address,
    // Somebody whom the provider only confirms again stays in the current organization.
    organizationId: session?.person.personId === person.personId ? session.organizationId : undefined,
  });
  return { redirect: to, cookies: [cookie("session", secret, isSecure, sessionSeconds)] };
}

/** The path of the console to open after the login. Any other address is replaced by the first page. */
export const localPath = (to: string | null): string =>
  to !== null && /^\/console(?:[/?][\w/?&=.,:%+~-]*)?$/.test(to) && !to.includes("//") ? to : "/console";
