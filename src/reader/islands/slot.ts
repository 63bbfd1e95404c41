import { type Component, createElement } from "preact";
import { useContext } from "preact/hooks";
import { type Island, IslandContext } from "../../page/islands/runtime/react.js";
import { emptyHtml } from "./adapt-elements.js";

export interface LiveIsland extends Island {
  readonly slots: Map<number, SlotContent>;
  /** Content that the first render did not show. */
  readonly templates: ReadonlyMap<number, HTMLTemplateElement>;
  /** Hydrates the islands in the content of a slot. */
  readonly show: (inside: ParentNode) => void;
}

/** The nodes of a slot, which move to wherever the slot is rendered. */
interface SlotContent {
  readonly nodes: readonly Node[];
  /** The element that shows them. */
  owner?: Element;
}

const contexts = new WeakMap<Element, object>();

/** The contexts around the slot that contains an island. */
export const contextsAround = (island: Element): object => contexts.get(island.parentElement!.closest("x-slot")!) ?? {};

/** Content of the page inside an island, which Preact does not touch. */
export function Slot(this: Component<{ n: number }>, { n }: { readonly n: number }, context: object) {
  const island = useContext(IslandContext) as LiveIsland;
  this.shouldComponentUpdate = (next) => n !== next.n;
  return createElement("x-slot", {
    key: n,
    "data-n": n,
    // Keeps Preact from removing nodes that it did not create.
    dangerouslySetInnerHTML: emptyHtml,
    ref: (element: Element) => {
      contexts.set(element, context);
      fill(island, n, element);
      return () => release(island, n, element);
    },
  } as object);
}

/** The slots that the page's HTML has in an island. */
export function slotsIn(island: Element): Map<number, SlotContent> {
  const slots = new Map<number, SlotContent>();
  for (const owner of island.querySelectorAll<HTMLElement>("x-slot")) {
    const n = Number(owner.dataset["n"]);
    if (owner.closest("[data-island]") === island && !slots.has(n))
      slots.set(n, { nodes: [...owner.childNodes], owner });
  }
  return slots;
}

function fill({ slots, templates, show }: LiveIsland, n: number, element: Element): void {
  if (element.firstChild) return;
  const template = templates.get(n);
  const content = slots.get(n) ?? {
    nodes: template ? [...document.importNode(template.content, true).childNodes] : [],
  };
  slots.set(n, content);
  if (content.owner?.isConnected) {
    element.append(...content.nodes.map((node) => node.cloneNode(true)));
    // Ids must stay unique.
    for (const copy of element.querySelectorAll("[id]")) copy.removeAttribute("id");
  } else {
    content.owner = element;
    element.append(...content.nodes);
  }
  // Hydrate them after the island around them.
  queueMicrotask(() => show(element));
}

function release({ slots }: LiveIsland, n: number, element: Element): void {
  const content = slots.get(n);
  if (content?.owner === element) slots.set(n, { nodes: [...element.childNodes] });
}
