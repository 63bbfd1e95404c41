import type { ForgeKind } from "../../service/git/forge/index.js";
import { UsageError } from "../environment.js";
import {
  type Account,
  accountOf,
  accountOptions,
  type Input,
  type listOptions,
  oneOf,
  wholeNumber,
} from "../options.js";
import texts from "../options.json" with { type: "json" };

interface SecretArguments {
  /** Undefined: the standard input. */
  readonly secretFile?: string | undefined;
  readonly knownHostsFile?: string | undefined;
}

export type CredentialArguments =
  | (Account &
      (
        | ({
            readonly action: "add";
            readonly prefix: string;
            readonly kind: "token" | "ssh-key";
            readonly name?: string | undefined;
            readonly forge?: ForgeKind | undefined;
          } & SecretArguments)
        | { readonly action: "install"; readonly host: string; readonly installationId: number }
        | { readonly action: "list"; readonly json: boolean }
        | ({ readonly action: "rotate"; readonly credentialId: string } & SecretArguments)
        | { readonly action: "remove"; readonly credentialId: string }
      ))
  | { readonly action: "rotate-key"; readonly data?: string | undefined };

export const addCredentialOptions = { ...texts.addCredential, ...texts.secret, ...accountOptions };
export const rotateCredentialOptions = { ...texts.secret, ...accountOptions };
export const rotateKeyOptions = texts.data;

export async function parseAddCredential({
  argument,
  values,
}: Input<typeof addCredentialOptions>): Promise<CredentialArguments> {
  const account = accountOf(values);
  const id = values["github-app-installation"];
  if (id !== undefined)
    return {
      ...account,
      action: "install",
      host: argument === "" ? "github.com" : hostOf(argument),
      installationId: wholeNumber("--github-app-installation", id, 1, Number.MAX_SAFE_INTEGER)!,
    };
  if (argument === "")
    throw new UsageError(
      '"offprint credential add" needs the prefix of the repositories: offprint credential add https://github.com/acme/',
    );
  const { forgeKinds } = await import("../../service/git/forge/index.js");
  const byPrefix = argument.startsWith("ssh:") ? "ssh-key" : "token";
  return {
    ...account,
    action: "add",
    prefix: argument,
    kind: oneOf("--kind", values.kind ?? byPrefix, ["token", "ssh-key"] as const),
    name: values.name,
    forge: values.forge === undefined ? undefined : oneOf("--forge", values.forge, forgeKinds),
    secretFile: values["secret-file"],
    knownHostsFile: values["known-hosts"],
  };
}

const hostOf = (written: string): string => (URL.canParse(written) ? new URL(written).host : written);

export const parseListCredentials = ({ values }: Input<typeof listOptions>): CredentialArguments => ({
  ...accountOf(values),
  action: "list",
  json: values.json ?? false,
});

export const parseRotateCredential = ({
  argument,
  values,
}: Input<typeof rotateCredentialOptions>): CredentialArguments => ({
  ...accountOf(values),
  action: "rotate",
  credentialId: argument,
  secretFile: values["secret-file"],
  knownHostsFile: values["known-hosts"],
});

export const parseRemoveCredential = ({ argument, values }: Input<typeof accountOptions>): CredentialArguments => ({
  ...accountOf(values),
  action: "remove",
  credentialId: argument,
});

export const parseRotateKeyring = ({ values }: Input<typeof rotateKeyOptions>): CredentialArguments => ({
  action: "rotate-key",
  data: values.data,
});
