import { quoted } from "../../lib/diagnostic/index.js";

const label = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";
const hostName = new RegExp(`^${label}(\\.${label})*$`);

/**
 * Why a text, in lower case, cannot be the domain of a site, and what to write; undefined: it can.
 *
 * @param subject what the sentence calls it.
 */
export function domainFault(subject: string, domain: string): string | undefined {
  if (domain.length <= 253 && hostName.test(domain)) return undefined;
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@]*@)?([^/:?#@]+)/.exec(domain)?.[1];
  const fix = host && hostName.test(host) ? ` Write "${host}".` : ' Write it like "docs.example.com".';
  return `${subject} is a host name alone, without scheme, port and path, not ${quoted(domain)}.${fix}`;
}
