import { groupsFault, splitGroups } from "../../../lib/group-names.js";
import { erase } from "../../erase.js";
import { DomainTakenError, type Project } from "../../jobs/index.js";
import { readDiagnostics } from "../../read-diagnostics.js";
import * as ui from "../components/index.js";
import { startExport } from "../jobs/handlers.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";
import { readSiteForm, SiteForm } from "./site-form.js";
import { SitePage } from "./site-page.js";
import { sitePath, sitesPage, sitesPath } from "./sites-page.js";

const shownJobs = 8;
const shownFindings = 1_000;

/** A handler for the site of the address. */
export const forSite = forObject(async ({ store, organizationId, params }): Promise<Project | undefined> => {
  const projects = await store.accounts.projects(organizationId);
  return projects.find(({ projectId }) => projectId === params["id"]);
});

export async function listSites(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { store, organizationId } = context;
  const [projects, jobs] = await Promise.all([
    store.accounts.projects(organizationId),
    store.jobs.latest(organizationId),
  ]);
  const jobBySite = new Map(jobs.map((job) => [job.projectId, job]));
  return sitesPage(
    context,
    projects.map((project) => ({ project, job: jobBySite.get(project.projectId) })),
  );
}

export const newSitePage = (context: ConsoleContext, errors?: ui.FieldErrors): ConsoleAnswer => ({
  title: "Add a site",
  status: errors && 422,
  page: [
    <ui.PageHead title="Add a site" back={["Sites", sitesPath]} lead="Documentation in a git repository." />,
    <SiteForm context={context} errors={errors} />,
  ],
});

export async function addSite(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { store, organizationId, form, by } = context;
  const read = readSiteForm(form);
  if ("errors" in read) return newSitePage(context, read.errors);
  try {
    const project = await store.accounts.addProject({ organizationId, ...read.site }, by);
    return {
      redirect: sitePath(project),
      notice: `${project.domain} is added. Export it now to see its diagnostics.`,
    };
  } catch (error) {
    if (!(error instanceof DomainTakenError)) throw error;
    return newSitePage(context, { domain: error.message });
  }
}

export async function showSite(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { store } = context;
  const { projectId, domain, organizationId } = project;
  const { jobs } = await store.jobs.list(organizationId, { domain, limit: shownJobs });
  const ownJobs = jobs.filter((job) => job.projectId === projectId);
  const latest = (await store.jobs.latest(organizationId)).find((job) => job.projectId === projectId);
  const checked = ownJobs.find(({ report }) => report);
  const key = checked?.report?.diagnosticsKey;
  const read = key === undefined ? undefined : await readDiagnostics(store.objects, key, { limit: shownFindings });
  const findings = typeof read === "object" ? read : undefined;
  return {
    title: domain,
    page: <SitePage {...{ context, project, checked, latest, findings }} jobs={ownJobs} />,
  };
}

export async function exportNow(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { projectId, domain } = project;
  const audience = splitGroups(context.form.get("audience") ?? "");
  const fault = groupsFault("An audience", audience);
  if (fault !== undefined) return { redirect: sitePath(project), notice: fault };
  const request = { domain, ...(audience.length > 0 && { audience }) };
  return startExport(context, projectId, request, sitePath(project));
}

export const sourcePage = (context: ConsoleContext, project: Project, errors?: ui.FieldErrors): ConsoleAnswer => ({
  title: `Source of ${project.domain}`,
  status: errors && 422,
  page: [
    <ui.PageHead
      title="Source"
      back={[project.domain, sitePath(project)]}
      lead="The next export reads it. Running exports are not affected."
    />,
    <SiteForm context={context} project={project} errors={errors} />,
  ],
});

export async function changeSource(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { store, form, by } = context;
  const read = readSiteForm(form, project);
  if ("errors" in read) return sourcePage(context, project, read.errors);
  await store.accounts.changeProject(project.organizationId, project.projectId, read.site, by);
  return { redirect: sitePath(project), notice: "The source is changed. The next export reads it." };
}

export const removePage = (context: ConsoleContext, project: Project, errors?: ui.FieldErrors): ConsoleAnswer => ({
  title: `Remove ${project.domain}`,
  status: errors && 422,
  page: [
    <ui.PageHead title={`Remove ${project.domain}`} back={[project.domain, sitePath(project)]} />,
    <ui.Notice kind="warning">
      <p>
        Its exports with their bundles, views and conversations are deleted, links to the bundles end at once, and
        queued and running exports fail. The repository stays as it is. This cannot be undone.
      </p>
    </ui.Notice>,
    <ui.Form
      action={`${sitePath(project)}/remove`}
      context={context}
      fields={[{ name: "domain", label: `Type ${project.domain} to confirm`, required: true, autofocus: true }]}
      errors={errors}
      submit="Remove the site"
      kind="danger"
      cancel={sitePath(project)}
    />,
  ],
});

export async function removeSite(context: ConsoleContext, project: Project): Promise<ConsoleAnswer> {
  const { store, form, by } = context;
  const { organizationId, domain } = project;
  if ((form.get("domain") ?? "").trim().toLowerCase() !== domain)
    return removePage(context, project, { domain: `Type ${domain} to remove this site.` });
  await erase(store, { kind: "site", organizationId, domain }, by);
  return { redirect: sitesPath, notice: `${domain} is removed.` };
}
