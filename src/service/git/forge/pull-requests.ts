import { type Fields, fieldsOf, valueOfJson } from "../../../lib/json/index.js";
import { askForge, ForgeFault, mayPass, type OpenForgeOptions } from "./ask-forge.js";
import type { ForgeKind, ForgeSettings, Repository } from "./forges.js";

export interface NewPullRequest {
  readonly branch: string;
  /** The branch that it is to be merged into. */
  readonly base: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly isDraft: boolean;
}

/** How a kind of forge names things. */
interface ForgeShape {
  path(repository: Repository): string;
  /** Of the list of open pull requests. */
  query(repository: Repository, branch: string): Readonly<Record<string, string>>;
  headers(token: string): Readonly<Record<string, string>>;
  body(request: NewPullRequest): object;
  branchOf(pull: Fields): unknown;
  /** The field with the web address of a pull request. */
  readonly address: string;
  /** The rights that a token needs. */
  readonly rights: string;
}

const ownerAndName = ({ path }: Repository): string => path.split("/").map(encodeURIComponent).join("/");

const shapes: Readonly<Record<Exclude<ForgeKind, "none">, ForgeShape>> = {
  github: {
    path: (repository) => `/repos/${ownerAndName(repository)}/pulls`,
    query: ({ path }, branch) => ({ head: `${path.split("/")[0]}:${branch}`, state: "open" }),
    headers: (token) => ({ authorization: `Bearer ${token}`, accept: "application/vnd.github+json" }),
    body: ({ title, branch, base, body, isDraft }) => ({ title, head: branch, base, body, draft: isDraft }),
    branchOf: ({ head }) => fieldsOf(head)["ref"],
    address: "html_url",
    rights: '"Contents" and "Pull requests", both with write access',
  },
  gitlab: {
    path: ({ path }) => `/projects/${encodeURIComponent(path)}/merge_requests`,
    query: (_, branch) => ({ source_branch: branch, state: "opened" }),
    headers: (token) => ({ "private-token": token }),
    body: ({ title, branch, base, body, isDraft }) => ({
      source_branch: branch,
      target_branch: base,
      title: isDraft ? `Draft: ${title}` : title,
      description: body,
    }),
    branchOf: ({ source_branch: branch }) => branch,
    address: "web_url",
    rights: 'the scopes "api" and "write_repository", and the role Developer',
  },
  gitea: {
    path: (repository) => `/repos/${ownerAndName(repository)}/pulls`,
    query: () => ({ state: "open", limit: String(pageSize) }),
    headers: (token) => ({ authorization: `token ${token}` }),
    body: ({ title, branch, base, body, isDraft }) => ({
      title: isDraft ? `WIP: ${title}` : title,
      head: branch,
      base,
      body,
    }),
    branchOf: ({ head }) => fieldsOf(head)["ref"],
    address: "html_url",
    rights: '"repository" with read and write access',
  },
};

/** The most pull requests that Gitea lists at once. The other forges list only those of the branch. */
const pageSize = 50;
const maxPages = 20;

/**
 * The pull requests of one repository.
 *
 * Fails: throws a `ForgeFault`. Stops: once the signal aborts, rejects with its reason.
 */
export function openForge(repository: Repository, settings: ForgeSettings, options: OpenForgeOptions) {
  const { kind, token, api, isOperators } = settings;
  const { host } = repository;
  const shape = kind === "none" ? undefined : shapes[kind];

  const ask = ({ path, headers }: ForgeShape, query: string, body?: object) =>
    askForge(`${api}${path(repository)}${query}`, headers(token), body, { ...options, allowPrivate: isOperators });
  const faultOf = ({ rights }: ForgeShape, { status, reason }: { status?: number; reason: string }): ForgeFault => {
    if (status === 401)
      return new ForgeFault(`${host} rejected the credential's token. Replace it: offprint credential rotate.`);
    if (status === 403) return new ForgeFault(`The token for ${host} lacks a permission. The token needs ${rights}.`);
    if (status === 404)
      return new ForgeFault(
        `${host} has no repository "${repository.path}" that the token can access. The token needs ${rights}.`,
      );
    return new ForgeFault(`The pull request could not be created on ${host}, because ${reason}.`, mayPass({ status }));
  };
  const addressOf = (pull: Fields, field: string): string => {
    const address = pull[field];
    if (typeof address !== "string" || address.length > 2048 || !/^https?:\/\//.test(address) || !URL.canParse(address))
      throw new ForgeFault(`${host} sent an answer that is not a pull request.`);
    return address;
  };

  /** @returns the address of the open pull request of that branch; undefined if there is none. */
  const find = async (branch: string): Promise<string | undefined> => {
    for (let page = 1; shape && page <= maxPages; page++) {
      const query = { ...shape.query(repository, branch), ...(page > 1 && { page: String(page) }) };
      const outcome = await ask(shape, `?${new URLSearchParams(query)}`);
      if (!outcome.ok) throw faultOf(shape, outcome);
      const pulls = valueOfJson(outcome.text);
      if (!Array.isArray(pulls)) throw faultOf(shape, { reason: "its answer is not a list" });
      const pull = pulls.map(fieldsOf).find((fields) => shape.branchOf(fields) === branch);
      if (pull) return addressOf(pull, shape.address);
      if (pulls.length < pageSize) return undefined;
    }
    return undefined;
  };
  return {
    find,
    /** @returns the address of a new pull request, or of the open one of that branch; undefined if the forge has none. */
    async open(request: NewPullRequest): Promise<string | undefined> {
      const open = await find(request.branch);
      if (open !== undefined || !shape) return open;
      const outcome = await ask(shape, "", shape.body(request));
      if (outcome.ok) return addressOf(fieldsOf(valueOfJson(outcome.text)), shape.address);
      // Another process was faster, or the answer to an earlier try was lost.
      const existing = outcome.status === 409 || outcome.status === 422 ? await find(request.branch) : undefined;
      if (existing === undefined) throw faultOf(shape, outcome);
      return existing;
    },
  };
}
