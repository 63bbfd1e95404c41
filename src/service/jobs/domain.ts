import { quoted } from "../../lib/diagnostic/index.js";

const label = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";
const hostName = new RegExp(`^${label}(\\.${label})*$`);

/**
 * Explains why a lower-case text is not a valid domain and what to write instead. Undefined if it is valid.
 *
 * @param subject name of the field in the sentence.
 */
export function domainFault(subject: string, domain: string): string | undefined {
  if (domain.length <= 253 && hostName.test(domain)) return undefined;
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@]*@)?([^/:?#@]+)/.exec(domain)?.[1];
  const fix = host && hostName.test(host) ? ` Write "${host}".` : ' Write it like "docs.example.com".';
  return `${subject} is a host name alone, without scheme, port and path, not ${quoted(domain)}.${fix}`;
}
