import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Project, Role } from "../../jobs/index.js";
import { addSiteCommand } from "../command-text.js";
import { EmptyState } from "../parts/index.js";
import type { ConsoleDeps } from "../route.js";
import { HowToAdd } from "../sites/how-to-add.js";

interface NoJobsProps {
  readonly deps: ConsoleDeps;
  readonly sites: readonly Project[];
  readonly role: Role;
}

/** The next step of an organization that has not exported anything. */
export const NoJobs = ({ deps, sites: [site], role }: NoJobsProps): JsxNode =>
  site ? (
    <EmptyState icon="jobs" title="No exports yet">
      Open <a href={`/console/sites/${site.projectId}`}>{site.domain}</a> and choose "Export now".
    </EmptyState>
  ) : (
    <EmptyState icon="sites" title="Add the first site" command={addSiteCommand(deps)}>
      A site is a folder or a repository with a docs.json. <HowToAdd role={role} />
    </EmptyState>
  );
