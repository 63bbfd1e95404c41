import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Person } from "../../jobs/index.js";
import { Button, Field, Form, Icon, Notice } from "../components/index.js";
import { isPassword } from "../password.js";
import type { ConsoleAnswer, OpenContext } from "../route.js";
import { hashRecoveryCode, totpStep } from "../totp.js";
import { attemptLogin } from "./attempts.js";
import { localPath, openSession } from "./open-session.js";

export async function showLogin({ deps, query, session }: OpenContext): Promise<ConsoleAnswer> {
  const to = localPath(query.get("to"));
  if (session?.stage === "open") return { redirect: to };
  return loginPage(deps, { to });
}

interface LoginPage {
  readonly to: string;
  readonly email?: string;
  readonly problem?: string;
  readonly status?: number;
}

const loginPage = ({ oidc }: OpenContext["deps"], { to, email, problem, status }: LoginPage): ConsoleAnswer => ({
  title: "Log in",
  status,
  full: true,
  page: (
    <div class="door">
      <h1>Log in</h1>
      {problem && <Notice kind="bad">{problem}</Notice>}
      {oidc && (
        <a
          class={oidc.only ? "button button-primary" : "button button-plain"}
          href={`/console/login/oidc?to=${encodeURIComponent(to)}`}
        >
          <Icon name="lock" /> Continue with single sign-on
        </a>
      )}
      {oidc && !oidc.only && <p class="or">or</p>}
      {!oidc?.only && <PasswordForm to={to} email={email} />}
    </div>
  ),
});

const PasswordForm = ({ to, email }: Pick<LoginPage, "to" | "email">): JsxNode => (
  <>
    <Form action="/console/login">
      <input type="hidden" name="to" value={to} />
      <Field
        name="email"
        label="Email"
        type="email"
        value={email}
        autocomplete="username"
        autofocus={!email}
        required
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        autofocus={email !== undefined}
        required
      />
      <Button>Log in</Button>
    </Form>
    <p class="door-help">
      Cannot log in? Whoever runs the service makes a new link with <code>offprint console reset</code>.
    </p>
  </>
);

/** Checks email and password. The answer does not tell whether the person exists. */
export async function logIn(context: OpenContext): Promise<ConsoleAnswer> {
  const { deps, form } = context;
  const { people } = deps.store;
  if (deps.oidc?.only) return "not-found";
  const to = localPath(form.get("to"));
  const email = (form.get("email") ?? "").trim().toLowerCase().slice(0, 254);
  const person = await attemptLogin(context, { factor: "password", email, byAddress: true }, async () => {
    const candidate = email === "" ? undefined : await people.personByEmail(email);
    const isRight = await isPassword(form.get("password") ?? "", candidate?.passwordHash, deps.passwordCost);
    const mayEnter = isRight && candidate && (await people.memberships(candidate.personId)).length > 0;
    return mayEnter ? candidate : undefined;
  });
  if (!person) return loginPage(deps, { to, email, status: 422, problem: "The email or the password is wrong." });
  if (person.totpSecret === undefined) return openSession(context, person, to);
  return openSession(context, person, `/console/login/code?to=${encodeURIComponent(to)}`, { stage: "password" });
}

/** Asks for the code of the second factor. */
export async function showCode({ query, session }: OpenContext): Promise<ConsoleAnswer> {
  const to = localPath(query.get("to"));
  return session?.stage === "password" ? codePage(to) : { redirect: "/console/login" };
}

const codePage = (to: string, problem?: string): ConsoleAnswer => ({
  title: "Second factor",
  status: problem === undefined ? 200 : 422,
  full: true,
  page: (
    <div class="door">
      <h1>Second factor</h1>
      <Form action="/console/login/code">
        <input type="hidden" name="to" value={to} />
        <Field
          name="code"
          label="Code"
          hint="The six digits of your authenticator app, or a recovery code."
          errors={problem === undefined ? {} : { code: problem }}
          autocomplete="one-time-code"
          autofocus
        />
        <Button>Continue</Button>
      </Form>
      <p class="door-help">
        <a href="/console/login">Log in as somebody else</a>
      </p>
    </div>
  ),
});

/** Opens the session with a code that has not been used. */
export async function checkCode(context: OpenContext): Promise<ConsoleAnswer> {
  const { form, session } = context;
  const to = localPath(form.get("to"));
  if (session?.stage !== "password") return { redirect: "/console/login" };
  const { person } = session;
  const isRight = await attemptLogin(
    context,
    { factor: "code", email: person.email, personId: person.personId },
    async () => (await isFresh(context, person, form.get("code") ?? "")) || undefined,
  );
  if (!isRight) return codePage(to, "The code is wrong, or has been used. Take the next one.");
  return openSession(context, person, to);
}

async function isFresh({ deps }: OpenContext, { personId, totpSecret }: Person, code: string): Promise<boolean> {
  const { people } = deps.store;
  const step = totpSecret === undefined ? undefined : totpStep(totpSecret, code, deps.now());
  if (step !== undefined) return people.useTotpStep(personId, step);
  return people.useRecoveryCode(personId, hashRecoveryCode(code));
}
