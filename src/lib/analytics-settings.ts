/** Where the pages of a site say that they are read. */
export interface AnalyticsSettings {
  /** Address of the service, without a slash at the end. */
  readonly url: string;
  /** The site's domain, as the service knows it. */
  readonly domain: string;
  /** Whether the pages also send what readers search for. */
  readonly searches: boolean;
}
