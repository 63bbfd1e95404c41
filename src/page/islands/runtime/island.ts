/** What the components of one island share. */
import { type ComponentChild, createContext, createElement, type VNode } from "preact";

export interface Island {
  /** Before the ids that `useId` gives, unique in the page. */
  readonly prefix: string;
  /** Number of ids given. */
  ids: number;
}

const islands = createContext<Island>({ prefix: "island-", ids: 0 });
export const IslandContext = islands;

/**
 * @param name value of `data-island`: `0123456789ab#__i0`.
 * @param occurrence how many islands of that name precede it in the page.
 */
export const createIsland = (name: string, occurrence: number): Island => ({
  prefix: `island-${name.slice(0, 6)}-${name.slice(15)}-${occurrence ? `${occurrence}-` : ""}`,
  ids: 0,
});

/** An island's components know it through this element. */
export const withIsland = <T extends Island>(island: T, content: ComponentChild): VNode =>
  createElement(islands.Provider, { value: island }, content) as VNode;
