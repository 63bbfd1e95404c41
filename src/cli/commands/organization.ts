import type { Store } from "../../service/open-store.js";
import type { Input } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { oneOf } from "../options.js";
import { formatTable, jsonLines } from "../print/terminal.js";
import { commandLineActor, organizationNamed, storeCommand } from "../with-store.js";
import type texts from "./texts/organization.json";

export const commands = {
  "organization create": storeCommand(parsePlan, create),
  "organization set-plan": storeCommand(parsePlan, setPlan),
  "organization list": storeCommand(({ values }: Input<typeof texts, "organization list">) => values, list),
};

function parsePlan({ argument: name, values }: Input<typeof texts, "organization create">) {
  if (name.trim() === "" || name.length > 100)
    throw new UsageError(`The name of an organization must have 1 to 100 characters; "${name}" has not.`);
  const plan = oneOf("--plan", values.plan ?? "enterprise", ["free", "pro", "enterprise"]);
  return { data: values.data, name, plan };
}
type PlanArguments = ReturnType<typeof parsePlan>;

async function create({ name, plan }: PlanArguments, { accounts }: Store, environment: Environment): Promise<void> {
  if (!(await accounts.createOrganization(name, plan, commandLineActor())))
    throw new RefusedError(
      `the organization "${name}" already exists. To change its plan: offprint organization set-plan`,
    );
  printPlan(name, plan, environment);
}

async function setPlan({ name, plan }: PlanArguments, store: Store, environment: Environment): Promise<void> {
  const { organizationId } = await organizationNamed(store, name);
  await store.accounts.setPlan(organizationId, plan, commandLineActor());
  printPlan(name, plan, environment);
}

const printPlan = (name: string, plan: string, { stdout }: Environment): void =>
  void stdout.write(`The organization ${name} is now on the plan ${plan}.\n`);

async function list(
  { json }: Input<typeof texts, "organization list">["values"],
  { accounts }: Store,
  environment: Environment,
): Promise<void> {
  const organizations = await accounts.organizations();
  const rows = organizations.map(({ name, plan, organizationId }) => [name, plan, organizationId]);
  environment.stdout.write(json ? jsonLines(organizations) : formatTable([["NAME", "PLAN", "ID"], ...rows]));
}
