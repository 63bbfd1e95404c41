import { randomBytes } from "node:crypto";
import type { Database, Row, Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertAuditEntry, insertPersonEntry } from "../people/audit-log.js";
import type { Actor } from "../people/person-store.js";
import { newId } from "../queue/job-rows.js";
import {
  type AccountStore,
  type ApiKey,
  type Counting,
  DomainTakenError,
  type Organization,
  type Plan,
  type Project,
} from "./account-store.js";
import { apiKeyOf, insertKey, isSecretOf, lookupOf, markKeyUsed } from "./api-keys.js";
import {
  addUses,
  countFailure,
  countUse,
  failuresOf,
  forgetFailures,
  releaseUse,
  saltOf,
  takeBackFailure,
  usesSince,
} from "./counted-uses.js";

/** Organizations, projects and keys in a SQL database. */
export function createAccountStore(deps: StoreDeps): AccountStore {
  const { database, now } = deps;
  const readOne = async (sql: string, params: readonly string[]): Promise<Row | undefined> =>
    (await database.read(sql, params))[0];
  const readProjects = async (sql: string, params: readonly string[]): Promise<readonly Project[]> => {
    const rows = await database.read(sql, params);
    if (!rows.some(lacksIdentifier)) return rows.map(projectOf);
    await addIdentifiers(database);
    return (await database.read(sql, params)).map(projectOf);
  };

  const audit = (
    transaction: Transaction,
    organizationId: string,
    by: Actor | undefined,
    action: string,
    subject: string,
    detail = "",
  ): Promise<void> => insertAuditEntry(transaction, now(), { organizationId, ...by, action, subject, detail });
  const create = async (transaction: Transaction, name: string, plan: Plan | undefined, by: Actor | undefined) => {
    const created = await createOrganization(transaction, name, plan);
    if (created) await audit(transaction, created.organizationId, by, "organization.create", name, created.plan);
    return created;
  };

  return {
    organization: (name, plan, by) =>
      database.transaction(async (transaction) => {
        const created = await create(transaction, name, plan, by);
        if (created) return created;
        const [row] = await transaction.query("select * from organizations where name = $1", [name]);
        return organizationOf(row!);
      }),
    createOrganization: (name, plan, by) => database.transaction((transaction) => create(transaction, name, plan, by)),
    async organizations() {
      return (await database.read("select * from organizations order by name")).map(organizationOf);
    },
    async organizationById(organizationId) {
      const row = await readOne("select * from organizations where organization_id = $1", [organizationId]);
      return row && organizationOf(row);
    },
    setPlan: (organizationId, plan, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          "update organizations set plan = $2 where organization_id = $1 returning name",
          [organizationId, plan],
        );
        if (row) await audit(transaction, organizationId, by, "organization.plan", row["name"] as string, plan);
      }),

    addProject: (project, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          `insert into projects (project_id, organization_id, domain, source, deployment, webhook_secret, identifier)
           values ($1, $2, $3, $4, $5, $6, $7) on conflict (domain) where removed_at is null do nothing returning *`,
          [
            newId("prj"),
            project.organizationId,
            project.domain,
            JSON.stringify(project.source),
            project.deployment,
            newWebhookSecret(),
            await freeIdentifier(transaction, project.domain),
          ],
        );
        if (!row)
          throw new DomainTakenError(
            `Another site has the domain "${project.domain}": remove that one first, or choose another domain.`,
          );
        await audit(transaction, project.organizationId, by, "site.add", project.domain, sourceText(project.source));
        return projectOf(row);
      }),
    projects: (organizationId) =>
      readProjects("select * from projects where organization_id = $1 and removed_at is null order by domain", [
        organizationId,
      ]),
    async projectByDomain(domain) {
      return (await readProjects("select * from projects where domain = $1 and removed_at is null", [domain]))[0];
    },
    async projectByName(organizationId, name) {
      const projects = await readProjects(
        `select * from projects where organization_id = $1 and removed_at is null
           and (identifier = $2 or domain = $2 or identifier is null)`,
        [organizationId, name],
      );
      return projects.find(({ identifier }) => identifier === name) ?? projects.find(({ domain }) => domain === name);
    },
    async projectById(projectId) {
      return (await readProjects("select * from projects where project_id = $1", [projectId]))[0];
    },
    changeProject: (organizationId, projectId, { source, deployment }, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          `update projects set source = $3, deployment = $4
           where organization_id = $1 and project_id = $2 and removed_at is null returning *`,
          [organizationId, projectId, JSON.stringify(source), deployment],
        );
        const project = row && projectOf(row);
        if (project) await audit(transaction, organizationId, by, "site.change", project.domain, sourceText(source));
        return project;
      }),
    setCounting: (organizationId, domain, { humansFrom, agentsFrom }, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          `update projects set humans_from = coalesce($3, humans_from), agents_from = coalesce($4, agents_from)
           where organization_id = $1 and domain = $2 and removed_at is null returning *`,
          [organizationId, domain, humansFrom, agentsFrom],
        );
        const project = row && projectOf(row);
        if (project)
          await audit(transaction, organizationId, by, "site.set-counting", domain, countingText(project.counting));
        return project;
      }),
    rotateWebhookSecret: (organizationId, domain, overlapMs, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          `update projects set old_webhook_secret = webhook_secret, old_webhook_secret_until = $4, webhook_secret = $3
           where organization_id = $1 and domain = $2 and removed_at is null returning *`,
          [organizationId, domain, newWebhookSecret(), now() + overlapMs],
        );
        if (row) await audit(transaction, organizationId, by, "site.rotate-secret", domain);
        return row && projectOf(row);
      }),

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
        const [row] = await transaction.query(
          `select * from api_keys where organization_id = $1 and key_id = $2 and revoked_at is null
             and (expires_at is null or expires_at > $3)`,
          [organizationId, keyId, time],
        );
        if (!row) return undefined;
        await transaction.query(
          `update api_keys set expires_at = case when expires_at < $2 then expires_at else $2 end where key_id = $1`,
          [keyId, time + overlapMs],
        );
        const { createdAt, expiresAt, ...old } = apiKeyOf(row);
        const newExpiresAt = expiresAt && new Date(time + (expiresAt.getTime() - createdAt.getTime()));
        const created = await insertKey(transaction, { ...old, expiresAt: newExpiresAt }, time);
        await audit(transaction, organizationId, by, "key.rotate", keyId, `new key ${created.key.keyId}`);
        return created;
      }),
    async keys(organizationId) {
      const rows = await database.read(
        "select * from api_keys where organization_id = $1 order by created_at, key_id",
        [organizationId],
      );
      return rows.map(apiKeyOf);
    },
    revokeKey: (organizationId, keyId, by) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query(
          `update api_keys set revoked_at = $3
           where organization_id = $1 and key_id = $2 and revoked_at is null returning name`,
          [organizationId, keyId, now()],
        );
        if (row) await audit(transaction, organizationId, by, "key.revoke", keyId, row["name"] as string);
        return row !== undefined;
      }),
    async findKey(secret): Promise<ApiKey | undefined> {
      const rows = await database.read("select * from api_keys where hash_start = $1", [lookupOf(secret)]);
      const row = rows.find((candidate) => isSecretOf(candidate, secret));
      return row && apiKeyOf(row);
    },
    markKeyUsed: (key) => markKeyUsed(database, key, now()),

    countUse: (key, limit, windowMs) => countUse(deps, key, limit, windowMs),
    releaseUse: (useId) => releaseUse(deps, useId),
    failures: (name) => failuresOf(deps, name),
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

