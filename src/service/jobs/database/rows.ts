import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Param, type Row, raw, Sql, type Transaction } from "./database.js";

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();

/** A prefix and 32 random hexadecimal digits. */
export const newId = (
  prefix: "se" | "ar" | "aj" | "ers" | "evt" | "fb" | "org" | "prj" | "key" | "per" | "inv",
): string => `${prefix}_${randomBytes(16).toString("hex")}`;

/**
 * A function that reads an object from a row: `createdAt` from the column `created_at`, as a date since its name ends
 * in `At`. A field is undefined if its column is null.
 *
 * @param json names of the fields whose columns contain JSON.
 */
export function recordReader<T extends object>(
  names: readonly (keyof T & string)[],
  json: readonly (keyof T & string)[] = [],
): (row: Row) => T {
  const fields = [...names, ...json].map((name) => ({
    name,
    column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    read: (value: string | number): unknown =>
      json.includes(name) ? JSON.parse(value as string) : name.endsWith("At") ? new Date(value) : value,
  }));
  return (row) =>
    Object.fromEntries(
      fields.map(({ name, column, read }) => {
        const value = row[column] ?? null;
        return [name, value === null ? undefined : read(value)];
      }),
    ) as T;
}

/** A cursor of a list is the position of the last entry that was shown. */
export const cursorOf = (position: number): string => Buffer.from(`p${position}`).toString("base64url");

/** 0 for an invalid cursor. */
export function positionOf(cursor: string): number {
  const digits = /^p(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"))?.[1];
  return digits === undefined ? 0 : Number(digits);
}

export const isCursor = (text: string): boolean => text === cursorOf(positionOf(text));

/** @param rows up to one more than `limit`: then there is a next page. @param position column of the cursor. */
export function pageOf(
  rows: readonly Row[],
  limit: number,
  position: string,
): { readonly shown: readonly Row[]; readonly next: string | undefined } {
  const shown = rows.slice(0, limit);
  return { shown, next: rows.length > limit ? cursorOf(shown.at(-1)![position] as number) : undefined };
}

/** The most rows of one insert: a power of two. */
const maxInserted = 256;

/** Inserts many rows with few statements. @param into `things (id, name)`. @param conflict `on conflict …`. */
export async function insertRows(
  { query }: Transaction,
  into: string,
  rows: readonly (readonly Param[])[],
  conflict: string,
): Promise<void> {
  let start = 0;
  for (let count = maxInserted; count >= 1; count /= 2)
    while (rows.length - start >= count) {
      const chunk = rows.slice(start, start + count);
      const values = new Sql(valueTexts(count, chunk[0]!.length), chunk.flat());
      await query`insert into ${raw(into)} values ${values} ${raw(conflict)}`;
      start += count;
      // SQLite blocks this thread: let it answer requests between two statements.
      await nextTurn();
    }
}

const textsBySize = new Map<string, readonly string[]>();

/** The texts between the parameters of `(?, ?), (?, ?)`. */
function valueTexts(rows: number, columns: number): readonly string[] {
  const size = `${rows} ${columns}`;
  const texts =
    textsBySize.get(size) ??
    Array.from({ length: rows * columns + 1 }, (_, index) =>
      index === 0 ? "(" : index === rows * columns ? ")" : index % columns === 0 ? "), (" : ", ",
    );
  textsBySize.set(size, texts);
  return texts;
}
