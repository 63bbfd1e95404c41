/**
 * A database for the SQL of the stores, which runs on SQLite and PostgreSQL: times are integers of milliseconds since
 * 1970, JSON is text, and there are no booleans.
 */
export interface Database {
  /** Reads committed data. */
  readonly read: Query;
  /** Runs one statement as a transaction. */
  readonly write: Query;
  /**
   * Commits everything that `change` does, or nothing if it throws. May run `change` again after a conflict with
   * another process, so `change` must have no effects other than on `transaction`.
   */
  transaction<Result>(change: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface Transaction {
  readonly query: Query;
  /** Locks the name until the end of this transaction; waits for other transactions, in any process, that hold it. */
  lock(name: string): Promise<void>;
  /** Wakes all waiters for `topic`, in every process, after the commit. */
  notify(topic: string): Promise<void>;
}

/** Runs SQL such as `` query`select name from projects where id = ${id}` ``. Values are sent as parameters. */
export type Query = (texts: TemplateStringsArray, ...values: readonly (Param | Sql)[]) => Promise<readonly Row[]>;

/** `undefined` is stored as null. */
export type Param = string | number | null | undefined;

/** A row by column; integers are numbers. */
export type Row = Readonly<Record<string, string | number | null>>;

/** SQL with parameters, which stand between the texts. */
export class Sql {
  constructor(
    readonly texts: readonly string[],
    readonly params: readonly Param[] = [],
  ) {}
}

/** A statement or a part of one. */
export function sql(texts: readonly string[], ...values: readonly (Param | Sql)[]): Sql {
  const joined = [texts[0]!];
  const params: Param[] = [];
  for (const [index, value] of values.entries()) {
    const after = texts[index + 1]!;
    if (value instanceof Sql) {
      joined[joined.length - 1] += value.texts[0]!;
      joined.push(...value.texts.slice(1));
      joined[joined.length - 1] += after;
      params.push(...value.params);
    } else {
      joined.push(after);
      params.push(value);
    }
  }
  return new Sql(joined, params);
}

/** Names and clauses that the program chooses; never text from outside. */
export const raw = (text: string): Sql => new Sql([text]);

export const queryBy =
  (run: (statement: Sql) => Promise<readonly Row[]>): Query =>
  (texts, ...values) =>
    run(sql(texts, ...values));

export const writeBy = (transaction: Database["transaction"]): Query =>
  queryBy((statement) => transaction(({ query }) => query`${statement}`));
