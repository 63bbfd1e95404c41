/** Returns the result of `work`; undefined if it fails, such as for a missing file or a damaged text. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
