import type { Transaction } from "./database.js";

/** Differences between the two databases. */
export interface Dialect {
  /** Type of an auto-increment key. */
  readonly counting: string;
}

/** One entry per version. Do not edit a released one. */
const migrations: readonly ((dialect: Dialect) => readonly string[])[] = [
  ({ counting }) => [
    `create table organizations (
      organization_id text primary key,
      name text not null unique,
      plan text not null
    )`,
    `create table projects (
      project_id text primary key,
      organization_id text not null references organizations,
      domain text not null,
      source text not null,
      deployment text not null,
      webhook_secret text not null,
      removed_at bigint
    )`,
    // The row of a removed project stays as long as its jobs, to sign their webhooks. Its domain is free at once.
    "create unique index projects_by_domain on projects (domain) where removed_at is null",
    "create index projects_by_organization on projects (organization_id)",
    `create table api_keys (
      key_id text primary key,
      organization_id text not null references organizations,
      kind text not null,
      name text not null,
      scopes text not null,
      allowed_addresses text not null,
      last_four text not null,
      hash_start text not null,
      hash text not null,
      created_at bigint not null,
      expires_at bigint,
      revoked_at bigint
    )`,
    "create index api_keys_by_hash_start on api_keys (hash_start)",
    "create index api_keys_by_organization on api_keys (organization_id)",
    `create table uses (
      use_key text primary key,
      ends_at bigint not null,
      uses integer not null
    )`,
    `create table jobs (
      position ${counting},
      job_id text not null unique,
      organization_id text not null,
      project_id text not null,
      domain text not null,
      version text,
      paths text,
      webhook_url text,
      status text not null,
      progress double precision not null,
      page_count bigint not null,
      attempt integer not null,
      released integer not null default 0,
      created_at bigint not null,
      updated_at bigint not null,
      finished_at bigint,
      error text,
      object_key text,
      bundle_bytes bigint,
      bundle_sha256 text,
      worker_id text,
      reported_at bigint,
      worked_ms double precision not null,
      waiting_since bigint
    )`,
    "create index jobs_by_organization on jobs (organization_id, position)",
    "create index jobs_by_status on jobs (status)",
    "create index jobs_unfinished on jobs (project_id, waiting_since) where finished_at is null",
    "create index jobs_by_project on jobs (project_id)",
    "create index jobs_by_end on jobs (finished_at) where finished_at is not null",
    `create table idempotency_keys (
      organization_id text not null,
      route text not null,
      key text not null,
      request_hash text not null,
      job_id text not null references jobs (job_id) on delete cascade,
      created_at bigint not null,
      primary key (organization_id, route, key)
    )`,
    "create index idempotency_keys_by_age on idempotency_keys (created_at)",
    "create index idempotency_keys_by_job on idempotency_keys (job_id)",
    `create table deliveries (
      delivery_id text primary key,
      job_id text not null references jobs (job_id) on delete cascade,
      attempt integer not null,
      due_at bigint not null
    )`,
    "create index deliveries_by_due_time on deliveries (due_at)",
    "create index deliveries_by_job on deliveries (job_id)",
    `create table workers (
      worker_id text primary key,
      seen_at bigint not null,
      beats bigint not null
    )`,
  ],
  () => ["alter table jobs drop column released", "alter table workers rename column beats to heartbeats"],
];

/**
 * Migrates the tables. The caller's transaction excludes other processes.
 *
 * @throws {Error} if a newer version of this program has migrated the database.
 */
export async function migrate(transaction: Transaction, dialect: Dialect): Promise<void> {
  await transaction.query("create table if not exists migrations (version integer primary key)");
  const [row] = await transaction.query("select coalesce(max(version), 0) as version from migrations");
  const version = row!["version"] as number;
  if (version > migrations.length)
    throw new Error(
      `The database is of version ${version}, but this program knows versions up to ${migrations.length}: ` +
        "install the newer program, or restore an earlier backup.",
    );
  for (const [index, statements] of migrations.entries()) {
    if (index < version) continue;
    for (const statement of statements(dialect)) await transaction.query(statement);
    await transaction.query("insert into migrations (version) values ($1)", [index + 1]);
  }
}
