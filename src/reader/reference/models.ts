/** Runs on pages that link to pages of models: shows the model's fields in place of the link when the reader opens it. */

import { all, bundleRoot, fragmentTarget, idIn } from "../dom.js";
import { createPolicy, loadElement } from "../load-script.js";
import { addControls } from "../shell/code-blocks.js";

declare global {
  interface Window {
    /** The script of a model calls it with the content of the model's page. */
    offprintModel?: (html: string) => void;
  }
}

const unloaded = "details.expandable[data-prefix]";
/** Content of model pages, by the URL of their script. */
const contents = new Map<string, string>();
const loading = new Map<string, Promise<void>>();

/** Jumps to a field that the URL names and that is not loaded yet. */
async function goToField(): Promise<void> {
  const id = idIn(location.hash);
  if (id === "" || fragmentTarget()) return;
  const triedModels = new Set<HTMLElement>();
  for (;;) {
    const details = candidates(id).find((model) => !triedModels.has(model));
    if (!details) return;
    triedModels.add(details);
    await showModel(details).catch(() => undefined);
    if (idIn(location.hash) !== id) return;
    if (fragmentTarget() || hasForeignAnchor(id)) break;
  }
  // The page's handler of this event reveals the element.
  dispatchEvent(new Event("hashchange"));
}

/**
 * Models that may contain the element, most likely first. Ids in a section start with `param-`, and if another section has a
 * field of that name, with `param-200-`. Anchors of other documentation systems use hyphens only: `body-customer-name`.
 */
function candidates(id: string): HTMLElement[] {
  const models = all(unloaded);
  const path = lettersOnly(foreignAnchor.exec(id)?.[1] ?? id);
  const isAround = ({ dataset }: HTMLElement): boolean =>
    path.startsWith(lettersOnly(dataset["prefix"]!.replace(sectionStart, "")));
  return models.filter(isAround).sort((a, b) => b.dataset["prefix"]!.length - a.dataset["prefix"]!.length);
}
const foreignAnchor = /^(?:body|response|parameter)-(.+)$/i;
/** Start of the ids in a section. Fields inside a field keep that field's name. */
const sectionStart = /^param-(?:[^:]*-$)?/;
const lettersOnly = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^param-/, "")
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Whether the page has the field of an anchor from another documentation system. */
const hasForeignAnchor = (id: string): boolean => {
  const path = foreignAnchor.exec(id)?.[1];
  return path !== undefined && all('.field[id^="param-"]').some((field) => lettersOnly(field.id) === lettersOnly(path));
};

/** Replaces the link by the model's fields. Rejects if the script cannot be loaded. */
async function showModel(details: HTMLElement): Promise<void> {
  const content = details.querySelector<HTMLElement>(".expandable-content")!;
  const page = content.querySelector("a")!.href;
  const source = scriptOf(page);
  window.offprintModel = (html) => contents.set((document.currentScript as HTMLScriptElement).src, html);
  const load = loading.get(source) ?? loadModel(source);
  loading.set(source, load);
  await load.catch((reason: unknown) => {
    loading.delete(source);
    throw reason;
  });
  const { prefix } = details.dataset;
  // Another call may have shown it meanwhile.
  if (prefix === undefined) return;
  delete details.dataset["prefix"];
  content.replaceChildren(modelFields(contents.get(source)!, prefix, page));
}

/** The fields of a model's page, with ids and links adapted to this page. */
function modelFields(html: string, prefix: string, page: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html);
  const { content } = template;
  const section = content.querySelector(".api-section")!;
  // The page of a model shows all fields open; here, nested fields start closed, as elsewhere on this page.
  for (const fold of all<HTMLDetailsElement>("details.expandable[open]", section))
    if (!fold.parentElement!.closest("details")) fold.open = false;
  section.querySelector(".api-section-heading")?.remove();
  const ids = new Map(all("[id]", content).map(({ id }) => [id, freeId(idBelow(prefix, id))]));
  for (const element of all("[id]", content)) element.id = ids.get(element.id)!;
  for (const name of ["aria-controls", "aria-labelledby"])
    for (const element of all(`[${name}]`, content))
      element.setAttribute(name, ids.get(element.getAttribute(name)!) ?? "");
  for (const element of all("[data-prefix]", content))
    element.dataset["prefix"] = idBelow(prefix, element.dataset["prefix"]!);
  for (const link of all<HTMLAnchorElement>("a[href]", content)) {
    const href = link.getAttribute("href")!;
    const id = href.startsWith("#") ? decodeURIComponent(href.slice(1)) : undefined;
    link.href = id === undefined ? new URL(href, page).href : `#${encodeURIComponent(ids.get(id) ?? idAbove(prefix))}`;
  }
  for (const image of all<HTMLImageElement>("img[src]", content))
    image.src = new URL(image.getAttribute("src")!, page).href;
  content.replaceChildren(...section.childNodes);
  addControls(content);
  return content;
}

/** The id on this page for `param-name`, `attributes:option` or a `tab::` id of the model. */
const idBelow = (prefix: string, id: string): string =>
  id.startsWith("tab::")
    ? `tab::${idBelow(prefix, id.slice(5))}`
    : prefix + id.replace(/^(?:param-(?:body-$)?|attributes:)/, "");

/** The id of the field that contains the model. */
const idAbove = (prefix: string): string => prefix.replace(/[:-]$/, "");

function freeId(preferred: string): string {
  let id = preferred;
  for (let count = 2; document.getElementById(id); count++) id = `${preferred}-${count}`;
  return id;
}

/** On hosts that require Trusted Types, allows the scripts of models and the HTML in them. */
const policy = createPolicy("offprint-models", {
  createHTML: (html: string): string => html,
  createScriptURL(url: string): string {
    const root = new URL(bundleRoot() || "./", document.baseURI).href;
    if (!url.startsWith(root) || !all<HTMLAnchorElement>(`${unloaded} a`).some(({ href }) => scriptOf(href) === url))
      throw new TypeError(`${url} is not a model of the bundle`);
    return url;
  },
});

const scriptOf = (page: string): string => page.replace(/(?:\.html)?(?:[?#].*)?$/, ".js");

function loadModel(source: string): Promise<void> {
  const script = document.createElement("script");
  return loadElement(script, () => {
    script.src = policy.createScriptURL(source);
  });
}

document.addEventListener(
  "toggle",
  (event) => {
    const details = event.target as HTMLDetailsElement;
    // If the script cannot be loaded, the link remains.
    if (details.open && details.matches(unloaded)) showModel(details).catch(() => undefined);
  },
  true,
);
addEventListener("hashchange", () => void goToField());
void goToField();
