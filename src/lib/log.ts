/** Writes a line for the operator of a service: a sentence, and facts to search for. It must not contain secrets. */
export type Log = (
  level: "info" | "warn" | "error",
  message: string,
  facts?: Readonly<Record<string, string | number | undefined>>,
) => void;
