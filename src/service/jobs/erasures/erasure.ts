export type ErasureTarget =
  /** Erases all its data, its audit log, and the people who have no other organization. */
  | { readonly kind: "organization"; readonly organizationId: string }
  /** Erases the site's jobs, bundles, caches, views and conversations. */
  | { readonly kind: "site"; readonly organizationId: string; readonly domain: string }
  /** Erases the bundle of a completed job, which then counts as failed, and the cached pages of its site. */
  | { readonly kind: "bundle"; readonly organizationId: string; readonly jobId: string }
  | { readonly kind: "thread"; readonly organizationId: string; readonly threadId: string }
  | {
      readonly kind: "person";
      readonly personId: string;
      /** Refuses if the person belongs to another organization, and erases names only in this one's log and jobs. */
      readonly onlyIn?: string;
      /** Whether the audit log keeps the name and address. */
      readonly keepNames?: boolean;
    };

/** Why nothing was erased. */
export type ErasureRefusal =
  | { readonly kind: "unknown" }
  /** The person is the last owner of this organization. */
  | { readonly kind: "last owner"; readonly organizationName: string }
  /** The person also belongs to another organization. */
  | { readonly kind: "elsewhere" };

export interface Erasure {
  /** `ers_` and 32 hexadecimal digits. */
  readonly erasureId: string;
  readonly kind: ErasureTarget["kind"];
  /** The id or domain of the target; for a person, the pseudonym. */
  readonly subject: string;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  /** When all live workers had confirmed and the objects were gone; undefined before. */
  readonly completedAt?: Date;
  /** Deleted or changed rows by table. */
  readonly database: Readonly<Record<string, number>>;
  /** Lines and last hash of the audit log that was deleted with its organization. */
  readonly auditLog?: { readonly lines: number; readonly head: string };
  /** Removed objects; undefined before the first attempt. */
  readonly objects?: ErasedObjects;
  /** The workers that are alive or have confirmed; those that have not hold up the completion. */
  readonly workers: readonly ErasureWorker[];
  /** Webhooks about ended jobs that are still to be sent. */
  readonly pendingWebhooks: number;
}

export interface ErasedObjects {
  /** Bundles, their indexes and diagnostics. */
  readonly bundles: number;
  /** Cached pages that workers share. */
  readonly caches: number;
}

export interface ErasureWorker {
  readonly workerId: string;
  readonly confirmedAt?: Date;
  /** Files that the worker has removed from its disk. */
  readonly files?: number;
}

/** Objects and files that are still to be deleted: they are not in the database. */
export interface ErasureWork {
  readonly erasureId: string;
  readonly projects: readonly { readonly organizationId: string; readonly projectId: string }[];
  readonly jobIds: readonly string[];
  readonly objectKeys: readonly string[];
  /** Repositories whose packs workers may have. */
  readonly repositories: readonly { readonly url: string; readonly subfolder?: string }[];
}

export interface OpenErasure extends ErasureWork {
  /** Whether all live workers have confirmed. */
  readonly isConfirmed: boolean;
  /** Whether there may be objects to remove: no attempt has been made, or a worker may have stored more since. */
  readonly hasObjects: boolean;
}
