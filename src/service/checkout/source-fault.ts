/** Why a site's source could not be opened. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
  /**
   * @param message for the reader of the job: names the host and the ref, no path of this machine and no credential.
   * @param retry whether another attempt may go better.
   * @param options `cause` is for the log: what git said, without credentials.
   */
  constructor(
    message: string,
    readonly retry: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
