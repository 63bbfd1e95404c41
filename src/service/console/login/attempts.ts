import { networkOf } from "../../../lib/http/index.js";
import { attemptDelay, codeFailures, passwordFailures } from "../../failed-attempts.js";
import { isPassword } from "../password.js";
import type { ConsoleContext, OpenContext } from "../route.js";

/** An account or an address waits after this many failures. */
const allowedFailures = 5;

/** Accounts with fewer failures are checked while their address waits. */
const fewFailures = 3;

/** From this many failures on, an address waits for all accounts. */
const manyFailures = 100;

/** The person, or the client's address, must wait before the next attempt. */
export class TooManyAttemptsError extends Error {
  override readonly name = "TooManyAttemptsError";
  constructor(readonly waitSeconds: number) {
    const wait = waitSeconds < 120 ? `${waitSeconds} seconds` : `${Math.ceil(waitSeconds / 60)} minutes`;
    super(`Too many attempts have failed. Try again in ${wait}.`);
  }
}

/** The email address comes from the login form, so there may be no such person. `code` is the second factor. */
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
 * An account waits for attempts from all addresses, so that many addresses cannot guess one password. While an
 * address waits, accounts with few failures are still checked, so that one person at a shared address cannot lock out the
 * others. From 100 failures on, the address waits for all accounts, so that nobody can try lists of stolen passwords.
 *
 * @returns what `check` resolves with; undefined if the attempt has failed.
 * @throws {TooManyAttemptsError} if it was not checked.
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
    // The password or code was not checked.
    for (const index of names.keys()) await takeBack(index);
    throw error;
  }
  if (result === undefined) {
    // Not awaited, since the response time would tell whether the person exists.
    void handleFailedLogin(context, attempt);
    return undefined;
  }
  await accounts.forgetFailures([name]);
  // Not reset, since an attacker with an account of their own could otherwise try as often as they like.
  if (byAddress) await takeBack(1);
  return result;
}

/** Logs a wrong password or code, and adds it to the audit log of each organization of the person. Never rejects. */
async function handleFailedLogin(
  { deps, store: { people }, address = "an unknown address" }: OpenContext,
  { factor, email }: Attempt,
): Promise<void> {
  // The log has no email, since somebody may have typed the password there.
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
 * Checks the person's password before an act that a stolen session must not be enough for. Resolves with what is wrong.
 *
 * @throws {TooManyAttemptsError} if it was not checked.
 */
export async function checkPassword(context: ConsoleContext): Promise<string | undefined> {
  const { form, person } = context;
  const isRight = await attemptLogin(
    context,
    { factor: "password", email: person.email },
    async () => (await isPassword(form.get("password") ?? "", person.passwordHash)) || undefined,
  );
  return isRight ? undefined : "The password is wrong.";
}
