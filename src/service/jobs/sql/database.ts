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
