/**
 * Describes the sections of a page, by the id of their heading, so that pages of different renderers can be compared.
 * It runs in a browser, on the page or on the text of one, so it may use nothing from outside of the function.
 *
 * Kept: elements, attributes, text, the state of form fields, whether a canvas is painted. Our components are reduced to
 * `<x-card>` and the like with title and content. Left out: comments, the elements around islands and slots, styles, what
 * an export adds to headings, images, links and tables. Links start at the site's root.
 */
export function describeSections({ address, html }: { address: string; html?: string }): Record<string, string> {
  const root = html === undefined ? document : new DOMParser().parseFromString(html, "text/html");
  const dropped =
    /^(style|xmlns|rel|target|loading|decoding|fetchpriority|selected|value|checked|required-marker|data-(island|zoom|client-only).*)$/;
  const block =
    "article|aside|blockquote|details|dd|div|dl|dt|fieldset|figcaption|figure|form|h[1-6]|hr|iframe|legend|li|main|nav|ol|p|pre|section|summary|table|tbody|thead|tr|td|th|ul|x-(?!icon|tooltip)[a-z]+";
  const aroundBlock = new RegExp(`\\s*(</?(?:${block})(?: [^>]*)?>)\\s*`, "g");

  const sections: Record<string, string> = {};
  for (const heading of root.querySelectorAll("#content > h2")) {
    const nodes: Node[] = [];
    for (let next = heading.nextSibling; next && next.nodeName !== "H2"; next = next.nextSibling) nodes.push(next);
    const text = nodes.map(describe).join("").replace(aroundBlock, "$1").trim();
    sections[heading.id] = numberIds(text);
  }
  return sections;

  function describe(node: Node): string {
    if (node.nodeType === Node.TEXT_NODE) return escaped(node.nodeValue!.replace(/\s+/g, " "));
    if (!(node instanceof Element)) return "";
    const name = node.localName;
    if (["template", "style", "script"].includes(name) || node.classList.contains("heading-anchor")) return "";
    // A parser adds a table's body where a renderer need not.
    const isWrapper = node.hasAttribute("data-island") || ["x-slot", "tbody"].includes(name);
    if (isWrapper || node.classList.contains("table-scroll")) return inside(node);
    return component(node, name) ?? print(name, attributesOf(node, name), name === "textarea" ? "" : inside(node));
  }

  /** One of ours, in the export's form or the reference's (`x-card`). */
  function component(node: Element, name: string): string | undefined {
    const kind = name.startsWith("x-") ? name : [...node.classList][0];
    const find = (selector: string): Element | null => node.querySelector(selector);
    const titled = (tag: string, title: string, content: string): string =>
      print(
        tag,
        [
          ["title", find(title)?.textContent?.trim()],
          ["href", linkOf(node, title)],
        ],
        inside(find(content)),
      );
    if (name === "x-code") return code(node.getAttribute("title"), node);
    if (name.startsWith("x-")) return print(name, attributesOf(node, name), inside(node));
    if (name === "pre" && node.firstElementChild?.localName === "code") return code(null, node);
    switch (kind) {
      case "code-group":
        return [...node.querySelectorAll(":scope > .tab-panel")]
          .map((panel) => code(panel.querySelector(".tab-title")?.textContent, panel.querySelector("pre code")))
          .join("");
      case "code-block":
        return code(find(".code-block-title")?.textContent, find("pre code"));
      case "icon":
        return "<x-icon></x-icon>";
      case "card":
        return titled("x-card", ".card-title", ".card-content");
      case "columns":
        return print("x-columns", [], inside(node));
      case "callout":
        return print("x-callout", [], inside(find(".callout-content")));
      case "expandable": {
        const words = [...(find(".expandable-title")?.childNodes ?? [])].filter(
          (each) => !(each instanceof Element && /when-/.test(each.className)),
        );
        const title = words.map((each) => each.textContent).join("");
        return print("x-expandable", [["title", title.trim()]], inside(find(".expandable-content")));
      }
      case "accordion":
        return titled("x-accordion", ".accordion-title", ".accordion-content");
      case "steps":
        return print("x-steps", [], inside(node));
      case "step":
        return titled("x-step", ".step-title", ".step-content");
      case "tabs":
        return print("x-tabs", [], [...node.querySelectorAll(":scope > .tab-panel")].map(describe).join(""));
      case "tab-panel":
        return print(
          "x-tab",
          [["title", find(".tab-title")?.textContent?.trim()]],
          [...node.childNodes]
            .filter((each) => !(each instanceof Element && each.matches(".tab-title")))
            .map(describe)
            .join(""),
        );
      case "tooltip":
        return `<x-tooltip>${escaped(find(".tooltip-trigger")?.textContent ?? "")}</x-tooltip>`;
      default:
        return undefined;
    }
  }

  function linkOf(node: Element, title: string): string | undefined {
    const href = node.getAttribute("href") ?? node.querySelector(`${title} > a`)?.getAttribute("href");
    return href == null ? undefined : addressOf(href);
  }

  function code(title: string | null | undefined, from: Element | null): string {
    return print("x-code", [["title", title?.trim()]], escaped(from?.textContent?.trim() ?? ""));
  }

  function inside(node: Node | null): string {
    return node === null ? "" : [...node.childNodes].map(describe).join("");
  }

  function attributesOf(node: Element, name: string): (readonly [string, string | undefined])[] {
    const kept = [...node.attributes].filter(
      (each) =>
        !dropped.test(each.name) &&
        !(name === "img" && /^(width|height|role|tabindex|aria-haspopup)$/.test(each.name)) &&
        !(/^h\d$/.test(name) && each.name === "id"),
    );
    const attributes: (readonly [string, string | undefined])[] = kept.map((each) => [
      each.name,
      /^(href|src)$/.test(each.name) ? addressOf(each.value) : each.name === "class" ? classOf(each.value) : each.value,
    ]);
    if (node instanceof HTMLInputElement && /^(checkbox|radio)$/.test(node.type))
      attributes.push(["checked", String(node.checked)]);
    else if (["input", "textarea", "select", "progress"].includes(name))
      attributes.push(["value", String((node as HTMLInputElement).value)]);
    else if (name === "data" || name === "option") attributes.push(["value", node.getAttribute("value") ?? undefined]);
    if (node instanceof HTMLCanvasElement) {
      const pixels = node.getContext("2d")!.getImageData(0, 0, node.width, node.height).data;
      attributes.push(["painted", String(pixels.some((byte) => byte > 0))]);
    }
    return attributes;
  }

  function print(
    name: string,
    attributes: readonly (readonly [string, string | undefined])[],
    content: string,
  ): string {
    const written = attributes
      .filter(([, value]) => value !== undefined && value !== "undefined")
      .map(([key, value]) => ` ${key}="${escaped(value!).replaceAll('"', "&quot;")}"`);
    return `<${name}${written.sort().join("")}>${content}</${name}>`;
  }

  function escaped(text: string): string {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  }

  /** Without the classes that replace style attributes; undefined if no other is left. */
  function classOf(value: string): string | undefined {
    return value.replace(/ ?\bstyle-[0-9a-f]{12}\b/g, "").trim() || undefined;
  }

  function addressOf(href: string): string {
    if (/^[a-z]+:/.test(href)) return href;
    const { pathname, hash } = new URL(href, new URL(address, "https://site.example"));
    return pathname.replace(/(\/index)?\.html$/, "") + hash;
  }

  /** Ids that labels point at may be made up by a renderer (`useId`). */
  function numberIds(text: string): string {
    const ids = [...new Set([...text.matchAll(/ for="([^"]*)"/g)].map(([, id]) => id!))];
    return ids.reduce((done, id, index) => done.replaceAll(`"${id}"`, `"id-${index + 1}"`), text);
  }
}
