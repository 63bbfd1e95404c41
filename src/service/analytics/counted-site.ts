/** How a view is seen: by the server that answers, by a script in the page, or in the logs of another server. */
export type Way = "server" | "beacon" | "logs";

/** A site whose views are counted. */
export interface CountedSite {
  readonly projectId: string;
  /** Folder of the site on its host, without trailing slash: `""` or `/docs`. */
  readonly basePath: string;
  /**
   * Whether the export has a page with this path (`/`, `/guides/install`), or one of the files `/llms.txt`,
   * `/llms-full.txt` and `/skill.md`.
   */
  has(path: string): boolean;
  /** The only way whose views of people count. */
  readonly humansFrom: Way;
  /** The only way whose views of agents and bots count. */
  readonly agentsFrom: "server" | "logs";
}
