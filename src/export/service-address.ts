/** An option that only the caller can correct. */
export class InvalidOption extends RangeError {
  override readonly name = "InvalidOption";
}

/** The address of a service without a slash at the end. @throws {InvalidOption} */
export function readServiceUrl(option: string, url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password || /[?#]/.test(url))
    throw new InvalidOption(`${option} is "${url}"; it must look like https://docs-api.example.com`);
  return address.href.replace(/\/+$/, "");
}

/** The name of the site in a service: by default the host of its address. @throws {InvalidOption} */
export function readServiceDomain(option: string, given: string | undefined, baseUrl: string | undefined): string {
  const domain = given ?? (baseUrl === undefined ? undefined : new URL(baseUrl).host);
  if (domain === undefined)
    throw new InvalidOption(`${option} must name the site, since the address of the site is not known`);
  if (!/^[\w.:-]{1,255}$/.test(domain))
    throw new InvalidOption(`${option} is "${domain}"; it must be an identifier or a host, such as docs.example.com`);
  return domain;
}
