import { EnvironmentError } from "../../../lib/system-error.js";
import { type Query, raw, type Transaction } from "./database.js";

/**
 * The tables of version 1, for both databases: see `Dialect`. Times are in milliseconds since 1970.
 *
 * The row of a removed project stays as long as its jobs, to sign their webhooks. Its domain is free at once.
 */
export const schema = `
create table organizations (organization_id text primary key, name text not null unique, plan text not null);

create table projects (
  project_id text primary key, organization_id text not null references organizations, domain text not null,
  source text not null, deployment text not null, webhook_secret text not null, removed_at bigint,
  old_webhook_secret text, old_webhook_secret_until bigint, identifier text not null, humans_from text,
  agents_from text);
create unique index projects_by_domain on projects (domain) where removed_at is null;
create index projects_by_organization on projects (organization_id);
create unique index projects_by_own_identifier on projects (organization_id, identifier) where removed_at is null;

create table api_keys (
  key_id text primary key, organization_id text not null references organizations, kind text not null,
  name text not null, scopes text not null, allowed_addresses text not null, last_four text not null,
  hash_start text not null, hash text not null, created_at bigint not null, expires_at bigint, revoked_at bigint,
  allowed_origins text not null default '[]', last_used_at bigint, reader_groups text not null default '[]');
create index api_keys_by_hash_start on api_keys (hash_start);
create index api_keys_by_organization on api_keys (organization_id);

create table jobs (
  position $counting, job_id text not null unique, organization_id text not null, project_id text not null,
  domain text not null, version text, paths text, webhook_url text, status text not null,
  progress double precision not null, page_count bigint not null, attempt integer not null,
  created_at bigint not null, updated_at bigint not null, finished_at bigint, error text, object_key text,
  bundle_bytes bigint, bundle_sha256 text, worker_id text, reported_at bigint, worked_ms double precision not null,
  waiting_since bigint, errors bigint, warnings bigint, diagnostics_key text, deaths integer not null default 0,
  alone_attempt integer, requested_by text, agent_job_id text, audience text);
create index jobs_by_organization on jobs (organization_id, position);
create index jobs_by_status on jobs (status);
create index jobs_unfinished on jobs (project_id, waiting_since) where finished_at is null;
create index jobs_by_project on jobs (project_id);
create index jobs_by_end on jobs (finished_at) where finished_at is not null;
create index jobs_open on jobs (organization_id, position) where finished_at is null;
create index jobs_leased on jobs (organization_id) where worker_id is not null;
create index jobs_by_agent_job on jobs (agent_job_id, position) where agent_job_id is not null;
create index jobs_agent_open on jobs (project_id, position) where agent_job_id is not null and finished_at is null;

create table idempotency_keys (
  organization_id text not null, route text not null, key text not null, request_hash text not null,
  job_id text not null references jobs (job_id) on delete cascade, created_at bigint not null,
  primary key (organization_id, route, key));
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_by_job on idempotency_keys (job_id);

create table deliveries (
  delivery_id text primary key, job_id text not null references jobs (job_id) on delete cascade,
  attempt integer not null, due_at bigint not null, event text not null);
create index deliveries_by_due_time on deliveries (due_at);
create index deliveries_by_job on deliveries (job_id);

create table workers (
  worker_id text primary key, seen_at bigint not null, heartbeats bigint not null, reserved_job_id text);

create table recent_uses (use_id $counting, use_key text not null, ends_at bigint not null);
create index recent_uses_by_key on recent_uses (use_key, ends_at);

create table job_logs (
  line_id $counting, job_id text not null references jobs (job_id) on delete cascade, logged_at bigint not null,
  level text not null, message text not null);
create index job_logs_by_job on job_logs (job_id, line_id);

create table turns (organization_id text primary key, turn bigint not null);
create index turns_by_turn on turns (turn);

create table use_buckets (
  name text not null, starts_at bigint not null, ends_at bigint not null, uses bigint not null,
  primary key (name, starts_at));
create index use_buckets_by_end on use_buckets (ends_at);

create table salts (name text primary key, salt text not null, ends_at bigint not null);

create table threads (
  thread_id text primary key, project_id text not null, reader_hash text not null, key_hash text not null,
  updated_at bigint not null);
create index threads_by_project on threads (project_id);
create index threads_by_age on threads (updated_at);

create table thread_turns (
  turn_id $counting, thread_id text not null references threads (thread_id) on delete cascade,
  message_id text not null, asked_at bigint not null, question text not null, answer text not null,
  sources text not null, outcome text not null, caller text not null, prompt_tokens bigint not null,
  completion_tokens bigint not null, helpful integer, comment text);
create index thread_turns_by_thread on thread_turns (thread_id, turn_id);
create index thread_turns_by_age on thread_turns (asked_at);

create table people (
  person_id text primary key, email text not null unique, name text not null, password_hash text, totp_secret text,
  totp_step bigint not null default 0, recovery_codes text not null default '[]', oidc_subject text unique,
  created_at bigint not null);

create table memberships (
  organization_id text not null references organizations, person_id text not null references people on delete cascade,
  role text not null, created_at bigint not null, primary key (organization_id, person_id));
create index memberships_by_person on memberships (person_id);

create table sessions (
  hash text primary key, person_id text not null references people on delete cascade, organization_id text,
  stage text not null, browser text not null, created_at bigint not null, seen_at bigint not null,
  ends_at bigint not null, recheck_at bigint);
create index sessions_by_person on sessions (person_id);

create table invites (
  hash text primary key, invite_id text not null unique, kind text not null, email text not null,
  organization_id text references organizations, role text, created_at bigint not null, ends_at bigint not null,
  used_at bigint, made_by text not null);
create index invites_by_organization on invites (organization_id);
create index invites_by_email on invites (email);

create table audit_log (
  position $counting, at bigint not null, person_id text, key_id text, actor text not null,
  organization_id text not null, action text not null, subject text not null, detail text not null,
  line bigint not null, salt text, digest text not null, hash text not null);
create index audit_log_by_organization on audit_log (organization_id, position);
create index audit_log_by_age on audit_log (at);
create unique index audit_log_by_line on audit_log (organization_id, line);

create table view_sites (site_id $counting, project_id text unique);

create table view_paths (
  path_id $counting, site_id bigint not null, path text $codePoints not null, unique (site_id, path));

create table view_days (
  site_id bigint not null, kind integer not null, day integer not null, path_id bigint not null,
  views bigint not null, primary key (site_id, kind, day, path_id)) $clustered;

create table view_months (
  site_id bigint not null, kind integer not null, month integer not null, path_id bigint not null,
  views bigint not null, primary key (site_id, kind, month, path_id)) $clustered;

create table view_totals (
  site_id bigint not null, kind integer not null, day integer not null, views bigint not null, rules integer not null,
  primary key (site_id, kind, day)) $clustered;

create table visitors_seen (
  site_id bigint not null, day integer not null, path_id bigint not null, kind integer not null,
  visitor text not null, primary key (site_id, day, path_id, kind, visitor)) $clustered;

create table visitor_days (
  site_id bigint not null, day integer not null, path_id bigint not null, human bigint not null, ai bigint not null,
  total bigint not null, primary key (site_id, day, path_id)) $clustered;

create table visitor_months (
  site_id bigint not null, month integer not null, path_id bigint not null, human bigint not null, ai bigint not null,
  total bigint not null, primary key (site_id, month, path_id)) $clustered;

create table missing_paths (
  site_id bigint not null, path text $codePoints not null, views bigint not null, last_seen bigint not null,
  primary key (site_id, path)) $clustered;

create table view_imports (
  site_id bigint not null, file text not null, bytes bigint not null, primary key (site_id, file)) $clustered;

create table searches_seen (
  site_id bigint not null, day integer not null, query text $codePoints not null, visitor text not null,
  path text not null, uses bigint not null, results bigint not null, last_at bigint not null,
  primary key (site_id, day, query, visitor, path)) $clustered;

create table search_days (
  site_id bigint not null, day integer not null, query text $codePoints not null, path text not null,
  uses bigint not null, results bigint not null, last_at bigint not null, primary key (site_id, day, query, path)
) $clustered;

create table shards (
  job_id text not null references jobs (job_id) on delete cascade, shard integer not null, shards integer not null,
  state text not null, attempts integer not null, page_count bigint not null, worker_id text, fence text,
  heartbeats bigint, primary key (job_id, shard));
create index shards_open on shards (state) where state in ('queued', 'leased');

create table agent_jobs (
  position $counting, agent_job_id text not null unique, organization_id text not null references organizations,
  project_id text not null, repository text not null, mode text not null, model text not null,
  as_draft integer not null, ref text, pull_request text, requested_by text, created_at bigint not null,
  archived_at bigint, branch text);
create index agent_jobs_by_organization on agent_jobs (organization_id, position);
create index agent_jobs_by_project on agent_jobs (project_id, position);

create table agent_messages (
  job_id text primary key references jobs (job_id) on delete cascade, prompt text not null, patch text,
  created_at bigint not null, reply text);

create table audit_heads (
  organization_id text primary key, lines bigint not null, hash text not null, pruned_lines bigint not null default 0,
  pruned_hash text not null default '');

create table erasures (
  erasure_id text primary key, kind text not null, subject text not null, organization_id text,
  requested_by text not null, work text not null, created_at bigint not null, held_until bigint, finished_at bigint);
create index erasures_by_time on erasures (created_at);

create table erasure_workers (
  erasure_id text not null references erasures on delete cascade, worker_id text not null, files bigint not null,
  confirmed_at bigint not null, primary key (erasure_id, worker_id));

create table failures (
  name_hash text primary key, failures integer not null, last_at bigint not null, ends_at bigint not null);
create index failures_by_end on failures (ends_at);

create table credentials (
  credential_id text primary key, organization_id text not null references organizations on delete cascade,
  kind text not null, name text not null, prefix text not null, forge text, hint text not null, key_id text not null,
  sealed text not null, created_at bigint not null, rotated_at bigint, last_used_at bigint,
  unique (organization_id, prefix));

create table pending_installations (
  hash text primary key, organization_id text not null references organizations on delete cascade,
  session_id text not null, host text not null, ends_at bigint not null);

create table feedback (
  position $counting, feedback_id text not null unique, project_id text not null, path text not null,
  helpful integer not null, created_at bigint not null);
create index feedback_by_project on feedback (project_id, position);
create index feedback_by_age on feedback (created_at);
`;

