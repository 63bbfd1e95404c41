import { ApiError } from "./api-error.js";

/**
 * Refuses paths that a proxy and this service may read differently: with "." and ".." segments, which a URL parser resolves
 * even if they are percent-encoded.
 */
export function targetFault(url = ""): ApiError | undefined {
  const path = url.replace(/[?#].*$/s, "");
  if (path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    return new ApiError(400, 'The path has a segment "." or "..", plain or encoded. Send the path that it leads to.');
  return undefined;
}
