import { attemptLogin } from "../login/attempts.js";
import { isPassword } from "../password.js";
import type { ConsoleContext } from "../route.js";

/**
 * Before something that a stolen session must not do. Resolves with what is wrong.
 *
 * @throws {TooManyAttemptsError} without a check.
 */
export async function checkPassword(context: ConsoleContext): Promise<string | undefined> {
  const { form, person } = context;
  const isRight = await attemptLogin(
    context,
    { factor: "password", email: person.email },
    async () => (await isPassword(form.get("password") ?? "", person.passwordHash)) || undefined,
  );
  return isRight ? undefined : "This is not your password.";
}
