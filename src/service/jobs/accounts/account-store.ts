import { randomBytes } from "node:crypto";
import type { Deployment } from "../../../lib/deployments.js";
import { quoted } from "../../../lib/diagnostic/index.js";
import { type Row, type Sql, sql, type Transaction } from "../database/database.js";
import { newId, recordReader } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertAuditEntry, insertPersonEntry } from "../people/audit-log.js";
import type { Actor, Person } from "../people/person.js";
import * as apiKeys from "./api-keys.js";
import { createCountedUses, forgetFailures } from "./counted-uses.js";

/** The customer. Projects, keys and jobs belong to exactly one organization. */
export interface Organization {
  /** `org_` and 32 hexadecimal digits. */
  readonly organizationId: string;
  readonly name: string;
  readonly plan: Plan;
}

/** Static export requires `enterprise`, the default of a new organization. */
export type Plan = "free" | "pro" | "enterprise";

/** One documentation site. */
export interface Project {
  /** `prj_` and 32 hexadecimal digits. */
  readonly projectId: string;
  readonly organizationId: string;
  /** Host name in lower case, unique: `docs.acme.com`. */
  readonly domain: string;
  /** Unique; names the project in the addresses of the assistant: by default the first label of the domain, `docs`. */
  readonly identifier: string;
  readonly source: SiteSource;
  readonly deployment: Deployment;
  readonly counting: Counting;
  /** Signs the webhooks of the project's jobs. */
  readonly webhookSecret: string;
  /** The secret from before the last rotation, which also signs until then. */
  readonly oldWebhookSecret?: { readonly secret: string; readonly until: Date };
  /** Set for a removed project, whose last webhooks may still have to be sent. Only `projectById` finds it. */
  readonly removedAt?: Date;
}

export type NewProject = Pick<Project, "organizationId" | "domain" | "source" | "deployment">;

/** The one source of a site's views, so that none is counted twice. Views from other sources are dropped. */
export interface Counting {
  /** Views of people: the server that answers, the script in the pages, or imported logs. */
  readonly humansFrom: "server" | "beacon" | "logs";
  /** Views of agents and bots, which seldom run the script. */
  readonly agentsFrom: "server" | "logs";
}

export type SiteSource =
  | { readonly kind: "folder"; readonly path: string }
  | {
      readonly kind: "git";
      /** https://, ssh:// or file://, without credentials. */
      readonly url: string;
      /** Branch, tag or commit. Default: the repository's default branch. */
      readonly ref?: string;
      /** Folder of the site in the repository, with `/`. */
      readonly subfolder?: string;
    };

export class DomainTakenError extends Error {
  override readonly name = "DomainTakenError";
}

const label = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";
const hostName = new RegExp(`^${label}(\\.${label})*$`);

