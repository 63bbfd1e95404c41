import { stat } from "node:fs/promises";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { ApiKey } from "../../jobs/index.js";
import { formatBytes } from "../format.js";
import { Notice, Time } from "../parts/index.js";
import type { ConsoleDeps } from "../route.js";

const leastFreeBytes = 1e9;
const soonMs = 14 * 24 * 60 * 60_000;

interface WarningsProps {
  readonly disk: { readonly free: number } | undefined;
  readonly isLinkSecretOpen: boolean;
  /** Empty for somebody who may not see them. */
  readonly keys: readonly ApiKey[];
  readonly now: number;
}

/** What the operator should mend before it breaks something. */
export function Warnings({ disk, isLinkSecretOpen, keys, now }: WarningsProps): JsxNode {
  const lastKey = endingKey(keys, now);
  return (
    <>
      {disk && disk.free < leastFreeBytes && (
        <Notice kind="warning">
          The disk is nearly full: {formatBytes(disk.free)} are free. Exports fail without space.
        </Notice>
      )}
      {isLinkSecretOpen && (
        <Notice kind="warning">
          Other users of the machine can read the secret that signs download links. In the data folder, run:{" "}
          <code>chmod 600 link-secret</code>
        </Notice>
      )}
      {lastKey && (
        <Notice kind="warning">
          The last valid admin key, <a href={`/console/keys/${lastKey.keyId}`}>{lastKey.name}</a>, expires{" "}
          <Time at={lastKey.expiresAt} exact />. Rotate it, or create a second one.
        </Notice>
      )}
    </>
  );
}

/** The admin key that expires soon and after which no other is valid. */
function endingKey(keys: readonly ApiKey[], now: number): ApiKey | undefined {
  const endOf = ({ expiresAt }: ApiKey): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const valid = keys.filter((key) => key.kind === "admin" && !key.revokedAt && endOf(key) > now);
  const last = valid.toSorted((a, b) => endOf(b) - endOf(a))[0];
  return last && endOf(last) < now + soonMs ? last : undefined;
}

/** Whether others than the service's user may read the secret of the links, as after a careless restore. */
export async function isLinkSecretOpen({ system }: ConsoleDeps): Promise<boolean> {
  if (system?.linkSecretFile === undefined || process.platform === "win32") return false;
  return stat(system.linkSecretFile).then(
    ({ mode }) => (mode & 0o077) !== 0,
    () => false,
  );
}
