/** The output or the archive exists and no export made it, so it is not replaced. */
export class OutputNotOursError extends Error {
  override readonly name = "OutputNotOursError";
}
