import { encode } from "uqr";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import * as ui from "../components/index.js";
import { checkPassword } from "../login/attempts.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { hashRecoveryCode, isTotpSecret, newRecoveryCodes, newTotpSecret, totpAddress, totpStep } from "../totp.js";

const path = "/console/account/second-factor";
const back = ["Your account", "/console/account"] as const;

/** Offers to turn the second factor on or off. */
export function showSecondFactor(context: ConsoleContext): ConsoleAnswer {
  const { passwordHash, totpSecret } = context.person;
  if (passwordHash === undefined) return "not-found";
  return totpSecret === undefined ? turnOnPage(context, newTotpSecret()) : turnOffPage(context);
}

/** The secret is stored only once a code shows that the app has it. */
const turnOnPage = (context: ConsoleContext, secret: string, errors?: ui.FieldErrors): ConsoleAnswer => ({
  title: "Second factor",
  status: errors && 422,
  page: [
    <ui.PageHead title="Turn on the second factor" back={back} />,
    <ol class="steps">
      <li>
        <p>
          Scan this code with an authenticator app on your phone, or{" "}
          <a href={totpAddress(context.person.email, secret)}>open the app</a> on this device.
        </p>
        <QrPicture text={totpAddress(context.person.email, secret)} label="The key below as a QR code" />
        <p>If the app cannot scan codes, enter the key:</p>
        <ui.Command text={secret.replace(/(.{4})(?=.)/g, "$1 ")} />
      </li>
      <li>
        <p>Then enter the code that the app shows.</p>
        <ui.Form
          action={path}
          context={{ csrf: context.csrf }}
          hidden={{ secret }}
          fields={[
            { name: "code", label: "Code", autocomplete: "one-time-code", inputmode: "numeric" },
            ui.passwordField,
          ]}
          errors={errors}
          submit="Turn on"
        />
      </li>
    </ol>,
  ],
});

const turnOffPage = (context: ConsoleContext, errors?: ui.FieldErrors): ConsoleAnswer => ({
  title: "Second factor",
  status: errors && 422,
  page: [
    <ui.PageHead
      title="Turn off the second factor"
      lead="After that, your password alone is enough to log in."
      back={back}
    />,
    <ui.Form
      action={path}
      context={context}
      fields={[ui.passwordField]}
      errors={errors}
      submit="Turn off"
      kind="danger"
    />,
  ],
});

export async function changeSecondFactor(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, form, person } = context;
  const { people } = context.store;
  if (person.passwordHash === undefined) return "not-found";
  if (person.totpSecret !== undefined) {
    const problem = await checkPassword(context);
    if (problem !== undefined) return turnOffPage(context, { password: problem });
    await people.changePerson(person.personId, { totpSecret: null, recoveryCodes: [] }, context.by);
    return { redirect: "/console/account", notice: "The second factor is off." };
  }
  const secret = form.get("secret") ?? "";
  if (!isTotpSecret(secret)) return showSecondFactor(context);
  const problem = await checkPassword(context);
  if (problem !== undefined) return turnOnPage(context, secret, { password: problem });
  const step = totpStep(secret, form.get("code") ?? "", deps.now());
  if (step === undefined)
    return turnOnPage(context, secret, {
      code: "The code is wrong. Enter the next one, and check the clock of your phone.",
    });
  const codes = newRecoveryCodes();
  const recoveryCodes = codes.map(hashRecoveryCode);
  await people.changePerson(person.personId, { totpSecret: secret, recoveryCodes }, context.by);
  await people.useTotpStep(person.personId, step);
  return {
    title: "Recovery codes",
    page: [
      <ui.PageHead title="The second factor is on" />,
      <ui.Notice kind="warning">
        Save these codes: each replaces the app once, for a lost phone. They are not shown again.
      </ui.Notice>,
      <ul class="codes">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>,
      <p>
        <ui.LinkButton href="/console/account" kind="primary" label="I have saved them" />
      </p>,
    ],
  };
}

/** A QR code, which the camera of a phone reads. */
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
