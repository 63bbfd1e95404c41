import { UsageError } from "./usage-error.js";

/** @throws {UsageError} if `written` is not a host name. */
export async function parseDomain(written: string): Promise<string> {
  const { domainFault } = await import("../service/jobs/index.js");
  const domain = written.toLowerCase();
  const fault = domainFault("A domain", domain);
  if (fault !== undefined) throw new UsageError(fault);
  return domain;
}
