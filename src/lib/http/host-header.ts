/** A name or an address, and a port. */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{1,5})?$/i;

/**
 * Why two servers could read a request as one for different hosts: it has several Host headers, or an invalid one.
 * Undefined for a request that is fine; HTTP/1.0 needs no Host.
 *
 * @param rawHeaders names and values, alternating.
 */
export function hostFault(rawHeaders: readonly string[]): string | undefined {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === "host");
  if (hosts.length > 1) return "The request has several Host headers. Send one.";
  if (hosts.length === 1 && !validHost.test(hosts[0]!))
    return 'The Host header is invalid. Send a name or an address, such as "Host: docs.example.com".';
  return undefined;
}
