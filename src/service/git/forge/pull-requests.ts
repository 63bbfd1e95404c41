import { type Fields, fieldsOf } from "../../../lib/json/index.js";
import { askForge, ForgeFault, mayPass, type OpenForgeOptions, parsed } from "./ask-forge.js";
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

/** The pull requests of one repository. */
export interface PullRequests {
  /** Address of the open one of that branch. Undefined: there is none. */
  find(branch: string): Promise<string | undefined>;
  /** Address of a new one, or of the open one of that branch. Undefined: this forge has none. */
  open(request: NewPullRequest): Promise<string | undefined>;
}

interface ForgeShape {
  path(repository: Repository): string;
  /** Query of a list of open ones. */
  query(repository: Repository, branch: string): Readonly<Record<string, string>>;
  headers(token: string): Readonly<Record<string, string>>;
  body(request: NewPullRequest): object;
  branchOf(pull: Fields): unknown;
  readonly address: string;
  /** What a token needs. */
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

/** What a forge gives at most; the lists of the others are already those of the branch. */
const pageSize = 50;
const mostPages = 20;

/** Fails: throws a `ForgeFault`. Stops: once the signal aborts, rejects with its reason. */
export function openForge(repository: Repository, settings: ForgeSettings, options: OpenForgeOptions): PullRequests {
  const { kind, token, api, isOperators } = settings;
  if (kind === "none") return { find: async () => undefined, open: async () => undefined };
  const shape = shapes[kind];

  const ask = (query: string, body?: object) =>
    askForge(`${api}${shape.path(repository)}${query}`, shape.headers(token), body, {
      ...options,
      allowPrivate: isOperators,
    });
  const faultOf = ({ status, reason }: { readonly status?: number; readonly reason: string }): ForgeFault => {
    const { host } = repository;
    if (status === 401)
      return new ForgeFault(
        `${host} refuses the token of the credential. Replace it: offprint credential rotate.`,
        false,
      );
    if (status === 403) return new ForgeFault(`The token for ${host} lacks a right. It needs ${shape.rights}.`, false);
    if (status === 404)
      return new ForgeFault(
        `${host} has no repository "${repository.path}" that the token may see. It needs ${shape.rights}.`,
        false,
      );
    const retry = mayPass(status === undefined ? {} : { status });
    return new ForgeFault(`The pull request could not be made at ${host}, because ${reason}.`, retry);
  };
  const addressOf = (pull: Fields): string => {
    const address = pull[shape.address];
    const isAddress = typeof address === "string" && address.length <= 2048 && /^https?:\/\//.test(address);
    if (!isAddress || !URL.canParse(address))
      throw new ForgeFault(`${repository.host} answered something else than a pull request.`, false);
    return address;
  };

  const find: PullRequests["find"] = async (branch) => {
    for (let page = 1; page <= mostPages; page++) {
      const query = new URLSearchParams({
        ...shape.query(repository, branch),
        ...(page > 1 && { page: String(page) }),
      });
      const outcome = await ask(`?${query}`);
      if (!outcome.ok) throw faultOf(outcome);
      const pulls = parsed(outcome.text);
      if (!Array.isArray(pulls)) throw faultOf({ reason: "it answered no list" });
      const found = pulls.map(fieldsOf).find((pull) => shape.branchOf(pull) === branch);
      if (found) return addressOf(found);
      if (pulls.length < pageSize) return undefined;
    }
    return undefined;
  };
  return {
    find,
    async open(request) {
      const known = await find(request.branch);
      if (known !== undefined) return known;
      const outcome = await ask("", shape.body(request));
      if (outcome.ok) return addressOf(fieldsOf(parsed(outcome.text)));
      // Another process was faster, or the answer to an earlier try was lost.
      const taken = outcome.status === 409 || outcome.status === 422 ? await find(request.branch) : undefined;
      if (taken === undefined) throw faultOf(outcome);
      return taken;
    },
  };
}
