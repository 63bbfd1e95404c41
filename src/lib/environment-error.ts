/** Something outside the program fails: a server, a disk, a port. The message says what, without secrets. */
export class EnvironmentError extends Error {
  override readonly name: string = "EnvironmentError";
}
