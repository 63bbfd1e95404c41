import { csvOf } from "../../lib/csv.js";
import type { AuditEntry, AuditVerdict } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import { command, type Input } from "../command.js";
import type { Environment } from "../environment.js";
import { oneOf } from "../options.js";
import { organizationNamed, withStore } from "../with-store.js";
import type texts from "./texts/audit.json";

export const commands = {
  "audit verify": command(({ values }: Input<typeof texts, "audit verify">) => values, verify),
  "audit export": command(parseExport, exportLog),
};

function parseExport({ values }: Input<typeof texts, "audit export">) {
  return { ...values, format: oneOf("--format", values.format ?? "json", ["json", "csv"]) };
}

/** The organization of that name, or all. */
const chosenOrganizations = async (store: Store, name: string | undefined) =>
  name === undefined ? await store.accounts.organizations() : [await organizationNamed(store, name)];

async function verify(args: Input<typeof texts, "audit verify">["values"], environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  let exitCode = 0;
  await withStore(args.data, environment, async (store) => {
    for (const { organizationId, name } of await chosenOrganizations(store, args.organization)) {
      const verdict = await store.people.verifyAuditLog(organizationId);
      const { broken } = verdict;
      if (!broken) stdout.write(`${name}: ${verdictText(verdict)}\n`);
      else {
        exitCode = 1;
        stderr.write(
          `offprint: the audit log of "${name}" was changed at position ${broken.position}: ${broken.problem}.\n`,
        );
      }
    }
  });
  return exitCode;
}

const maxPositions = 20;

function verdictText({ lines, prunedLines, erasedLines, unchained, head }: AuditVerdict): string {
  const positions = unchained.slice(0, maxPositions).join(", ") + (unchained.length > maxPositions ? ", …" : "");
  const notes = [
    `${lines} lines fit together, the last has the hash ${head || "of none"}`,
    prunedLines > 0 && `${prunedLines} older lines were deleted by age`,
    erasedLines > 0 && `${erasedLines} lines are without the data of erased people`,
    unchained.length > 0 && `${unchained.length} lines by an earlier Offprint have no hash (positions ${positions})`,
  ];
  return notes.filter(Boolean).join("; ");
}

const columns = [
  ...["organization", "position", "line", "at", "actor", "personId", "keyId", "action", "subject", "detail"],
  ...["salt", "digest", "hash"],
] as const;
const pageLines = 1_000;

/** Oldest line first. */
function exportLog(
  { data, organization, format }: ReturnType<typeof parseExport>,
  environment: Environment,
): Promise<number> {
  const { stdout } = environment;
  return withStore(data, environment, async (store) => {
    const organizations = await chosenOrganizations(store, organization);
    if (format === "csv") stdout.write(csvOf(columns, []));
    for (const { organizationId, name } of organizations)
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const page = await store.people.auditLog(organizationId, { limit: pageLines, cursor, oldestFirst: true });
        const rows = page.entries.map((entry) => ({ organization: name, ...entry, at: entry.at.toISOString() }));
        if (format === "json") for (const row of rows) stdout.write(`${JSON.stringify(row)}\n`);
        else if (rows.length > 0) {
          const [first, ...rest] = rows.map(csvCells);
          stdout.write(csvOf(first!, rest));
        }
        cursor = page.next;
      }
  });
}

const csvCells = (row: { readonly [Name in keyof AuditEntry]?: unknown }): string[] =>
  columns.map((column) => String((row as Readonly<Record<string, unknown>>)[column] ?? ""));
