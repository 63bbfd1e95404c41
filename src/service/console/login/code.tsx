import type { Person } from "../../jobs/index.js";
import { Button, Field, Form } from "../parts/index.js";
import type { ConsoleAnswer, OpenContext } from "../route.js";
import { hashRecoveryCode, totpStep } from "../totp.js";
import { attemptLogin } from "./attempts.js";
import { localPath } from "./local-path.js";
import { openSession } from "./open-session.js";

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
