import { csvOf } from "../../lib/csv.js";
import type { AuditEntry, AuditVerdict } from "../../service/jobs/index.js";
import type { Store } from "../../service/open-store.js";
import type { Input } from "../command.js";
import { type Environment, RefusedError } from "../environment.js";
import { oneOf } from "../options.js";
import { count } from "../print/terminal.js";
import { organizationNamed, storeCommand } from "../with-store.js";
import type texts from "./texts/audit.json";

export const commands = {
  "audit verify": storeCommand(({ values }: Input<typeof texts, "audit verify">) => values, verify),
  "audit export": storeCommand(parseExport, exportLog),
};

function parseExport({ values }: Input<typeof texts, "audit export">) {
  return { ...values, format: oneOf("--format", values.format ?? "json", ["json", "csv"]) };
}

/** The organization of that name, or all. */
const chosenOrganizations = async (store: Store, name: string | undefined) =>
  name === undefined ? await store.accounts.organizations() : [await organizationNamed(store, name)];

async function verify(
  { organization }: Input<typeof texts, "audit verify">["values"],
  store: Store,
  { stdout }: Environment,
): Promise<void> {
  const faults: string[] = [];
  for (const { organizationId, name } of await chosenOrganizations(store, organization)) {
    const verdict = await store.people.verifyAuditLog(organizationId);
    const { broken } = verdict;
    if (broken)
      faults.push(`the audit log of "${name}" was changed at position ${broken.position}: ${broken.problem}.`);
    else stdout.write(`${name}: ${verdictText(verdict)}\n`);
  }
  if (faults.length > 0) throw new RefusedError(faults.join("\n"));
}

function verdictText({ lines, prunedLines, erasedLines, head }: AuditVerdict): string {
  const notes = [
    `${count(lines, "line")} in an unbroken chain, last hash: ${head || "none"}`,
    prunedLines > 0 && `${count(prunedLines, "older line")} deleted because of their age`,
    erasedLines > 0 && `${count(erasedLines, "line")} without the data of erased people`,
  ];
  return notes.filter(Boolean).join("; ");
}

const columns = [
  ...["organization", "position", "line", "at", "actor", "personId", "keyId", "action", "subject", "detail"],
  ...["salt", "digest", "hash"],
] as const;
const pageLines = 1_000;

/** Oldest line first. */
async function exportLog(
  { organization, format }: ReturnType<typeof parseExport>,
  store: Store,
  environment: Environment,
): Promise<void> {
  const { stdout } = environment;
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
}

const csvCells = (row: { readonly [Name in keyof AuditEntry]?: unknown }): string[] =>
  columns.map((column) => String((row as Readonly<Record<string, unknown>>)[column] ?? ""));
