import { csvOf } from "../../lib/csv.js";
import type { AuditEntry, AuditVerdict, Organization } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Environment } from "../environment.js";
import { withStore } from "../with-store.js";
import type { AuditArguments } from "./audit-options.js";

/** `offprint audit verify` and `export`. */
export const run = (args: AuditArguments, environment: Environment): Promise<number> =>
  withStore(args.data, environment, async (store) => {
    const organizations = await store.accounts.organizations();
    const chosen = organizations.filter(({ name }) => args.organization === undefined || name === args.organization);
    if (args.organization !== undefined && chosen.length === 0) {
      environment.stderr.write(
        `offprint: there is no organization "${args.organization}". See: offprint organization list\n`,
      );
      return 1;
    }
    if (args.action === "verify") return verify(store, chosen, environment);
    await exportLog(store, chosen, args.format, environment);
    return 0;
  });

async function verify(
  { people }: Store,
  organizations: readonly Organization[],
  { stdout, stderr }: Environment,
): Promise<number> {
  let exitCode = 0;
  for (const { organizationId, name } of organizations) {
    const verdict = await people.verifyAuditLog(organizationId);
    const { broken } = verdict;
    if (!broken) {
      stdout.write(`${name}: ${verdictText(verdict)}\n`);
      continue;
    }
    exitCode = 1;
    stderr.write(
      `offprint: the audit log of "${name}" was changed at position ${broken.position}: ${broken.problem}.\n`,
    );
  }
  return exitCode;
}

const maxPositions = 20;

function verdictText({ lines, prunedLines, erasedLines, unchained, head }: AuditVerdict): string {
  const positions = unchained.slice(0, maxPositions).join(", ") + (unchained.length > maxPositions ? ", …" : "");
  const notes = [
    ...(prunedLines > 0 ? [`${prunedLines} older lines were deleted by age`] : []),
    ...(erasedLines > 0 ? [`${erasedLines} lines are without the data of erased people`] : []),
    ...(unchained.length > 0
      ? [`${unchained.length} lines by an earlier Offprint have no hash (positions ${positions})`]
      : []),
  ];
  return [`${lines} lines fit together, the last has the hash ${head || "of none"}`, ...notes].join("; ");
}

const columns = [
  ...["organization", "position", "line", "at", "actor", "personId", "keyId", "action", "subject", "detail"],
  ...["salt", "digest", "hash"],
] as const;
const pageLines = 1_000;

/** Oldest first. */
async function exportLog(
  { people }: Store,
  organizations: readonly Organization[],
  format: AuditArguments["format"],
  { stdout }: Environment,
): Promise<void> {
  if (format === "csv") stdout.write(csvOf(columns, []));
  for (const { organizationId, name } of organizations)
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await people.auditLog(organizationId, { limit: pageLines, cursor, oldestFirst: true });
      const rows = page.entries.map((entry) => ({ organization: name, ...entry, at: entry.at.toISOString() }));
      if (format === "json") for (const row of rows) stdout.write(`${JSON.stringify(row)}\n`);
      else if (rows.length > 0) {
        const [first, ...rest] = rows.map(cellsOf);
        stdout.write(csvOf(first!, rest));
      }
      cursor = page.next;
    }
}

const cellsOf = (row: { readonly [Name in keyof AuditEntry]?: unknown }): string[] =>
  columns.map((column) => String((row as Readonly<Record<string, unknown>>)[column] ?? ""));
