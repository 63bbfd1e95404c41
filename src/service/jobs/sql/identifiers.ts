import type { Database, Row, Transaction } from "./database.js";

/** Gives an identifier to the projects that have none: those of an earlier release of this program. */
export async function addIdentifiers(database: Database): Promise<void> {
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

export const lacksIdentifier = (row: Row): boolean => row["identifier"] === null && row["removed_at"] === null;

/** The first label of the domain that no project has as its identifier, or else the first two, and so on. */
export async function freeIdentifier(transaction: Transaction, domain: string): Promise<string> {
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
