import { type Role, roles } from "../../service/jobs/index.js";
import { UsageError } from "../environment.js";
import { type Account, accountOf, accountOptions, type Input, oneOf, plainUrl } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface UnlockArguments {
  readonly action: "unlock";
  readonly data?: string;
  readonly email: string;
}

export type LinkArguments = Account & {
  readonly email: string;
  /** Where browsers reach the console; without slash at the end. */
  readonly url: string;
} & ({ readonly action: "invite"; readonly role: Role } | { readonly action: "reset" });

export type ConsoleArguments = LinkArguments | UnlockArguments;

export const unlockOptions = texts.data;
export const resetOptions = { ...texts.console, ...texts.data };
export const inviteOptions = { ...texts.invite, ...texts.console, ...accountOptions };

export const parseInvite = (
  { argument, values }: Input<typeof inviteOptions>,
  env: NodeJS.ProcessEnv,
): ConsoleArguments => ({
  ...accountOf(values),
  action: "invite",
  email: emailOf(argument),
  url: urlOf(values["public-url"], env),
  role: oneOf("--role", values.role ?? "reader", roles),
});

export const parseReset = (
  { argument, values }: Input<typeof resetOptions>,
  env: NodeJS.ProcessEnv,
): ConsoleArguments => ({
  ...accountOf(values),
  action: "reset",
  email: emailOf(argument),
  url: urlOf(values["public-url"], env),
});

export const parseUnlock = ({ argument, values }: Input<typeof unlockOptions>): ConsoleArguments => ({
  action: "unlock",
  data: values.data,
  email: emailOf(argument),
});

function emailOf(written: string): string {
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(written))
    throw new UsageError(`The address of a person is one such as ada@example.com, not "${written}".`);
  return written;
}

const urlOf = (written: string | undefined, env: NodeJS.ProcessEnv): string =>
  plainUrl(
    "--public-url is where browsers reach the console, such as https://exports.example.com",
    written ?? (env["OFFPRINT_CONSOLE_URL"]?.trim() || env["OFFPRINT_PUBLIC_URL"]?.trim() || undefined),
  ) ?? "http://127.0.0.1:7070";
