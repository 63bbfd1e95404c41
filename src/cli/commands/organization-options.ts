import type { Organization } from "../../service/jobs/index.js";
import { UsageError } from "../environment.js";
import { type Input, oneOf } from "../options.js";
import texts from "../options.json" with { type: "json" };

export type OrganizationArguments = { readonly data?: string } & (
  | { readonly action: "create" | "set-plan"; readonly name: string; readonly plan: Organization["plan"] }
  | { readonly action: "list"; readonly json: boolean }
);

export const planOptions = { ...texts.plan, ...texts.data };
export const listOrganizationsOptions = { ...texts.list, ...texts.data };

export const parseOrganization =
  (action: "create" | "set-plan") =>
  ({ argument, values: { data, plan = "enterprise" } }: Input<typeof planOptions>): OrganizationArguments => {
    if (argument.trim() === "" || argument.length > 100)
      throw new UsageError(`The name of an organization has 1 to 100 characters, not "${argument}".`);
    return { data, action, name: argument, plan: oneOf("--plan", plan, ["free", "pro", "enterprise"] as const) };
  };

export const parseListOrganizations = ({ values }: Input<typeof listOrganizationsOptions>): OrganizationArguments => ({
  data: values.data,
  action: "list",
  json: values.json ?? false,
});