const countingText = ({ humansFrom, agentsFrom }: Counting): string =>
  `people from ${humansFrom}, agents from ${agentsFrom}`;

/** Without a user name or password, which no source has. */
const sourceText = (source: Project["source"]): string => (source.kind === "git" ? source.url : source.path);

const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

async function createOrganization(
  transaction: Transaction,
  name: string,
  plan: Plan = "enterprise",
): Promise<Organization | undefined> {
  const [row] = await transaction.query(
    `insert into organizations (organization_id, name, plan) values ($1, $2, $3)
     on conflict (name) do nothing returning *`,
    [newId("org"), name, plan],
  );
  return row && organizationOf(row);
}

const organizationOf = (row: Row): Organization => ({
  organizationId: row["organization_id"] as string,
  name: row["name"] as string,
  plan: row["plan"] as Plan,
});

const projectOf = (row: Row): Project => ({
  projectId: row["project_id"] as string,
  organizationId: row["organization_id"] as string,
  domain: row["domain"] as string,
  // A removed project of an earlier release has none.
  identifier: (row["identifier"] as string | null) ?? (row["domain"] as string),
  source: JSON.parse(row["source"] as string) as Project["source"],
  deployment: row["deployment"] as Project["deployment"],
  counting: {
    humansFrom: (row["humans_from"] as Project["counting"]["humansFrom"] | null) ?? "server",
    agentsFrom: (row["agents_from"] as Project["counting"]["agentsFrom"] | null) ?? "server",
  },
  webhookSecret: row["webhook_secret"] as string,
  ...(row["old_webhook_secret"] === null
    ? {}
    : {
        oldWebhookSecret: {
          secret: row["old_webhook_secret"] as string,
          until: new Date(row["old_webhook_secret_until"] as number),
        },
      }),
  ...(typeof row["removed_at"] === "number" && { removedAt: new Date(row["removed_at"]) }),
});

/** Gives an identifier to the projects that have none: those of an earlier release of this program. */
async function addIdentifiers(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    const rows = await transaction.query(
      "select project_id, domain from projects where identifier is null and removed_at is null order by domain",
    );
    for (const row of rows)
      await transaction.query("update projects set identifier = $2 where project_id = $1", [
        row["project_id"] as string,
        await freeIdentifier(transaction, row["domain"] as string),
      ]);
  });
}

const lacksIdentifier = (row: Row): boolean => row["identifier"] === null && row["removed_at"] === null;

/** The first label of the domain that no project has as its identifier, or else the first two, and so on. */
async function freeIdentifier(transaction: Transaction, domain: string): Promise<string> {
  await transaction.lock("identifiers");
  const labels = domain.split(".");
  for (let count = 1; ; count++) {
    const beyond = count - labels.length;
    const identifier = labels.slice(0, count).join("-") + (beyond > 0 ? `-${beyond + 1}` : "");
    const taken = await transaction.query(
      "select project_id from projects where identifier = $1 and removed_at is null",
      [identifier],
    );
    if (taken.length === 0) return identifier;
  }
}
