/** The service to which the pages of a site report their views. */
export interface AnalyticsSettings {
  /** Address of the service, without a slash at the end. */
  readonly url: string;
  /** The site's domain, as the service knows it. */
  readonly domain: string;
  /** Whether the pages also send what readers search for. */
  readonly searches: boolean;
}

/** The assistant that the pages of a site ask. */
export interface AssistantSettings {
  /** Address of the service, without a slash at the end. */
  readonly url: string;
  /** The site's identifier or host, as the service knows it. */
  readonly domain: string;
  /** Public key; begins with `svc_dsc_`. */
  readonly key: string;
  /** Shown to readers who have not asked anything yet. */
  readonly questions: readonly string[];
}
