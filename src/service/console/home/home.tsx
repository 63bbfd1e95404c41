import { PageHead } from "../parts/index.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

export async function showHome({ organization }: ConsoleContext): Promise<ConsoleAnswer> {
  return {
    title: "Overview",
    page: <PageHead title="Overview" lead={`Exports of ${organization.organizationName}.`} />,
  };
}
