import { type Component, createElement } from "preact";
import { useContext } from "preact/hooks";
import { type Island, IslandContext } from "../../page/islands/runtime/react.js";
import { emptyHtml } from "./adapt-elements.js";

/** An island of the page, as its slots know it. */
export interface LiveIsland extends Island {
  readonly slots: Map<number, SlotContent>;
  /** Content that was not shown at first. */
  readonly templates: ReadonlyMap<number, HTMLTemplateElement>;
  /** Brings the islands in the content of a slot to life. */
  readonly show: (inside: ParentNode) => void;
}

/** The nodes of a slot, which stay the same wherever they are shown. */
interface SlotContent {
  readonly nodes: readonly Node[];
  /** Where they are shown. */
  owner?: Element;
}

const contexts = new WeakMap<Element, object>();

/** The contexts around the slot that an island is in. */
export const contextsAround = (island: Element): object => contexts.get(island.parentElement!.closest("x-slot")!) ?? {};

/** Content of the page inside an island. Preact does not look into it. */
export function Slot(this: Component<{ n: number }>, { n }: { readonly n: number }, context: object) {
  const island = useContext(IslandContext) as LiveIsland;
  this.shouldComponentUpdate = (next) => n !== next.n;
  return createElement("x-slot", {
    key: n,
    "data-n": n,
    // Keeps Preact from removing what it did not make.
    dangerouslySetInnerHTML: emptyHtml,
    ref: (element: Element) => {
      contexts.set(element, context);
      fill(island, n, element);
      return () => release(island, n, element);
    },
  } as object);
}

/** The slots that the page shows in an island. */
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
    // An id names one element.
    for (const each of element.querySelectorAll("[id]")) each.removeAttribute("id");
  } else {
    content.owner = element;
    element.append(...content.nodes);
  }
  // After the island around it.
  queueMicrotask(() => show(element));
}

function release({ slots }: LiveIsland, n: number, element: Element): void {
  const content = slots.get(n);
  if (content?.owner === element) slots.set(n, { nodes: [...element.childNodes] });
}
