/** What the user typed cannot be meant: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
