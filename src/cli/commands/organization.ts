import type { Store } from "../../service/open-store.js";
import type { Environment } from "../environment.js";
import { formatTable } from "../print/terminal.js";
import { commandLine, withStore } from "../with-store.js";
import type { OrganizationArguments } from "./organization-options.js";

/** `offprint organization create`, `set-plan` and `list`. */
export const run = (args: OrganizationArguments, environment: Environment): Promise<number> =>
  withStore(args.data, environment, (store) => runAction(args, store, environment));

async function runAction(
  args: OrganizationArguments,
  { accounts }: Store,
  { stdout, stderr }: Environment,
): Promise<number> {
  const organizations = await accounts.organizations();
  if (args.action === "list") {
    if (args.json) for (const each of organizations) stdout.write(`${JSON.stringify(each)}\n`);
    else
      stdout.write(
        formatTable([
          ["NAME", "PLAN", "ID"],
          ...organizations.map(({ name, plan, organizationId }) => [name, plan, organizationId]),
        ]),
      );
    return 0;
  }
  const { action, name, plan } = args;
  if (action === "create") {
    if (!(await accounts.createOrganization(name, plan, commandLine()))) {
      stderr.write(`offprint: there is an organization "${name}" already. Its plan: offprint organization set-plan\n`);
      return 1;
    }
  } else {
    const found = organizations.find((each) => each.name === name);
    if (!found) {
      stderr.write(`offprint: there is no organization "${name}". See: offprint organization list\n`);
      return 1;
    }
    await accounts.setPlan(found.organizationId, plan, commandLine());
  }
  stdout.write(`The organization ${name} has the plan ${plan}.\n`);
  return 0;
}
