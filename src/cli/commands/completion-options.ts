import { type Input, oneOf } from "../options.js";

export const shells = ["bash", "zsh", "fish"] as const;
export interface CompletionArguments {
  readonly shell: (typeof shells)[number];
}

export const completionOptions = {};

/** @throws {UsageError} for another shell. */
export const parseCompletion = ({ argument }: Input<typeof completionOptions>): CompletionArguments => ({
  shell: oneOf("The shell", argument, shells),
});
