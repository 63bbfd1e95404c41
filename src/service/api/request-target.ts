import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.js";

/**
 * Refuses requests that a proxy and this service may read differently: with several Host headers, or with "." and ".."
 * segments, which a URL parser resolves even if they are percent-encoded.
 */
export function targetFault({ rawHeaders, url = "" }: IncomingMessage): ApiError | undefined {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) return new ApiError(400, "The request has several Host headers. Send one.");
  const path = url.replace(/[?#].*$/s, "");
  if (path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    return new ApiError(400, 'The path has a segment "." or "..", plain or encoded. Send the path that it leads to.');
  return undefined;
}
