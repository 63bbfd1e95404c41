import { erase } from "../../service/erase.js";
import type { Erasure, ErasureTarget } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Environment } from "../environment.js";
import { commandLine, withStore } from "../with-store.js";
import type { EraseArguments } from "./erase-options.js";

/** `offprint erase organization`, `person`, `bundle`, `thread` and `show`: prints the receipt as JSON. */
export const run = (args: EraseArguments, environment: Environment): Promise<number> =>
  withStore(args.data, environment, (store) => runAction(args, store, environment));

async function runAction(args: EraseArguments, store: Store, environment: Environment): Promise<number> {
  const { action, subject } = args;
  if (action === "show") {
    const erasure = await store.erasures.get(subject);
    if (erasure) return printReceipt(erasure, environment);
    environment.stderr.write(`offprint: there is no erasure ${subject}.\n`);
    return 1;
  }
  const target = await targetOf(args, store);
  const erased = target && (await erase(store, target, commandLine()));
  if (erased && "erasureId" in erased) return printReceipt(erased, environment);
  environment.stderr.write(
    erased?.kind === "last owner"
      ? `offprint: ${subject} is the last owner of "${erased.organizationName}". Make somebody else an owner, or erase the organization.\n`
      : `offprint: there is no ${action} ${subject}${ofOrganization(args)}.\n`,
  );
  return 1;
}

const ofOrganization = ({ action, organization }: EraseArguments): string =>
  action === "bundle" || action === "thread" ? ` in the organization "${organization}"` : "";

async function targetOf(
  { action, subject, organization }: EraseArguments,
  { accounts, people }: Store,
): Promise<ErasureTarget | undefined> {
  if (action === "person") {
    const person = await people.personByEmail(subject);
    return person && { kind: "person", personId: person.personId };
  }
  const name = action === "organization" ? subject : organization;
  const organizationId = (await accounts.organizations()).find((each) => each.name === name)?.organizationId;
  if (organizationId === undefined) return undefined;
  if (action === "organization") return { kind: "organization", organizationId };
  return action === "bundle"
    ? { kind: "bundle", organizationId, jobId: subject }
    : { kind: "thread", organizationId, threadId: subject };
}

/** The receipt on stdout; on stderr what it still waits for. */
export function printReceipt(erasure: Erasure, { stdout, stderr }: Environment): number {
  stdout.write(`${JSON.stringify(erasure)}\n`);
  if (erasure.completedAt) return 0;
  const waiting = erasure.workers.filter(({ confirmedAt }) => !confirmedAt).map(({ workerId }) => workerId);
  const reasons = [
    ...(erasure.objects ? [] : ["the object store, which could not be reached"]),
    ...(waiting.length > 0 ? [`the workers ${waiting.join(", ")}`] : []),
    ...(erasure.pendingWebhooks > 0 ? [`${erasure.pendingWebhooks} webhooks`] : []),
  ];
  stderr.write(
    `The database is changed. The erasure waits for ${reasons.join(" and ") || "the service"}. See: offprint erase show ${erasure.erasureId}\n`,
  );
  return 0;
}
