/**
 * What the SQL of this folder needs of a database. It is written for SQLite and PostgreSQL alike: `$1` for a parameter,
 * milliseconds since 1970 as integers, JSON as text, no booleans.
 */
export interface Database {
  /** Reads what has been committed. */
  read(sql: string, params?: readonly Param[]): Promise<readonly Row[]>;
  /**
   * Keeps everything that `change` does, or, if it throws, nothing of it. May run `change` again when another process
   * was in its way, so it does nothing but talk to `transaction`.
   */
  transaction<Result>(change: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface Transaction {
  query(sql: string, params?: readonly Param[]): Promise<readonly Row[]>;
  /** Wakes, once this is committed, whoever waits for `topic` in any process. */
  ring(topic: string): Promise<void>;
}

/** `undefined` is written as null. */
export type Param = string | number | null | undefined;

/** A row by column, with null for what is absent; integers come as numbers. */
export type Row = Readonly<Record<string, string | number | null>>;
