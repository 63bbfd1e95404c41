import { type Account, accountOf, accountOptions, type Input } from "../options.js";
import texts from "../options.json" with { type: "json" };

export type EraseArguments = Account & {
  readonly action: "organization" | "person" | "bundle" | "thread" | "show";
  /** Name, address or id of what is erased. */
  readonly subject: string;
};

export const eraseOptions = accountOptions;
export const eraseAnyOptions = texts.data;

export const parseErase =
  (action: EraseArguments["action"]) =>
  ({ argument, values }: Input<typeof eraseOptions>): EraseArguments => ({
    ...accountOf(values),
    action,
    subject: argument,
  });
