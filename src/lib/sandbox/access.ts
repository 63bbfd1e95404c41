/** What a process may reach of the file system: absolute real paths of folders and files that exist. */
export interface Access {
  readonly read: readonly string[];
  readonly write: readonly string[];
}
