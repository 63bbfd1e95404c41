/** A refused request, returned to the caller as a value. The message completes a sentence that ends with "because". */
export class Refusal extends Error {
  constructor(
    message: string,
    /** The status that the server answered, if that is the reason. */
    readonly status?: number,
  ) {
    super(message);
  }
}
