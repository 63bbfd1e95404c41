/** Why a site's source could not be opened. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
  readonly ofWorker: boolean;
  readonly isRedirect: boolean;
  /**
   * @param message for API clients: names host and ref, but no path of this machine and no credential.
   * @param retry whether another attempt may succeed.
   * @param options `cause` is for the log: the output of git without credentials. `ofWorker`: the operator must act,
   *   not the owner of the site. `isRedirect`: the host names another address.
   */
  constructor(
    message: string,
    readonly retry: boolean,
    options: ErrorOptions & { readonly ofWorker?: boolean; readonly isRedirect?: boolean } = {},
  ) {
    super(message, options);
    this.ofWorker = options.ofWorker ?? false;
    this.isRedirect = options.isRedirect ?? false;
  }
}
