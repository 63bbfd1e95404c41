import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Project } from "../../jobs/index.js";
import { Button, Field, Form, Notice, PageHead } from "../parts/index.js";

interface RemovePageProps {
  readonly project: Project;
  readonly csrf: string;
  /** Not the domain. */
  readonly typed?: string;
}

export function RemovePage({ project, csrf, typed }: RemovePageProps): JsxNode {
  const { domain, projectId } = project;
  const path = `/console/sites/${projectId}`;
  const errors = typed === undefined ? undefined : { domain: `Type ${domain} to remove this site.` };
  return (
    <>
      <PageHead title={`Remove ${domain}`} back={[domain, path]} />
      <Notice kind="warning">
        <p>
          Its exports with their bundles, views and conversations are deleted, links to the bundles end at once, and
          queued and running exports fail. The repository stays as it is. This cannot be undone.
        </p>
      </Notice>
      <Form action={`${path}/remove`} csrf={csrf}>
        <Field name="domain" label={`Type ${domain} to confirm`} value={typed} errors={errors} required autofocus />
        <div class="form-actions">
          <Button kind="danger">Remove the site</Button>
          <a class="button button-plain" href={path}>
            Cancel
          </a>
        </div>
      </Form>
    </>
  );
}
