import { countAttempt } from "../login/attempts.js";
import { noteFailure } from "../login/note-failure.js";
import { isPassword } from "../password.js";
import type { ConsoleContext } from "../route.js";

/** Before something that a stolen session must not do. Resolves with what is wrong. */
export async function checkPassword(context: ConsoleContext): Promise<string | undefined> {
  const { form, person } = context;
  const attempt = await countAttempt(context, [`login of ${person.email}`]);
  if ("waitMinutes" in attempt) return `Too many attempts. Try again in ${attempt.waitMinutes} minutes.`;
  if (!(await isPassword(form.get("password") ?? "", person.passwordHash))) {
    await noteFailure(context, person, "wrong password");
    return "This is not your password.";
  }
  await attempt.succeed();
  return undefined;
}
