import type { Directory, NavContainer } from "../config/index.js";

/** What an entry of the navigation inherits from its containers. */
export interface NavScope {
  readonly language?: string;
  readonly version?: string;
  /** Every language and version around is the default among its siblings. */
  readonly inDefault: boolean;
  /** A container around is hidden. */
  readonly hidden: boolean;
  /** A container around is hidden, and no inner one makes its pages searchable again. */
  readonly excluded: boolean;
  readonly unsearchable: boolean;
  readonly boost: number;
  readonly directory: Directory;
}

export const outermostScope = (directory: Directory | undefined): NavScope => ({
  inDefault: true,
  hidden: false,
  excluded: false,
  unsearchable: false,
  boost: 1,
  directory: directory ?? "none",
});

/** @param isDefault whether `container` is the default among its siblings. */
export function scopeWithin(scope: NavScope, container: NavContainer, isDefault: boolean): NavScope {
  const { kind, label, hidden, searchable, boost, directory } = container;
  return {
    language: kind === "language" ? label : scope.language,
    version: kind === "version" ? label : scope.version,
    inDefault: scope.inDefault && (isDefault || (kind !== "language" && kind !== "version")),
    hidden: hidden === true || scope.hidden,
    excluded: searchable !== true && (hidden === true || scope.excluded),
    unsearchable: searchable === undefined ? scope.unsearchable : !searchable,
    boost: boost !== undefined && boost > 0 ? boost : scope.boost,
    directory: directory ?? scope.directory,
  };
}
