import { encode } from "uqr";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { Button, Command, Field, type FieldErrors, Form, Notice, PageHead } from "../components/index.js";
import { checkPassword } from "../login/attempts.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { hashRecoveryCode, isTotpSecret, newRecoveryCodes, newTotpSecret, totpAddress, totpStep } from "../totp.js";

const path = "/console/account/second-factor";
const back = ["Your account", "/console/account"] as const;

/** Turns the second factor on or off. */
export async function showSecondFactor(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { passwordHash, totpSecret } = context.person;
  if (passwordHash === undefined) return "not-found";
  return totpSecret === undefined ? onPage(context, newTotpSecret()) : offPage(context);
}

const password = (errors: FieldErrors) => (
  <Field name="password" label="Your password" type="password" errors={errors} autocomplete="current-password" />
);

/** The secret is stored only once a code shows that the app has it. */
const onPage = ({ csrf, person }: ConsoleContext, secret: string, errors: FieldErrors = {}): ConsoleAnswer => ({
  title: "Second factor",
  status: Object.keys(errors).length > 0 ? 422 : 200,
  page: [
    <PageHead title="Turn on the second factor" back={back} />,
    <ol class="steps">
      <li>
        <p>
          Scan this code with an authenticator app on your phone, or{" "}
          <a href={totpAddress(person.email, secret)}>open the app</a> on this device.
        </p>
        <QrPicture text={totpAddress(person.email, secret)} label="The key below as a QR code" />
        <p>An app without a camera takes the key itself:</p>
        <Command text={secret.replace(/(.{4})(?=.)/g, "$1 ")} />
      </li>
      <li>
        <p>Then write the code that it shows.</p>
        <Form action={path} csrf={csrf}>
          <input type="hidden" name="secret" value={secret} />
          <Field name="code" label="Code" errors={errors} autocomplete="one-time-code" inputmode="numeric" />
          {password(errors)}
          <Button>Turn on</Button>
        </Form>
      </li>
    </ol>,
  ],
});

const offPage = ({ csrf }: ConsoleContext, errors: FieldErrors = {}): ConsoleAnswer => ({
  title: "Second factor",
  status: Object.keys(errors).length > 0 ? 422 : 200,
  page: [
    <PageHead title="Turn off the second factor" lead="Then your password alone opens the console." back={back} />,
    <Form action={path} csrf={csrf}>
      {password(errors)}
      <Button kind="danger">Turn off</Button>
    </Form>,
  ],
});

export async function changeSecondFactor(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, form, person } = context;
  const { people } = deps.store;
  if (person.passwordHash === undefined) return "not-found";
  if (person.totpSecret !== undefined) {
    const problem = await checkPassword(context);
    if (problem !== undefined) return offPage(context, { password: problem });
    await people.changePerson(person.personId, { totpSecret: null, recoveryCodes: [] }, context.by);
    return { redirect: "/console/account", notice: "The second factor is off." };
  }
  const secret = form.get("secret") ?? "";
  if (!isTotpSecret(secret)) return showSecondFactor(context);
  const problem = await checkPassword(context);
  if (problem !== undefined) return onPage(context, secret, { password: problem });
  const step = totpStep(secret, form.get("code") ?? "", deps.now());
  if (step === undefined)
    return onPage(context, secret, {
      code: "This is not the code. Take the next one, and check the clock of the phone.",
    });
  const codes = newRecoveryCodes();
  const recoveryCodes = codes.map(hashRecoveryCode);
  await people.changePerson(person.personId, { totpSecret: secret, recoveryCodes }, context.by);
  await people.useTotpStep(person.personId, step);
  return {
    title: "Recovery codes",
    page: [
      <PageHead title="The second factor is on" />,
      <Notice kind="warning">
        Save these codes: each replaces the app once, for a lost phone. They are not shown again.
      </Notice>,
      <ul class="codes">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>,
      <p>
        <a class="button button-primary" href="/console/account">
          I have saved them
        </a>
      </p>,
    ],
  };
}

/** A text for the camera of a phone. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }): JsxNode {
  const { data: rows, size } = encode(text, { ecc: "M", border: 4 });
  // Each run of dark modules is one rectangle.
  const path = rows.flatMap((row, y) =>
    [...row.map(Number).join("").matchAll(/1+/g)].map(
      ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
    ),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path.join("")} />
    </svg>
  );
}
