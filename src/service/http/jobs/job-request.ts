import { z } from "@hono/zod-openapi";
import { quoted } from "../../../lib/diagnostic/index.js";
import { groupsFault, sortedGroups } from "../../../lib/group-names.js";
import { checkSource, isRef, SourceFault } from "../../git/checkout/index.js";
import { domainFault, type IdempotencyKey, type Job, type Project, type SiteSource } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import { refuseStart, replayedHeader } from "../idempotency.js";
import type { ApiContext, RouteDeps } from "../request-context.js";
import { namedStrict } from "../schemas.js";

type GitSource = Extract<SiteSource, { kind: "git" }>;

/** Adds `message`, if there is one. */
export const addIssue = (context: z.RefinementCtx, message: string | undefined): void => {
  if (message !== undefined) context.addIssue({ code: "custom", message });
};

/** A string for which `faultOf` returns undefined. */
export const textWithout = (faultOf: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => addIssue(context, faultOf(text)));

export const domainSchema = (description: string) =>
  z
    .string()
    .toLowerCase()
    .superRefine((domain, context) => addIssue(context, domainFault('"domain"', domain)))
    .openapi({ description, example: "docs.example.com" });

/** Names of groups of readers, in the order of the alphabet. */
export const groupsSchema = (name: string, description: string, names = z.array(z.string())) =>
  names
    .superRefine((groups, context) => addIssue(context, groupsFault(`"${name}"`, groups)))
    .transform(sortedGroups)
    .optional()
    .openapi({ type: "array", items: { type: "string" }, description, example: ["partners", "staff"] });

/** Request that starts a job. Each message is a full sentence that says how to fix the request. */
export const jobRequestSchema = namedStrict("StaticExportRequest", {
  domain: domainSchema("Host name of the site to export, without scheme, port and path."),
  version: textWithout(labelFault).optional().openapi({
    description:
      "Tag, branch or commit of the site's repository. If it has none of that name, this only labels the export of what the site is set up with, and the log of the job says so. Left out: what the site is set up with. A full name, such as `refs/heads/main`, is no label, and its export is a preview.",
    example: "2026-06-01",
  }),
  paths: z
    .array(textWithout(pathFault))
    .min(1, { error: '"paths" is empty. To export every page, leave it out.' })
    .max(10_000, { error: '"paths" has more than 10,000 entries. To export every page, leave it out.' })
    .optional()
    .openapi({
      description: "Pages to export, each without slash at the beginning and without extension. Left out: all.",
      example: ["index", "guides/install"],
    }),
  audience: groupsSchema(
    "audience",
    "Groups of readers that the bundle is for: it also has what names one of them in its `groups`. Left out: only what everyone may read.",
    z.array(z.string()).min(1, { error: '"audience" is empty. For a bundle that everyone may read, leave it out.' }),
  ),
  webhookUrl: textWithout(webhookFault).optional().openapi({
    description: "Gets a signed POST once the job has ended.",
    example: "https://ci.example.com/hooks/docs",
  }),
});

export type JobRequest = z.infer<typeof jobRequestSchema>;

/** @param name the field, in quotation marks. @param kinds what it may name. */
export const refFault = (name: string, kinds: string, ref: string): string | undefined =>
  isRef(ref) ? undefined : `${name} is ${kinds} of the site's repository, not ${quoted(ref)}.`;

function labelFault(version: string): string | undefined {
  if (version.startsWith("refs/")) return refFault('"version"', "a tag or branch", version);
  if (/^[^\p{Cc}]{1,255}$/u.test(version) && version.trim() === version) return undefined;
  return `"version" must be a tag, branch, commit or label: one line of 1 to 255 characters, not ${quoted(version)}. To use the site's default, leave it out.`;
}

const maxPathLength = 1024;

function pathFault(path: string): string | undefined {
  // The expressions below are quadratic in the number of slashes.
  if (path.length > maxPathLength)
    return `A page in "paths" can have at most ${maxPathLength} characters; ${quoted(path)} has more.`;
  const expected = path.replace(/^\/+|\/+$/g, "").replace(/\.(mdx?|html?)$/i, "");
  const segments = expected.split("/");
  const usable =
    !/[\p{Cc}\\?#]/u.test(expected) &&
    segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (usable && expected === path) return undefined;
  const fix = usable ? `Write "${expected}".` : 'Write it like "guides/install".';
  return `${quoted(path)} in "paths" must not start or end with a slash or have an extension. ${fix}`;
}

function webhookFault(url: string): string | undefined {
  const parsed = url.length <= 2048 && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === "" && parsed.password === "") return undefined;
  return '"webhookUrl" must be an https:// or http:// URL of at most 2,048 characters, without a user name or password.';
}

/** Why a worker would refuse to fetch the repository. */
export function sourceFault(source: GitSource, writtenBy: "operator" | "tenant"): string | undefined {
  try {
    checkSource(source, writtenBy);
    return undefined;
  } catch (error) {
    if (error instanceof SourceFault) return error.message;
    throw error;
  }
}

/** @throws {ApiError} 403 if the organization's plan has no static export. */
export async function requirePlan({ accounts }: RouteDeps["store"], organizationId: string): Promise<void> {
  const plan = (await accounts.organizationById(organizationId))?.plan;
  if (plan !== "enterprise")
    throw new ApiError(403, `Static export needs the enterprise plan, but this organization has "${plan ?? "none"}".`);
}

/** Starts an export for the key of the request, and sets headers. @throws {ApiError} 403, 422 or 429. */
export async function startExport(
  { store }: RouteDeps,
  c: ApiContext,
  { projectId, domain, organizationId }: Pick<Project, "projectId" | "domain" | "organizationId">,
  request: Omit<JobRequest, "domain" | "paths"> & Pick<Job, "paths">,
  once: IdempotencyKey | undefined,
): Promise<Job> {
  const { keyId, name: requestedBy } = c.get("key")!;
  await requirePlan(store, organizationId);
  const { version, paths, audience, webhookUrl } = request;
  const overLimit = c.get("overLimit");
  const newJob = { organizationId, projectId, domain, version, paths, audience, webhookUrl, requestedBy };
  const created = overLimit
    ? once && (await store.jobs.repeated(organizationId, once))
    : await store.jobs.create(newJob, once, { keyId });
  if (!created) throw overLimit;
  refuseStart(created);
  c.header("Retry-After", "1");
  if (created.kind === "repeated") c.header(replayedHeader, "true");
  return created.job;
}
