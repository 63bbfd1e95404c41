/** What is refused, and why: goes to the caller as a value. The message goes on a sentence that ends with "because". */
export class Refusal extends Error {
  constructor(
    message: string,
    /** What the server answered, where that is the reason. */
    readonly status?: number,
  ) {
    super(message);
  }
}
