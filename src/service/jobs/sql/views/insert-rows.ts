import { setImmediate as nextTurn } from "node:timers/promises";
import type { Param, Transaction } from "../database.js";

/** Rows of one statement: a power of two, and few values in all. */
const mostRows = 256;

/**
 * Inserts many rows with few statements, of which there are few different ones, since each is prepared once.
 *
 * @param into such as `things (id, name)`.
 * @param conflict such as `on conflict do nothing`.
 */
export async function insertRows(
  transaction: Transaction,
  into: string,
  rows: readonly (readonly Param[])[],
  conflict: string,
): Promise<void> {
  let start = 0;
  for (let count = mostRows; count >= 1; count /= 2)
    while (rows.length - start >= count) {
      const chunk = rows.slice(start, start + count);
      await transaction.query(
        `insert into ${into} values ${placeholders(count, chunk[0]!.length)} ${conflict}`,
        chunk.flat(),
      );
      start += count;
      // SQLite works in this thread, which has requests to answer between two statements.
      await nextTurn();
    }
}

const known = new Map<string, string>();

/** `($1, $2), ($3, $4)` */
function placeholders(rows: number, columns: number): string {
  const key = `${rows} ${columns}`;
  const text =
    known.get(key) ??
    Array.from({ length: rows }, (_, row) => {
      const numbers = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
      return `(${numbers.join(", ")})`;
    }).join(", ");
  known.set(key, text);
  return text;
}
