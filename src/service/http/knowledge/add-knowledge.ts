import type { OpenAPIHono } from "@hono/zod-openapi";
import { type Passage, type SiteIndex, type SiteIndexes, sectionTitle } from "../../assistant/index.js";
import type { Project } from "../../jobs/index.js";
import { asUnavailable } from "../api-error.js";
import { authenticate } from "../authenticate.js";
import { limitKnowledge } from "../rate-limit.js";
import { readJson } from "../request-body.js";
import type { ApiContext, ApiEnvironment, RouteDeps } from "../request-context.js";
import * as routes from "./routes.js";

/** An index takes memory, so further sites of an organization are not searched. */
const maxSites = 50;
const maxPassages = 20;
const charactersPerToken = 4;

interface Site {
  readonly project: Project;
  readonly index: SiteIndex;
}
interface Filter {
  readonly includeDomains?: readonly string[] | undefined;
  readonly excludeDomains?: readonly string[] | undefined;
}

/** Adds the search over all sites of the key's organization, for programs and agents. */
export function addKnowledge(app: OpenAPIHono<ApiEnvironment>, deps: RouteDeps, siteIndexes: SiteIndexes): void {
  const { accounts } = deps.store;
  const indexes = asUnavailable(siteIndexes, "object store");
  app.use(
    "/api/universal-search/*",
    authenticate(deps, "admin", "read"),
    limitKnowledge(deps),
    readJson(deps.options.maxBodyBytes),
  );

  const sitesOf = async (c: ApiContext, { includeDomains, excludeDomains = [] }: Filter): Promise<Site[]> => {
    const projects = await accounts.projects(c.get("key")!.organizationId);
    const isOf = (domain: string) => (name: string) => {
      const parent = name.toLowerCase();
      return domain === parent || domain.endsWith(`.${parent}`);
    };
    const searched = projects.filter(
      ({ domain }) => (includeDomains?.some(isOf(domain)) ?? true) && !excludeDomains.some(isOf(domain)),
    );
    const sites = await Promise.all(
      searched.slice(0, maxSites).map(async (project) => ({ project, index: await indexes.of(project) })),
    );
    return sites.flatMap(({ project, index }) => (index ? [{ project, index }] : []));
  };
  /** Weights the scores of a site by how much of the query it answers, so that scores of several sites are comparable. */
  const search = async (sites: readonly Site[], query: string, count: number): Promise<routes.KnowledgeResult[]> => {
    const resultsBySite = await Promise.all(
      sites.map(async (site) => {
        const { passages, coverage } = await site.index.search({ query, count });
        const best = passages[0]?.score || 1;
        return passages.map((passage) => resultOf(site, passage, Math.min(1, coverage * (passage.score / best))));
      }),
    );
    return resultsBySite
      .flat()
      .sort((a, b) => b.score - a.score)
      .slice(0, count);
  };

  app.openapi(routes.search, async (c) => {
    const { query, numResults, text, ...filter } = c.req.valid("json");
    const results = await search(await sitesOf(c, filter), query, numResults);
    const limit = text === false ? 0 : text === true ? Number.POSITIVE_INFINITY : text.maxCharacters;
    return c.json({ requestId: c.get("requestId"), results: results.map((result) => cut(result, limit)) }, 200);
  });

  app.openapi(routes.contents, async (c) => {
    const { ids = [], urls = [], maxCharacters = Number.POSITIVE_INFINITY, query } = c.req.valid("json");
    const sites = await sitesOf(c, {});
    const results: routes.KnowledgeResult[] = [];
    const statuses = [];
    for (const id of [...ids, ...urls]) {
      const result = await pageOf(sites, id, query, maxCharacters);
      if (result) results.push(result);
      statuses.push(
        result
          ? { id, status: "success" as const }
          : { id, status: "error" as const, error: { tag: "NOT_FOUND", httpStatusCode: 404 } },
      );
    }
    return c.json({ requestId: c.get("requestId"), results, statuses }, 200);
  });

  app.openapi(routes.context, async (c) => {
    const { query, product, format, tokenBudget, ...filter } = c.req.valid("json");
    const words = product === undefined ? query : `${query}\n${product}`;
    const results = await search(await sitesOf(c, filter), words, maxPassages);
    const room = tokenBudget * charactersPerToken;
    let response = "";
    let resultsCount = 0;
    for (let count = 1; count <= results.length; count++) {
      const longer = contextText(results.slice(0, count), format);
      if (longer.length > room) break;
      response = longer;
      resultsCount = count;
    }
    const outputTokens = Math.ceil(response.length / charactersPerToken);
    return c.json({ requestId: c.get("requestId"), query, response, resultsCount, outputTokens }, 200);
  });
}

const contextText = (results: readonly routes.KnowledgeResult[], format: "txt" | "json"): string =>
  format === "json"
    ? JSON.stringify({ results })
    : results
        .map(({ title, url, text }) => `### ${title}\n\nSource: ${url}\n\n${text}\n\n${"-".repeat(32)}`)
        .join("\n\n");

function resultOf({ project }: Site, passage: Passage, score: number): routes.KnowledgeResult {
  const { path, anchor, url, trail, text } = passage;
  return {
    id: `${project.identifier}:${path}${anchor === "" ? "" : `#${anchor}`}`,
    url,
    title: sectionTitle(passage),
    text,
    truncated: false,
    totalCharacters: text.length,
    score,
    source: "mintlify",
    siteName: project.identifier,
    breadcrumbs: [...trail],
    publishedDate: null,
  };
}

const cut = (result: routes.KnowledgeResult, limit: number): routes.KnowledgeResult => {
  const { text } = result;
  return { ...result, text: text.slice(0, limit).toWellFormed(), truncated: text.length > limit };
};

/** @param id of a result, or the address of a page. */
async function pageOf(
  sites: readonly Site[],
  id: string,
  query: string | undefined,
  maxCharacters: number,
): Promise<routes.KnowledgeResult | undefined> {
  for (const site of sites) {
    const { project, index } = site;
    const { identifier } = project;
    const prefix = [`${identifier}:`, index.baseUrl, `https://${project.domain}`].find((start) => id.startsWith(start));
    const path = prefix === undefined ? undefined : id.slice(prefix.length).replace(/[?#].*$/s, "");
    if (path === undefined || (path !== "" && !path.startsWith("/"))) continue;
    const page = await index.page(path.replace(/\.(?:html|md)$|(?<=.)\/$/, "") || "/");
    if (!page) continue;
    const text = await selected(site, page, query, maxCharacters);
    const title = /^#+ +(.+)$/m.exec(page.content)?.[1] ?? page.path;
    return {
      id: `${identifier}:${page.path}`,
      url: `${index.baseUrl}${page.path === "/" ? "" : page.path}`,
      title,
      text,
      truncated: text.length < page.content.length,
      totalCharacters: page.content.length,
      score: 0,
      source: "mintlify",
      siteName: identifier,
      breadcrumbs: [],
      publishedDate: null,
    };
  }
  return undefined;
}

/** The page, or of one that is too long the sections that the query finds, or else its beginning. */
async function selected(
  { index }: Site,
  { path, content }: { readonly path: string; readonly content: string },
  query: string | undefined,
  maxCharacters: number,
): Promise<string> {
  if (content.length <= maxCharacters) return content;
  const { passages } = query === undefined ? { passages: [] } : await index.search({ query, count: 50 });
  const sections = passages
    .filter((passage) => passage.path === path)
    .map(({ heading, text }) => `${heading}\n\n${text}`);
  const text = sections.length > 0 ? sections.join("\n\n") : content;
  return text.slice(0, maxCharacters).toWellFormed();
}
