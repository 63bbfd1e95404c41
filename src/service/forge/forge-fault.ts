/** Why a forge has not done what it was asked for. */
export class ForgeFault extends Error {
  override readonly name = "ForgeFault";
  /**
   * @param message for API clients: names the host, but no credential.
   * @param retry whether another attempt may succeed.
   */
  constructor(
    message: string,
    readonly retry: boolean,
  ) {
    super(message);
  }
}
