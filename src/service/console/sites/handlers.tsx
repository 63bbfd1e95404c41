import { groupsFault, splitGroups } from "../../../lib/group-names.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { erase } from "../../erase.js";
import { DomainTakenError, type Project } from "../../jobs/index.js";
import { readDiagnostics } from "../../read-diagnostics.js";
import { addSiteCommand } from "../add-site.js";
import { Button, Field, type FieldErrors, Form, Notice, PageHead } from "../components/index.js";
import { startExport } from "../jobs/handlers.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleRoute } from "../route.js";
import { readSiteForm, SiteForm } from "./site-form.js";
import { SitePage } from "./site-page.js";
import { changeCounting, rotateWebhookSecret, showSettings } from "./site-settings.js";
import { SitesPage } from "./sites-page.js";

/** The sites of the organization. */
export const siteRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/sites", role: "reader", handle: listSites },
  { method: "GET", path: "/sites/new", role: "editor", handle: async (context) => newSitePage(context) },
  { method: "POST", path: "/sites", role: "editor", handle: addSite },
  { method: "GET", path: "/sites/{id}", role: "reader", handle: (context) => ofSite(context, showSite) },
  { method: "POST", path: "/sites/{id}/export", role: "editor", handle: (context) => ofSite(context, exportNow) },
  { method: "GET", path: "/sites/{id}/source", role: "editor", handle: (context) => ofSite(context, showSource) },
  { method: "POST", path: "/sites/{id}/source", role: "editor", handle: (context) => ofSite(context, changeSource) },
  { method: "GET", path: "/sites/{id}/settings", role: "editor", handle: (context) => ofSite(context, showSettings) },
  {
    method: "POST",
    path: "/sites/{id}/counting",
    role: "editor",
    handle: (context) => ofSite(context, changeCounting),
  },
  {
    method: "POST",
    path: "/sites/{id}/webhook-secret",
    role: "owner",
    handle: (context) => ofSite(context, rotateWebhookSecret),
  },
  { method: "GET", path: "/sites/{id}/remove", role: "owner", handle: (context) => ofSite(context, confirmRemoval) },
  { method: "POST", path: "/sites/{id}/remove", role: "owner", handle: (context) => ofSite(context, removeSite) },
];

/** What the page of a site shows. */
const shownJobs = 8;
const shownFindings = 1_000;

/** Another organization's site is as unknown as none. */
async function ofSite(
  context: ConsoleContext,
  handle: (context: ConsoleContext, project: Project) => Promise<ConsoleAnswer>,
): Promise<ConsoleAnswer> {
  const { deps, organization, params } = context;
  const projects = await deps.store.accounts.projects(organization.organizationId);
  const project = projects.find(({ projectId }) => projectId === params["id"]);
  return project ? handle(context, project) : "not-found";
}

async function listSites({ deps, organization, role }: ConsoleContext): Promise<ConsoleAnswer> {
  const { organizationId } = organization;
  const [projects, jobs] = await Promise.all([
    deps.store.accounts.projects(organizationId),
    deps.store.jobs.latest(organizationId),
  ]);
  const jobOf = new Map(jobs.map((job) => [job.projectId, job]));
  const sites = projects.map((project) => ({ project, job: jobOf.get(project.projectId) }));
  return { title: "Sites", page: <SitesPage sites={sites} role={role} addCommand={addSiteCommand(deps)} /> };
}

function newSitePage({ csrf, deps, form }: ConsoleContext, errors?: FieldErrors): ConsoleAnswer {
  return {
    title: "Add a site",
    status: errors ? 422 : undefined,
    page: (
      <>
        <PageHead title="Add a site" back={["Sites", "/console/sites"]} lead="Documentation in a git repository." />
        <SiteForm action="/console/sites" csrf={csrf} addCommand={addSiteCommand(deps)} values={form} errors={errors} />
      </>
    ),
  };
}

async function addSite(context: ConsoleContext): Promise<ConsoleAnswer> {
  const read = readSiteForm(context.form);
  if ("errors" in read) return newSitePage(context, read.errors);
  const { organizationId } = context.organization;
  try {
    const { projectId, domain } = await context.deps.store.accounts.addProject(
      { organizationId, ...read.site },
      context.by,
    );
    return {
      redirect: `/console/sites/${projectId}`,
      notice: `${domain} is added. Export it now to see its diagnostics.`,
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof DomainTakenError ? error.cause : error;
    if (!(cause instanceof DomainTakenError)) throw error;
    return newSitePage(context, { domain: cause.message });
  }
}

async function showSite({ deps, csrf, role }: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { projectId, domain, organizationId } = project;
  const { jobs } = await deps.store.jobs.list(organizationId, { domain, limit: shownJobs });
  const own = jobs.filter((job) => job.projectId === projectId);
  const checked = own.find(({ report }) => report);
  const key = checked?.report?.diagnosticsKey;
  const read = key === undefined ? undefined : await readDiagnostics(deps.store.objects, key, { limit: shownFindings });
  const findings = typeof read === "object" ? read : undefined;
  return {
    title: domain,
    page: (
      <SitePage
        project={project}
        jobs={own}
        checked={checked}
        findings={findings}
        csrf={csrf}
        role={role}
        now={deps.now()}
      />
    ),
  };
}

async function exportNow(context: ConsoleContext, { projectId, domain }: Project): Promise<ConsoleAnswer> {
  const back = `/console/sites/${projectId}`;
  const audience = splitGroups(context.form.get("audience") ?? "");
  const fault = groupsFault("An audience", audience);
  if (fault !== undefined) return { redirect: back, notice: fault };
  return startExport(context, projectId, { domain, ...(audience.length > 0 && { audience }) }, back);
}

async function showSource(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  return sourcePage(context, project);
}

function sourcePage({ csrf, deps, form }: ConsoleContext, project: Project, errors?: FieldErrors): ConsoleAnswer {
  const { projectId, domain } = project;
  const path = `/console/sites/${projectId}`;
  return {
    title: `Source of ${domain}`,
    status: errors ? 422 : undefined,
    page: (
      <>
        <PageHead title="Source" back={[domain, path]} lead="Later exports read it. Running ones go on." />
        <SiteForm
          action={`${path}/source`}
          csrf={csrf}
          addCommand={addSiteCommand(deps, domain)}
          project={project}
          values={form}
          errors={errors}
        />
      </>
    ),
  };
}

async function changeSource(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const read = readSiteForm(context.form, project);
  if ("errors" in read) return sourcePage(context, project, read.errors);
  const { organizationId, projectId } = project;
  await context.deps.store.accounts.changeProject(organizationId, projectId, read.site, context.by);
  return { redirect: `/console/sites/${projectId}`, notice: "The source is changed. The next export reads it." };
}

async function confirmRemoval({ csrf }: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  return { title: `Remove ${project.domain}`, page: <RemovePage project={project} csrf={csrf} /> };
}

async function removeSite(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { organizationId, domain } = project;
  const typed = (context.form.get("domain") ?? "").trim().toLowerCase();
  if (typed !== domain)
    return {
      title: `Remove ${domain}`,
      status: 422,
      page: <RemovePage project={project} csrf={context.csrf} typed={typed} />,
    };
  await erase(context.deps.store, { kind: "site", organizationId, domain }, context.by);
  return { redirect: "/console/sites", notice: `${domain} is removed.` };
}

interface RemovePageProps {
  readonly project: Project;
  readonly csrf: string;
  /** Not the domain. */
  readonly typed?: string;
}

function RemovePage({ project, csrf, typed }: RemovePageProps): JsxNode {
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
