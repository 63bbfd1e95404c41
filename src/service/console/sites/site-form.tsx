import { deployments } from "../../../lib/deployments.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { sourceFault } from "../../http/index.js";
import { domainFault, type Project, type SiteSource } from "../../jobs/index.js";
import { addSiteCommand } from "../add-site.js";
import * as ui from "../components/index.js";
import type { ConsoleContext } from "../route.js";
import { sitePath, sitesPath } from "./sites-page.js";

interface SiteFormProps {
  readonly context: ConsoleContext;
  /** Undefined for a new site. */
  readonly project?: Project;
  readonly errors?: ui.FieldErrors;
}

/**
 * The form for the domain and the repository of a site. A folder of the service's machine can only be chosen on that
 * machine; otherwise every editor of the console could read its files.
 */
export function SiteForm({ context, project, errors }: SiteFormProps): JsxNode {
  const source = project?.source;
  const git = source?.kind === "git" ? source : undefined;
  return (
    <>
      {source?.kind === "folder" && (
        <ui.Notice>
          <p>
            The site is read from the folder <code>{source.path}</code> of the service's machine. A repository replaces
            it.
          </p>
        </ui.Notice>
      )}
      <ui.Form
        action={project ? `${sitePath(project)}/source` : sitesPath}
        context={context}
        fields={[
          !project && {
            name: "domain",
            label: "Domain",
            placeholder: "docs.example.com",
            hint: "The host name under which readers open the site.",
            required: true,
          },
          {
            name: "url",
            label: "Repository",
            type: "url",
            value: git?.url,
            placeholder: "https://git.example.com/docs.git",
            hint: "Starts with https:// or ssh://, without a user name or password. A private repository needs a credential of the organization.",
            required: true,
          },
          {
            name: "ref",
            label: "Branch, tag or commit",
            value: git?.ref,
            placeholder: "main",
            hint: "Leave empty for the default branch of the repository.",
            required: false,
          },
          {
            name: "subfolder",
            label: "Folder in the repository",
            value: git?.subfolder,
            placeholder: "docs",
            hint: "The folder that contains docs.json. Leave empty for the root of the repository.",
            required: false,
          },
          {
            name: "deployment",
            label: "Where it is served",
            value: project?.deployment,
            options: [
              ["cloud", "Online: readers reach other hosts"],
              ["client-hosted", "On your own hosts"],
              ["air-gapped", "Air-gapped: nothing is loaded from the internet"],
            ],
          },
        ]}
        errors={errors}
        submit={project ? "Save" : "Add the site"}
        cancel={project ? sitePath(project) : sitesPath}
      />
      {!project && (
        <div class="aside">
          <p>If the documentation is in a folder on the service's machine, add it there:</p>
          <ui.Command text={addSiteCommand(context.deps)} />
        </div>
      )}
    </>
  );
}

type GitSource = Extract<SiteSource, { kind: "git" }>;
type Site = Pick<Project, "domain" | "source" | "deployment">;

/** The site that a form asks for, or what is wrong with its fields. */
export function readSiteForm(
  form: URLSearchParams,
  project?: Project,
): { readonly site: Site } | { readonly errors: ui.FieldErrors } {
  const errors: Record<string, string> = {};
  const text = (name: string): string => (form.get(name) ?? "").trim();
  const domain = project?.domain ?? text("domain").toLowerCase();
  const currentUrl = project?.source.kind === "git" ? project.source.url : undefined;
  const fault = domainFault("A domain", domain);
  if (fault !== undefined) errors["domain"] = domain === "" ? "Enter the domain of the site." : fault;
  const deployment = text("deployment");
  if (!isDeployment(deployment)) errors["deployment"] = "Choose one of the three options.";
  const url = text("url");
  const ref = text("ref") || undefined;
  // Shortened first: the time of the expressions is quadratic in the number of slashes.
  const subfolder =
    text("subfolder")
      .slice(0, 1024)
      .replace(/^(?:\.?\/)+/, "")
      .replace(/\/+$/, "") || undefined;
  const check = (field: string, source: Partial<GitSource>): void => {
    // A repository of the service's machine, which only the operator can choose, stays valid.
    const message = sourceFault({ kind: "git", url, ...source }, url === currentUrl ? "operator" : "tenant");
    if (message !== undefined) errors[field] = message;
  };
  if (url === "") errors["url"] = "Enter the URL of the repository.";
  else if (url.length > 2048) errors["url"] = "A URL can have at most 2,048 characters.";
  else check("url", {});
  if (errors["url"] === undefined) {
    check("ref", { ref });
    check("subfolder", { subfolder });
  }
  return Object.keys(errors).length > 0 || !isDeployment(deployment)
    ? { errors }
    : { site: { domain, source: { kind: "git", url, ref, subfolder }, deployment } };
}

const isDeployment = (text: string): text is Project["deployment"] => (deployments as readonly string[]).includes(text);
