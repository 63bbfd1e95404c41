import { randomBytes } from "node:crypto";
import { type Row, type Sql, sql, type Transaction } from "../database/database.js";
import { newId, recordReader } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertAuditEntry, insertPersonEntry } from "../people/audit-log.js";
import type { Actor } from "../people/person-store.js";
import {
  type AccountStore,
  type Counting,
  DomainTakenError,
  type Organization,
  type Plan,
  type Project,
} from "./account-store.js";
import { apiKeyOf, hashStart, insertKey, isSecretOf } from "./api-keys.js";
import {
  addUses,
  countFailure,
  countUse,
  failuresOf,
  forgetFailures,
  saltOf,
  takeBackFailure,
  usesSince,
} from "./counted-uses.js";

/** A key that is used all the time costs one write a minute. */
const usedEveryMs = 60_000;

export function createAccountStore(deps: StoreDeps): AccountStore {
  const { database, now } = deps;
  const readProjects = async (condition: Sql): Promise<readonly Project[]> => {
    const read = () => database.read`select * from projects where ${condition} order by domain`;
    const rows = await read();
    if (!rows.some(lacksIdentifier)) return rows.map(projectOf);
    await database.transaction(addIdentifiers);
    return (await read()).map(projectOf);
  };

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
    organization: (name, plan, by) =>
      database.transaction(async (transaction) => {
        const created = await addOrganization(transaction, name, plan, by);
        if (created) return created;
        const [row] = await transaction.query`select * from organizations where name = ${name}`;
        return organizationOf(row!);
      }),
    createOrganization: (name, plan, by) =>
      database.transaction((transaction) => addOrganization(transaction, name, plan, by)),
    async organizations() {
      return (await database.read`select * from organizations order by name`).map(organizationOf);
    },
    async organizationById(organizationId) {
      const [row] = await database.read`select * from organizations where organization_id = ${organizationId}`;
      return row && organizationOf(row);
    },
    setPlan: (organizationId, plan, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`update organizations set plan = ${plan}
          where organization_id = ${organizationId} returning name`;
        if (row) await audit(transaction, organizationId, by, "organization.plan", row["name"] as string, plan);
      }),

    addProject: ({ organizationId, domain, source, deployment }, by) =>
      database.transaction(async (transaction) => {
        const identifier = await freeIdentifier(transaction, domain);
        const [row] = await transaction.query`insert into projects
            (project_id, organization_id, domain, source, deployment, webhook_secret, identifier)
          values (${newId("prj")}, ${organizationId}, ${domain}, ${JSON.stringify(source)}, ${deployment},
            ${newWebhookSecret()}, ${identifier})
          on conflict (domain) where removed_at is null do nothing returning *`;
        if (!row)
          throw new DomainTakenError(
            `Another site has the domain "${domain}": remove that one first, or choose another domain.`,
          );
        await audit(transaction, organizationId, by, "site.add", domain, sourceText(source));
        return projectOf(row);
      }),
    projects: (organizationId) => readProjects(sql`organization_id = ${organizationId} and removed_at is null`),
    async projectByDomain(domain) {
      return (await readProjects(sql`domain = ${domain} and removed_at is null`))[0];
    },
    async projectByName(organizationId, name) {
      const projects = await readProjects(sql`organization_id = ${organizationId} and removed_at is null
        and (identifier = ${name} or domain = ${name} or identifier is null)`);
      return projects.find(({ identifier }) => identifier === name) ?? projects.find(({ domain }) => domain === name);
    },
    async projectById(projectId) {
      return (await readProjects(sql`project_id = ${projectId}`))[0];
    },
    changeProject: (organizationId, projectId, { source, deployment }, by) =>
      changeProject(
        sql`organization_id = ${organizationId} and project_id = ${projectId}`,
        sql`source = ${JSON.stringify(source)}, deployment = ${deployment}`,
        by,
        "site.change",
        () => sourceText(source),
      ),
    setCounting: (organizationId, domain, { humansFrom, agentsFrom }, by) =>
      changeProject(
        sql`organization_id = ${organizationId} and domain = ${domain}`,
        sql`humans_from = coalesce(${humansFrom}, humans_from), agents_from = coalesce(${agentsFrom}, agents_from)`,
        by,
        "site.set-counting",
        ({ counting }) => `people from ${counting.humansFrom}, agents from ${counting.agentsFrom}`,
      ),
    rotateWebhookSecret: (organizationId, domain, overlapMs, by) =>
      changeProject(
        sql`organization_id = ${organizationId} and domain = ${domain}`,
        sql`old_webhook_secret = webhook_secret, old_webhook_secret_until = ${now() + overlapMs},
          webhook_secret = ${newWebhookSecret()}`,
        by,
        "site.rotate-secret",
        () => "",
      ),

    createKey: (newKey, by) =>
      database.transaction(async (transaction) => {
        const created = await insertKey(transaction, newKey, now());
        const { keyId, kind, name, organizationId } = created.key;
        await audit(transaction, organizationId, by, "key.create", keyId, `${kind} ${name}`);
        return created;
      }),
    rotateKey: (organizationId, keyId, overlapMs, by) =>
      database.transaction(async (transaction) => {
        const time = now();
        const [row] = await transaction.query`select * from api_keys where organization_id = ${organizationId}
          and key_id = ${keyId} and revoked_at is null and (expires_at is null or expires_at > ${time})`;
        if (!row) return undefined;
        const { createdAt, expiresAt, ...old } = apiKeyOf(row);
        const endsAt = Math.min(expiresAt?.getTime() ?? Number.POSITIVE_INFINITY, time + overlapMs);
        await transaction.query`update api_keys set expires_at = ${endsAt} where key_id = ${keyId}`;
        const newExpiresAt = expiresAt && new Date(time + (expiresAt.getTime() - createdAt.getTime()));
        const created = await insertKey(transaction, { ...old, expiresAt: newExpiresAt }, time);
        await audit(transaction, organizationId, by, "key.rotate", keyId, `new key ${created.key.keyId}`);
        return created;
      }),
    async keys(organizationId) {
      const rows = await database.read`select * from api_keys
        where organization_id = ${organizationId} order by created_at, key_id`;
      return rows.map(apiKeyOf);
    },
    revokeKey: (organizationId, keyId, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`update api_keys set revoked_at = ${now()}
          where organization_id = ${organizationId} and key_id = ${keyId} and revoked_at is null returning name`;
        if (row) await audit(transaction, organizationId, by, "key.revoke", keyId, row["name"] as string);
        return row !== undefined;
      }),
    async findKey(secret) {
      const rows = await database.read`select * from api_keys where hash_start = ${hashStart(secret)}`;
      const row = rows.find((candidate) => isSecretOf(candidate, secret));
      return row && apiKeyOf(row);
    },
    async markKeyUsed({ keyId, lastUsedAt }) {
      if (lastUsedAt && Math.abs(now() - lastUsedAt.getTime()) < usedEveryMs) return;
      await database.write`update api_keys set last_used_at = ${now()}
        where key_id = ${keyId} and abs(coalesce(last_used_at, 0) - ${now()}) >= ${usedEveryMs}`;
    },

    countUse: (key, limit, windowMs) => countUse(deps, key, limit, windowMs),
    async releaseUse(useId) {
      await database.write`delete from recent_uses where use_id = ${useId}`;
    },
    failures: (name) => failuresOf(database.read, name, now()),
    countFailure: (names, waitMs) => countFailure(deps, names, waitMs),
    takeBackFailure: (name, lastAt) => takeBackFailure(deps, name, lastAt),
    forgetFailures: (names) => database.transaction((transaction) => forgetFailures(transaction, names)),
    unlock: ({ personId, email: subject }, names, by) =>
      database.transaction(async (transaction) => {
        await forgetFailures(transaction, names);
        await insertPersonEntry(transaction, now(), personId, { ...by, action: "person.unlock", subject, detail: "" });
      }),
    usesSince: (name, since) => usesSince(database, name, since),
    addUses: (uses) => addUses(database, uses),
    salt: (name, endsAt) => saltOf(database, name, endsAt),
  };
}

