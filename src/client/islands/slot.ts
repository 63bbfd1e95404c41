import { Component, createElement } from "preact";
import { IslandContext } from "../../page/islands/runtime/island.js";
import type { LiveIsland, SlotContent } from "./live-island.js";
import { emptyHtml } from "./trusted-html.js";

/** Content of the page inside an island. Preact does not look into it. */
export class Slot extends Component<{ readonly n: number }> {
  static override contextType = IslandContext;

  override shouldComponentUpdate({ n }: { readonly n: number }): boolean {
    return n !== this.props.n;
  }

  override render({ n }: { readonly n: number }) {
    const island = this.context as LiveIsland;
    return createElement("x-slot", {
      key: n,
      "data-n": n,
      // Keeps Preact from removing what it did not make.
      dangerouslySetInnerHTML: emptyHtml,
      ref: (element: Element) => {
        fill(island, n, element);
        return () => release(island, n, element);
      },
    } as object);
  }
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
  const content = slots.get(n);
  if (!content) {
    const template = templates.get(n);
    const nodes = template ? [...document.importNode(template.content, true).childNodes] : [];
    slots.set(n, { nodes, owner: element });
    element.append(...nodes);
  } else if (content.owner?.isConnected) {
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
