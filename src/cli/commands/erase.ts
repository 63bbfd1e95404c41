import { erase } from "../../service/erase.js";
import type { Erasure, ErasureTarget } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Input } from "../command.js";
import { type Environment, RefusedError } from "../environment.js";
import { accountOf } from "../options.js";
import { commandLineActor, storeCommand } from "../with-store.js";
import type texts from "./texts/erase.json";

type Kind = "organization" | "person" | "bundle" | "thread";

/** Each prints the receipt as JSON. */
export const commands = {
  "erase organization": storeCommand(parse, eraserOf("organization")),
  "erase person": storeCommand(parse, eraserOf("person")),
  "erase bundle": storeCommand(parse, eraserOf("bundle")),
  "erase thread": storeCommand(parse, eraserOf("thread")),
  "erase show": storeCommand(parse, show),
};

/** The subject is the name, address or id of what is erased. */
function parse({ argument, values }: Input<typeof texts, "erase bundle">) {
  return { ...accountOf(values), subject: argument };
}
type EraseArguments = ReturnType<typeof parse>;

async function show({ subject }: EraseArguments, { erasures }: Store, environment: Environment): Promise<void> {
  const erasure = await erasures.get(subject);
  if (!erasure) throw new RefusedError(`there is no erasure ${subject}.`);
  printReceipt(erasure, environment);
}

function eraserOf(kind: Kind) {
  return async ({ subject, organization }: EraseArguments, store: Store, environment: Environment): Promise<void> => {
    const target = await targetOf(kind, subject, organization, store);
    const erased = target && (await erase(store, target, commandLineActor()));
    if (erased && "erasureId" in erased) return printReceipt(erased, environment);
    if (erased?.kind === "last owner")
      throw new RefusedError(
        `${subject} is the last owner of "${erased.organizationName}". Make someone else an owner, or erase the organization.`,
      );
    const where = kind === "bundle" || kind === "thread" ? ` in the organization "${organization}"` : "";
    throw new RefusedError(`there is no ${kind} ${subject}${where}.`);
  };
}

async function targetOf(
  kind: Kind,
  subject: string,
  organization: string,
  { accounts, people }: Store,
): Promise<ErasureTarget | undefined> {
  if (kind === "person") {
    const person = await people.personByEmail(subject);
    return person && { kind, personId: person.personId };
  }
  const name = kind === "organization" ? subject : organization;
  const organizationId = (await accounts.organizations()).find((candidate) => candidate.name === name)?.organizationId;
  if (organizationId === undefined) return undefined;
  if (kind === "organization") return { kind, organizationId };
  return kind === "bundle" ? { kind, organizationId, jobId: subject } : { kind, organizationId, threadId: subject };
}

function printReceipt(erasure: Erasure, { stdout, stderr }: Environment): void {
  stdout.write(`${JSON.stringify(erasure)}\n`);
  if (erasure.completedAt) return;
  const waiting = erasure.workers.filter(({ confirmedAt }) => !confirmedAt).map(({ workerId }) => workerId);
  const reasons = [
    ...(erasure.objects ? [] : ["the object store, which could not be reached"]),
    ...(waiting.length > 0 ? [`the workers ${waiting.join(", ")}`] : []),
    ...(erasure.pendingWebhooks > 0 ? [`${erasure.pendingWebhooks} webhooks`] : []),
  ];
  stderr.write(
    `The data is erased from the database. The erasure is still waiting for ${reasons.join(" and ") || "the service"}. To follow it: offprint erase show ${erasure.erasureId}\n`,
  );
}
