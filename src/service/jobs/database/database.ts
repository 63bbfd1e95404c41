import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * A database for the SQL of this folder, which runs on SQLite and PostgreSQL: `$1` for a parameter, milliseconds since
 * 1970 as integers, JSON as text, no booleans.
 */
export interface Database {
  /** Reads committed data. */
  read(sql: string, params?: readonly Param[]): Promise<readonly Row[]>;
  /**
   * Commits everything that `change` does, or nothing if it throws. May run `change` again after a conflict with
   * another process, so it must have no effects other than on `transaction`.
   */
  transaction<Result>(change: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface Transaction {
  query(sql: string, params?: readonly Param[]): Promise<readonly Row[]>;
  /** Waits for other transactions, in every process, that have locked the name; locks it until the end of this one. */
  lock(name: string): Promise<void>;
  /** Wakes all waiters for `topic`, in every process, after the commit. */
  notify(topic: string): Promise<void>;
}

/** `undefined` is stored as null. */
export type Param = string | number | null | undefined;

/** A row by column; integers are numbers. */
export type Row = Readonly<Record<string, string | number | null>>;

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();

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
