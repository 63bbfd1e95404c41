import { networkOf } from "../../../lib/http/index.js";
import { attemptDelay, codeFailures, passwordFailures } from "../../failed-attempts.js";
import { isPassword } from "../password.js";
import type { ConsoleContext, OpenContext } from "../route.js";

/** The failure after which an account or an address begins to wait. */
const allowedFailures = 5;

/** Accounts with fewer failures are checked while their address waits. */
const fewFailures = 3;

/** With so many failures, an address waits for all accounts. */
const manyFailures = 100;

/** The person, or the client's address, must wait before the next attempt. */
export class TooManyAttemptsError extends Error {
  override readonly name = "TooManyAttemptsError";
  constructor(readonly waitSeconds: number) {
    const wait = waitSeconds < 120 ? `${waitSeconds} seconds` : `${Math.ceil(waitSeconds / 60)} minutes`;
    super(`Too many attempts have failed. Try again in ${wait}.`);
  }
}

/** The email address is that of the login form: there may be no such person. A `code` is one of the second factor. */
type Attempt =
  | {
      readonly factor: "password";
      readonly email: string;
      /** Counts failures of the client's address, too. */
      readonly byAddress?: boolean;
    }
  | { readonly factor: "code"; readonly email: string; readonly personId: string };

/**
 * Checks a password or a code, unless the account or the client's address has to wait after earlier failures.
 *
 * An account waits, whatever address the attempts come from, so that many addresses cannot guess one password. While an
 * address waits, accounts with few failures are still checked, so that one person at a shared address cannot lock out the
 * others. From 100 failures on, the address waits for all accounts, so that nobody can try lists of stolen passwords.
 *
 * @returns what `check` resolves with; undefined: the attempt has failed.
 * @throws {TooManyAttemptsError} without a check.
 */
export async function attemptLogin<T>(
  context: OpenContext,
  attempt: Attempt,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { accounts } = context.store;
  const { now } = context.deps;
  const byAddress = attempt.factor === "password" && attempt.byAddress === true;
  const name = attempt.factor === "password" ? passwordFailures(attempt.email) : codeFailures(attempt.personId);
  const byNetwork = `logins from ${networkOf(context.address ?? "unknown")}`;
  const names = byAddress ? [name, byNetwork] : [name];
  const { waitMs, before } = await accounts.countFailure(names, ([account, address]) => {
    const accountMs = attemptDelay(account!, allowedFailures, now());
    if (!address || (account!.count < fewFailures && address.count < manyFailures)) return accountMs;
    return Math.max(accountMs, attemptDelay(address, allowedFailures, now()));
  });
  if (waitMs > 0) throw new TooManyAttemptsError(Math.ceil(waitMs / 1000));
  const takeBack = (index: number): Promise<void> => accounts.takeBackFailure(names[index]!, before[index]!.lastAt);
  let result: T | undefined;
  try {
    result = await check();
  } catch (error) {
    // Nothing was checked.
    for (const index of names.keys()) await takeBack(index);
    throw error;
  }
  if (result === undefined) {
    // Not awaited: the time of the answer would tell whether the person exists.
    void handleFailedLogin(context, attempt);
    return undefined;
  }
  await accounts.forgetFailures([name]);
  // Not forgotten: an attacker with an account of their own would have as many attempts as they like.
  if (byAddress) await takeBack(1);
  return result;
}

/** Logs a wrong password or code, and adds it to the audit log of each organization of the person. Never rejects. */
async function handleFailedLogin(
  { deps, store: { people }, address = "an unknown address" }: OpenContext,
  { factor, email }: Attempt,
): Promise<void> {
  // Somebody may have typed the password in the field of the email, so the log has neither.
  deps.log("info", "a login failed", { factor, clientAddress: address });
  try {
    const person = email === "" ? undefined : await people.personByEmail(email);
    if (!person) return;
    const line = { actor: `somebody at ${address}`, action: "login.fail", detail: `wrong ${factor}` };
    await people.addAuditEntry({ ofPerson: person.personId, subject: person.email, ...line });
  } catch (error) {
    deps.log("error", "The audit log lacks a failed login.", { fault: String(error) });
  }
}

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
