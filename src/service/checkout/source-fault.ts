/** Why a site's source could not be opened. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
  /**
   * @param message for API clients: names host and ref, but no path of this machine and no credential.
   * @param retry whether another attempt may succeed.
   * @param options `cause` is for the log: the output of git without credentials.
   */
  constructor(
    message: string,
    readonly retry: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
