import { Component, type ComponentChild, createElement, hydrate, render } from "preact";
import { useContext } from "preact/hooks";
import { createIsland, type Island, IslandContext, withIsland } from "../../page/islands/runtime/react.js";
import { emptyHtml, phase, reportEntered } from "./adapt-elements.js";

interface BoundaryProps {
  readonly onError: (error: unknown) => void;
  /** The contexts around the slot that the island is in. */
  readonly contexts: object;
  readonly children?: ComponentChild;
}

/** Catches the errors of an island, whose static HTML then stays. */
class Boundary extends Component<BoundaryProps> {
  override getChildContext(): object {
    return this.props.contexts;
  }
  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
    // Preact passes the error on unless this boundary renders again, which changes nothing.
    this.setState({});
  }
  override render() {
    return this.props.children;
  }
}

export function createIslands(exportsOf: (id: string) => Record<string, unknown>) {
  const shown = new WeakSet<Element>();
  const counts = new Map<string, number>();

  const show = (inside: ParentNode): void => {
    for (const element of inside.querySelectorAll<HTMLElement>("[data-island]"))
      if (!shown.has(element)) {
        shown.add(element);
        start(element);
      }
  };

  const start = (element: HTMLElement): void => {
    const name = element.dataset["island"]!;
    const [id, root] = name.split("#") as [string, string];
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const island: LiveIsland = {
      ...createIsland(name, count),
      slots: slotsIn(element),
      templates: templatesOf(element),
      show,
    };
    /** The note to show if the island fails; set only if the page has no static HTML for it. */
    const note = element.dataset["clientOnly"];
    let failed = false;
    const onError = (error: unknown): void => {
      failed = true;
      console.error(error);
    };
    const finishRecording = recordChanges(element);
    phase.isHydrating = !note;
    try {
      const tree = createElement(
        Boundary,
        { onError, contexts: contextsAround(element) },
        withIsland(island, createElement(exportsOf(id)[root] as () => ComponentChild, null)),
      );
      if (note) {
        element.replaceChildren();
        render(tree, element);
      } else hydrate(tree, element);
    } catch (error) {
      onError(error);
    }
    phase.isHydrating = false;
    if (failed) render(null, element);
    finishRecording(failed);
    const fields = phase.fields.splice(0);
    if (!failed) {
      delete element.dataset["clientOnly"];
      reportEntered(fields);
    } else if (note) element.firstChild!.textContent = note;
  };

  return show;
}

function templatesOf(element: Element): Map<number, HTMLTemplateElement> {
  const templates = new Map<number, HTMLTemplateElement>();
  for (let next = element.nextElementSibling; next?.matches("template[data-slot]"); next = next.nextElementSibling)
    templates.set(Number((next as HTMLElement).dataset["slot"]), next as HTMLTemplateElement);
  return templates;
}

/** Records the changes in an element until the returned function is called, which undoes them if its argument is true. */
function recordChanges(element: Element): (mustUndo: boolean) => void {
  const observer = new MutationObserver(() => {});
  observer.observe(element, { childList: true, subtree: true, characterDataOldValue: true });
  return (mustUndo) => {
    const records = observer.takeRecords();
    observer.disconnect();
    if (mustUndo) for (const record of records.reverse()) undo(record);
  };
}

function undo({ target, oldValue, addedNodes, removedNodes, nextSibling }: MutationRecord): void {
  if (oldValue !== null) (target as CharacterData).data = oldValue;
  for (const node of addedNodes) target.removeChild(node);
  for (const node of removedNodes) target.insertBefore(node, nextSibling);
}

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
