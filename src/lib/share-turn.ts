/** Gives the value of a key, and reads it unless it has been read within this turn of the event loop. */
export type ShareTurn<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/** Of many requests that arrive together, one reads what all need. Nothing is kept for the next turn. */
export function createShareTurn<Value>(): ShareTurn<Value> {
  const reads = new Map<string, Promise<Value>>();
  return (key, read) => {
    const known = reads.get(key);
    if (known !== undefined) return known;
    if (reads.size === 0) setImmediate(() => reads.clear());
    const value = read();
    reads.set(key, value);
    return value;
  };
}