/** No source has a user name or password in it. */
const sourceText = (source: Project["source"]): string => (source.kind === "git" ? source.url : source.path);

const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

const organizationOf = recordReader<Organization>(["organizationId", "name", "plan"]);

const ownFieldsOf = recordReader<Omit<Project, "identifier" | "counting" | "oldWebhookSecret">>(
  ["projectId", "organizationId", "domain", "deployment", "webhookSecret", "removedAt"],
  ["source"],
);

const projectOf = (row: Row): Project => ({
  ...ownFieldsOf(row),
  // A removed project of an earlier release has no identifier.
  identifier: (row["identifier"] ?? row["domain"]) as string,
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

const lacksIdentifier = (row: Row): boolean => row["identifier"] === null && row["removed_at"] === null;

/** Gives an identifier to the projects of an earlier release of this program, which have none. */
async function addIdentifiers(transaction: Transaction): Promise<void> {
  const rows = await transaction.query`select project_id, domain from projects
    where identifier is null and removed_at is null order by domain`;
  for (const { project_id: projectId, domain } of rows)
    await transaction.query`update projects set identifier = ${await freeIdentifier(transaction, domain as string)}
      where project_id = ${projectId}`;
}

/** The first label of the domain that no project has as its identifier, or else the first two, and so on. */
async function freeIdentifier(transaction: Transaction, domain: string): Promise<string> {
  await transaction.lock("identifiers");
  const labels = domain.split(".");
  for (let count = 1; ; count++) {
    const beyond = count - labels.length;
    const identifier = labels.slice(0, count).join("-") + (beyond > 0 ? `-${beyond + 1}` : "");
    const taken = await transaction.query`select 1 as one from projects
      where identifier = ${identifier} and removed_at is null`;
    if (taken.length === 0) return identifier;
  }
}
