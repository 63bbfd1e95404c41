/** One round of an engine of ours and of a library, for the same input. */
export interface Engine {
  readonly library: string;
  readonly unit: string;
  readonly count: number;
  /** Throws if the outputs differ. The returned values are printed with the figures. */
  compare(): Facts | undefined | Promise<Facts | undefined>;
  ours(): unknown;
  theirs(): unknown;
  /** Stops everything that would keep the process alive. */
  close?(): unknown;
}

type Facts = Readonly<Record<string, number | string>>;

/** @param pages texts of the site, @param folder for files, removed at the end. */
export type OpenEngine = (pages: readonly string[], folder: string) => Promise<Engine>;

/** @throws {Error} unless both have the same JSON. */
export function requireSame(what: string, ours: unknown, theirs: unknown): undefined {
  const [first, second] = [JSON.stringify(ours), JSON.stringify(theirs)];
  if (first !== second) throw new Error(`${what} differs:\n${first?.slice(0, 500)}\n${second?.slice(0, 500)}`);
}