/** Why a lower-case text is no domain, and what to write; undefined if it is one. @param subject its field. */
export function domainFault(subject: string, domain: string): string | undefined {
  if (domain.length <= 253 && hostName.test(domain)) return undefined;
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@]*@)?([^/:?#@]+)/.exec(domain)?.[1];
  const fix = host && hostName.test(host) ? ` Write "${host}".` : ' Write it like "docs.example.com".';
  return `${subject} must be a host name without scheme, port or path, not ${quoted(domain)}.${fix}`;
}

/** A key that is used all the time costs one write a minute. */
const usedEveryMs = 60_000;

export type AccountStore = ReturnType<typeof createAccountStore>;

/**
 * Organizations, their sites and their keys. Every call is one transaction. A change adds its line to the audit log in
 * this transaction; `by` is who makes the change.
 */
export function createAccountStore(deps: StoreDeps) {
  const { database, now } = deps;
  const readProjects = async (condition: Sql): Promise<readonly Project[]> =>
    (await database.read`select * from projects where ${condition} order by domain`).map(projectOf);

  const audit = (
    transaction: Transaction,
    organizationId: string,
    by: Actor | undefined,
    action: string,
    subject: string,
    detail = "",
  ): Promise<void> => insertAuditEntry(transaction, now(), { organizationId, ...by, action, subject, detail });
  const addOrganization = async (transaction: Transaction, name: string, plan: Plan = "enterprise", by?: Actor) => {
    const [row] = await transaction.query`insert into organizations (organization_id, name, plan)
      values (${newId("org")}, ${name}, ${plan}) on conflict (name) do nothing returning *`;
    const created = row && organizationOf(row);
    if (created) await audit(transaction, created.organizationId, by, "organization.create", name, plan);
    return created;
  };
  /** Changes a project that is not removed, and adds the line of the audit log. */
  const changeProject = (
    project: Sql,
    changes: Sql,
    by: Actor | undefined,
    action: string,
    detail: (project: Project) => string,
  ): Promise<Project | undefined> =>
    database.transaction(async (transaction) => {
      const [row] =
        await transaction.query`update projects set ${changes} where ${project} and removed_at is null returning *`;
      const changed = row && projectOf(row);
      if (changed) await audit(transaction, changed.organizationId, by, action, changed.domain, detail(changed));
      return changed;
    });

  return {
    /** The organization with that name. It is created with `plan` if it does not exist. */
    organization: (name: string, plan?: Plan, by?: Actor): Promise<Organization> =>
      database.transaction(async (transaction) => {
        const created = await addOrganization(transaction, name, plan, by);
        if (created) return created;
        const [row] = await transaction.query`select * from organizations where name = ${name}`;
        return organizationOf(row!);
      }),
    /** Undefined if there is one with that name already. */
    createOrganization: (name: string, plan?: Plan, by?: Actor): Promise<Organization | undefined> =>
      database.transaction((transaction) => addOrganization(transaction, name, plan, by)),
    /** All, sorted by name. */
    async organizations(): Promise<readonly Organization[]> {
      return (await database.read`select * from organizations order by name`).map(organizationOf);
    },
    async organizationById(organizationId: string): Promise<Organization | undefined> {
      const [row] = await database.read`select * from organizations where organization_id = ${organizationId}`;
      return row && organizationOf(row);
    },
    setPlan: (organizationId: string, plan: Plan, by?: Actor): Promise<void> =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`update organizations set plan = ${plan}
          where organization_id = ${organizationId} returning name`;
        if (row) await audit(transaction, organizationId, by, "organization.plan", row["name"] as string, plan);
      }),

    /** @throws {DomainTakenError} if another project has the domain. */
    addProject: (added: NewProject, by?: Actor): Promise<Project> =>
      database.transaction(async (transaction) => {
        const { organizationId, domain, source, deployment } = added;
        const identifier = await freeIdentifier(transaction, organizationId, domain);
        const [row] = await transaction.query`insert into projects
            (project_id, organization_id, domain, source, deployment, webhook_secret, identifier)
          values (${newId("prj")}, ${organizationId}, ${domain}, ${JSON.stringify(source)}, ${deployment},
            ${newWebhookSecret()}, ${identifier})
          on conflict (domain) where removed_at is null do nothing returning *`;
        if (!row)
          throw new DomainTakenError(
            `Another site already has the domain "${domain}". Remove that site first, or choose another domain.`,
          );
        await audit(transaction, organizationId, by, "site.add", domain, sourceText(source));
        return projectOf(row);
      }),
    projects: (organizationId: string) => readProjects(sql`organization_id = ${organizationId} and removed_at is null`),
    /** From any organization: check the owner before use. */
    async projectByDomain(domain: string): Promise<Project | undefined> {
      return (await readProjects(sql`domain = ${domain} and removed_at is null`))[0];
    },
    /** Finds a project of the organization by identifier, domain, or a first label of the domain that no other has. */
    async projectByName(organizationId: string, name: string): Promise<Project | undefined> {
      const projects = await readProjects(sql`organization_id = ${organizationId} and removed_at is null
        and (identifier = ${name} or domain = ${name} or substr(domain, 1, ${name.length + 1}) = ${`${name}.`})`);
      const named = projects.find(({ identifier }) => identifier === name);
      const ofLabel = projects.filter(({ domain }) => !name.includes(".") && domain.startsWith(`${name}.`));
      return named ?? projects.find(({ domain }) => domain === name) ?? (ofLabel.length === 1 ? ofLabel[0] : undefined);
    },
    /** Finds removed projects, too. */
    async projectById(projectId: string): Promise<Project | undefined> {
      return (await readProjects(sql`project_id = ${projectId}`))[0];
    },
    /** Changes the source for later jobs. Undefined if the organization has no such project. */
    changeProject: (
      organizationId: string,
      projectId: string,
      { source, deployment }: Pick<Project, "source" | "deployment">,
      by?: Actor,
    ) =>
      changeProject(
        sql`organization_id = ${organizationId} and project_id = ${projectId}`,
        sql`source = ${JSON.stringify(source)}, deployment = ${deployment}`,
        by,
        "site.change",
        () => sourceText(source),
      ),
    /** Changes who counts the project's views. Undefined if there is no such project. */
    setCounting: (organizationId: string, domain: string, { humansFrom, agentsFrom }: Partial<Counting>, by?: Actor) =>
      changeProject(
        sql`organization_id = ${organizationId} and domain = ${domain}`,
        sql`humans_from = coalesce(${humansFrom}, humans_from), agents_from = coalesce(${agentsFrom}, agents_from)`,
        by,
        "site.set-counting",
        ({ counting }) => `people from ${counting.humansFrom}, agents from ${counting.agentsFrom}`,
      ),
    /** Creates a new secret for the project. The old one also signs for `overlapMs`. Undefined without such a project. */
    rotateWebhookSecret: (organizationId: string, domain: string, overlapMs: number, by?: Actor) =>
      changeProject(
        sql`organization_id = ${organizationId} and domain = ${domain}`,
        sql`old_webhook_secret = webhook_secret, old_webhook_secret_until = ${now() + overlapMs},
          webhook_secret = ${newWebhookSecret()}`,
        by,
        "site.rotate-secret",
        () => "",
      ),

    /** `secret` begins with `svc_`, or `svc_dsc_` for an assistant key. It cannot be read again. */
    createKey: (newKey: apiKeys.NewApiKey, by?: Actor): Promise<apiKeys.CreatedKey> =>
      database.transaction(async (transaction) => {
        const created = await apiKeys.insertKey(transaction, newKey, now());
        const { keyId, kind, name, organizationId } = created.key;
        await audit(transaction, organizationId, by, "key.create", keyId, `${kind} ${name}`);
        return created;
      }),
    /** A key like an old one, which expires after `overlapMs`. Undefined if there is no such key, or it is invalid. */
    rotateKey: (
      organizationId: string,
      keyId: string,
      overlapMs: number,
      by?: Actor,
    ): Promise<apiKeys.CreatedKey | undefined> =>
      database.transaction(async (transaction) => {
        const time = now();
        const [row] = await transaction.query`select * from api_keys where organization_id = ${organizationId}
          and key_id = ${keyId} and revoked_at is null and (expires_at is null or expires_at > ${time})`;
        if (!row) return undefined;
        const { createdAt, expiresAt, ...old } = apiKeys.apiKeyOf(row);
        const endsAt = Math.min(expiresAt?.getTime() ?? Number.POSITIVE_INFINITY, time + overlapMs);
        await transaction.query`update api_keys set expires_at = ${endsAt} where key_id = ${keyId}`;
        const newExpiresAt = expiresAt && new Date(time + (expiresAt.getTime() - createdAt.getTime()));
        const created = await apiKeys.insertKey(transaction, { ...old, expiresAt: newExpiresAt }, time);
        await audit(transaction, organizationId, by, "key.rotate", keyId, `new key ${created.key.keyId}`);
        return created;
      }),
    async keys(organizationId: string): Promise<readonly apiKeys.ApiKey[]> {
      const rows = await database.read`select * from api_keys
        where organization_id = ${organizationId} order by created_at, key_id`;
      return rows.map(apiKeys.apiKeyOf);
    },
    revokeKey: (organizationId: string, keyId: string, by?: Actor): Promise<boolean> =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`update api_keys set revoked_at = ${now()}
          where organization_id = ${organizationId} and key_id = ${keyId} and revoked_at is null returning name`;
        if (row) await audit(transaction, organizationId, by, "key.revoke", keyId, row["name"] as string);
        return row !== undefined;
      }),
    /** The key with that secret, even if it has expired or been revoked. Compares hashes in constant time. */
    async findKey(secret: string): Promise<apiKeys.ApiKey | undefined> {
      const rows = await database.read`select * from api_keys where hash_start = ${apiKeys.hashStart(secret)}`;
      const row = rows.find((candidate) => apiKeys.isSecretOf(candidate, secret));
      return row && apiKeys.apiKeyOf(row);
    },
    /** Stores that the key is used now, unless its last use is less than a minute old. */
    async markKeyUsed({ keyId, lastUsedAt }: apiKeys.ApiKey): Promise<void> {
      if (lastUsedAt && Math.abs(now() - lastUsedAt.getTime()) < usedEveryMs) return;
      await database.write`update api_keys set last_used_at = ${now()}
        where key_id = ${keyId} and abs(coalesce(last_used_at, 0) - ${now()}) >= ${usedEveryMs}`;
    },

    ...createCountedUses(deps),
    /** Forgets the failures of a person, who can then log in at once. */
    unlock: (
      { personId, email: subject }: Pick<Person, "personId" | "email">,
      names: readonly string[],
      by: Actor,
    ): Promise<void> =>
      database.transaction(async (transaction) => {
        await forgetFailures(transaction, names);
        await insertPersonEntry(transaction, now(), personId, { ...by, action: "person.unlock", subject, detail: "" });
      }),
  };
}

