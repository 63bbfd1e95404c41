import { command, type Input } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { oneOf } from "../options.js";
import { formatTable, jsonLines } from "../print/terminal.js";
import { commandLineActor, organizationNamed, withStore } from "../with-store.js";
import type texts from "./texts/organization.json";

export const commands = {
  "organization create": command(parsePlan, create),
  "organization set-plan": command(parsePlan, setPlan),
  "organization list": command(({ values }: Input<typeof texts, "organization list">) => values, list),
};

function parsePlan({ argument: name, values }: Input<typeof texts, "organization create">) {
  if (name.trim() === "" || name.length > 100)
    throw new UsageError(`The name of an organization has 1 to 100 characters, not "${name}".`);
  const plan = oneOf("--plan", values.plan ?? "enterprise", ["free", "pro", "enterprise"]);
  return { data: values.data, name, plan };
}
type PlanArguments = ReturnType<typeof parsePlan>;

function create({ data, name, plan }: PlanArguments, environment: Environment): Promise<number> {
  return withStore(data, environment, async ({ accounts }) => {
    if (!(await accounts.createOrganization(name, plan, commandLineActor())))
      throw new RefusedError(
        `the organization "${name}" already exists. To change its plan: offprint organization set-plan`,
      );
    printPlan(name, plan, environment);
  });
}

function setPlan({ data, name, plan }: PlanArguments, environment: Environment): Promise<number> {
  return withStore(data, environment, async (store) => {
    const { organizationId } = await organizationNamed(store, name);
    await store.accounts.setPlan(organizationId, plan, commandLineActor());
    printPlan(name, plan, environment);
  });
}

const printPlan = (name: string, plan: string, { stdout }: Environment): void =>
  void stdout.write(`The organization ${name} has the plan ${plan}.\n`);

function list({ data, json }: Input<typeof texts, "organization list">["values"], environment: Environment) {
  return withStore(data, environment, async ({ accounts }) => {
    const organizations = await accounts.organizations();
    const rows = organizations.map(({ name, plan, organizationId }) => [name, plan, organizationId]);
    environment.stdout.write(json ? jsonLines(organizations) : formatTable([["NAME", "PLAN", "ID"], ...rows]));
  });
}