/**
 * Statements by version of the tables, from version 1. Do not edit a released version: add one.
 *
 * Programs of two releases use the database at once during a rollout. So a release only adds to the tables. A later
 * release removes unused columns and tables, with `removes`: programs that know only earlier versions then refuse
 * the database.
 */
const versions: readonly { readonly statements: string; readonly removes?: true }[] = [{ statements: schema }];

/** Parts of the SQL that differ between SQLite and PostgreSQL. */
export interface Dialect {
  /** Type of an auto-increment key. */
  readonly counting: string;
  /** Ends a table that is stored in the order of its key. */
  readonly clustered: string;
  /** Sorts a text by its code points. */
  readonly codePoints: string;
}

/** Version of the tables that this program needs. */
export const latestVersion = versions.length;

/** Migrates the tables; the caller excludes other processes. @throws {EnvironmentError} as `schemaVersion`. */
export async function migrate(transaction: Transaction, dialect: Dialect): Promise<void> {
  await transaction.query`create table if not exists migrations
    (version integer primary key, oldest_program integer not null default 0)`;
  const version = await schemaVersion(transaction.query);
  for (let next = version + 1; next <= latestVersion; next++) {
    const { statements, removes } = versions[next - 1]!;
    for (const statement of inDialect(statements, dialect).split(";"))
      if (statement.trim()) await transaction.query`${raw(statement)}`;
    await transaction.query`insert into migrations (version, oldest_program) values (${next}, ${removes ? next : 0})`;
  }
}

const inDialect = (statements: string, dialect: Dialect): string =>
  statements.replace(/\$(counting|clustered|codePoints)/g, (_, name: keyof Dialect) => dialect[name]);

/**
 * The version of a database that has the table `migrations`.
 *
 * @throws {EnvironmentError} if a newer version of this program has migrated it, and this one can no longer use it.
 */
export async function schemaVersion(query: Query): Promise<number> {
  const [row] = await query`select coalesce(max(version), 0) as version from migrations`;
  const version = row!["version"] as number;
  if (version <= latestVersion) return version;
  const [newer] = await query`select max(oldest_program) as oldest from migrations`;
  if ((newer!["oldest"] as number) <= latestVersion) return version;
  throw new EnvironmentError(
    `This database was migrated by a newer Offprint: its tables have version ${version}, and this program knows ` +
      `versions up to ${latestVersion}. Install the newer Offprint, or restore a backup from before the migration.`,
  );
}
