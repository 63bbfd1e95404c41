import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";

/**
 * Why a request must not be answered: another site of the same browser has sent it, or a name of another site leads to
 * this machine (DNS rebinding). Undefined for a request that is fine.
 *
 * @param host address that the server listens on
 */
export function foreignRequest(headers: IncomingHttpHeaders, host: string): string | undefined {
  const asked = headers.host ?? "";
  const name = URL.canParse(`http://${asked}`) ? new URL(`http://${asked}`).hostname.replace(/^\[|\]$/g, "") : "";
  if (!isOwnName(name, host)) return `The preview is not at "${asked.slice(0, 100)}".`;
  if (headers.origin !== undefined && headers.origin !== `http://${asked}`)
    return "Another site may not read the preview.";
  // `same-site` is another port of this machine. A link may lead here, but nothing else.
  const site = headers["sec-fetch-site"];
  const isFromOther = site === "cross-site" || site === "same-site";
  return isFromOther && headers["sec-fetch-mode"] !== "navigate" ? "Another site may not load the preview." : undefined;
}

function isOwnName(name: string, host: string): boolean {
  if (isLoopback(name)) return true;
  // Nobody can make an address lead elsewhere than a name.
  return !isLoopback(host) && (isIP(name) !== 0 || [host, hostname(), `${hostname()}.local`].includes(name));
}

export const isLoopback = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