/** For the audit log. URLs of sources have no user name or password. */
const sourceText = (source: Project["source"]): string => (source.kind === "git" ? source.url : source.path);

const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

const organizationOf = recordReader<Organization>(["organizationId", "name", "plan"]);

const ownFieldsOf = recordReader<Omit<Project, "counting" | "oldWebhookSecret">>(
  ["projectId", "organizationId", "domain", "identifier", "deployment", "webhookSecret", "removedAt"],
  ["source"],
);

const projectOf = (row: Row): Project => ({
  ...ownFieldsOf(row),
  counting: {
    humansFrom: (row["humans_from"] ?? "server") as Counting["humansFrom"],
    agentsFrom: (row["agents_from"] ?? "server") as Counting["agentsFrom"],
  },
  ...(row["old_webhook_secret"] !== null && {
    oldWebhookSecret: {
      secret: row["old_webhook_secret"] as string,
      until: new Date(row["old_webhook_secret_until"] as number),
    },
  }),
});

/** The first label of the domain that no project of the organization has as its identifier, else the first two, and so on. */
async function freeIdentifier(transaction: Transaction, organizationId: string, domain: string): Promise<string> {
  await transaction.lock("identifiers");
  const labels = domain.split(".");
  for (let count = 1; ; count++) {
    const beyond = count - labels.length;
    const identifier = labels.slice(0, count).join("-") + (beyond > 0 ? `-${beyond + 1}` : "");
    const holders = await transaction.query`select 1 as one from projects
      where organization_id = ${organizationId} and identifier = ${identifier} and removed_at is null`;
    if (holders.length === 0) return identifier;
  }
}
