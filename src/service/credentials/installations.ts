import { createHash, randomBytes } from "node:crypto";
import { installAddress, installationOf, ownsAccount } from "../forge/index.js";
import type { Actor } from "../jobs/index.js";
import { appAt, type Credential, type CredentialsOptions } from "./credential-access.js";
import { CredentialFault } from "./credential-fault.js";

export interface ReturnedInstallation {
  readonly organizationId: string;
  /** Of the browser that has returned. */
  readonly sessionId: string;
  /** From the return address, like the other two. */
  readonly state: string;
  readonly code: string;
  readonly installationId: number;
}

/** The ways of installations to organizations. Fails: throws a `CredentialFault` or a `ForgeFault`. */
export interface Installations {
  /** Hosts whose app lets people prove that an installation is theirs. */
  readonly installHosts: readonly string[];
  /** The address where a person installs the app; it leads back within ten minutes, to the same session. */
  beginInstallation(organizationId: string, sessionId: string, host: string): Promise<string>;
  /** Binds the installation that a person has come back from, if the person owns its account. */
  finishInstallation(returned: ReturnedInstallation, by: Actor): Promise<Credential>;
}

const lifeMs = 10 * 60_000;
const hashOf = (state: string): string => createHash("sha256").update(state).digest("hex");

export function openInstallations(
  { store, operator: { forges }, network, retryMs }: CredentialsOptions,
  bind: (organizationId: string, host: string, installationId: number, by: Actor) => Promise<Credential>,
): Installations {
  const asked = () => ({ signal: AbortSignal.timeout(60_000), network, retryMs });
  const appWithProof = (host: string) => {
    const at = appAt(forges, host);
    if (!at?.app.oauth)
      throw new CredentialFault(
        `The service has no app of ${host} that people can install. The operator adds the installation: offprint credential add --github-app-installation <id>`,
      );
    return at;
  };
  return {
    installHosts: forges.flatMap(({ app, prefix }) => (app?.oauth ? [new URL(prefix).host] : [])),
    async beginInstallation(organizationId, sessionId, host) {
      const address = await installAddress(appWithProof(host), asked());
      const state = randomBytes(32).toString("base64url");
      await store.addPendingInstallation(hashOf(state), { organizationId, sessionId, host }, lifeMs);
      return `${address}?state=${state}`;
    },
    async finishInstallation({ organizationId, sessionId, state, code, installationId }, by) {
      const host = await store.usePendingInstallation(hashOf(state), { organizationId, sessionId });
      if (host === undefined)
        throw new CredentialFault(
          "This return address was used already, is older than ten minutes, or belongs to another session or organization. Begin again.",
        );
      const at = appWithProof(host);
      const installation = await installationOf(at, installationId, asked());
      if (!(await ownsAccount(at, code, installation, asked())))
        throw new CredentialFault(
          `${host} does not say that you own the account of this installation. An owner of the account adds it, or the operator: offprint credential add --github-app-installation <id>`,
        );
      return bind(organizationId, host, installationId, by);
    },
  };
}
