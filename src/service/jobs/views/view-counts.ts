/** 0 human, 1 ai, 2 search, 3 training, 4 other AI, 5 bot. Only the first two make up the totals. */
export type ViewKind = 0 | 1 | 2 | 3 | 4 | 5;

/** Days since 1970 of UTC. Without `from`: from the first day. `to` is excluded; without it: through today. */
export interface DayRange {
  readonly from?: number;
  readonly to?: number;
}

export interface ViewPage {
  readonly limit: number;
  readonly offset: number;
  /** Also the views of kinds 2 to 5. */
  readonly allKinds?: boolean;
}

export interface ViewCounts {
  /** Each project, day, path and kind once. */
  readonly hits: readonly ViewCount[];
  readonly missing: readonly MissingCount[];
  readonly visitors: readonly VisitorSeen[];
  /** Version of the rules that gave the kinds; stored with each day. */
  readonly rules?: number;
}

export interface ViewCount {
  readonly projectId: string;
  /** Days since 1970 of UTC. */
  readonly day: number;
  readonly path: string;
  readonly kind: ViewKind;
  readonly views: number;
}

export interface MissingCount {
  readonly projectId: string;
  readonly path: string;
  readonly views: number;
  /** Milliseconds since 1970. */
  readonly lastSeenAt: number;
}

export interface VisitorSeen {
  readonly projectId: string;
  readonly day: number;
  readonly path: string;
  readonly kind: 0 | 1;
  /** Hash with a salt of the day. */
  readonly visitor: string;
}

export interface ImportedPart {
  readonly projectId: string;
  /** Hash that identifies the file. */
  readonly file: string;
  readonly fromByte: number;
  readonly toByte: number;
}

export interface KindCounts {
  readonly human: number;
  readonly ai: number;
  /** Humans and AI agents together; for visitors at most the sum of both. */
  readonly total: number;
  /** With `allKinds`. */
  readonly others?: {
    readonly search: number;
    readonly training: number;
    readonly otherAi: number;
    readonly bot: number;
  };
}

export type PathCounts = KindCounts & { readonly path: string };

export interface ViewList {
  /** Of the whole range. */
  readonly totals: KindCounts;
  readonly views: readonly PathCounts[];
  readonly hasMore: boolean;
}

export interface VisitorList {
  /** Of the whole range. */
  readonly totals: KindCounts;
  readonly visitors: readonly PathCounts[];
  readonly hasMore: boolean;
}

export interface DayViews {
  readonly day: number;
  readonly human: number;
  readonly ai: number;
  /** Kinds 2 to 5. */
  readonly others: number;
}

export interface MissingPath {
  readonly path: string;
  readonly views: number;
  readonly lastSeenAt: Date;
}

export interface SearchSeen {
  readonly projectId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly query: string;
  /** Hash with a salt of the day. */
  readonly visitor: string;
  /** Results that were shown. */
  readonly results: number;
  /** Path of the result that was opened. Such an entry is not counted as another search. */
  readonly clicked?: string;
}

export interface SearchList {
  readonly searches: readonly SearchRow[];
  /** Searches in the whole range, of queries that are shown. */
  readonly total: number;
  readonly hasMore: boolean;
}

export interface SearchRow {
  readonly query: string;
  readonly searches: number;
  readonly clicks: number;
  /** The most results that a search had; 0 if the site has none. */
  readonly results: number;
  readonly topPath?: string;
  readonly lastSearched: Date;
}
