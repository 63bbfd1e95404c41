/** Renders the icons of a page: of icon libraries, or images of the site and of other hosts. */
import type { ElementContent } from "hast";
import type { Location } from "../../../lib/diagnostic/index.js";
import { cleanUrl } from "../../../lib/url/index.js";
import type { PropValue } from "../../content/index.js";
import type { Props } from "../element-attributes.js";
import { allOf, element, isBlank, pageOf, type State } from "../nodes.js";
import type { PageRender, RenderTools } from "../page-render.js";
import type { IconChoice } from "../ports.js";
import { isTree, textOfProp } from "../prop-values.js";
import { imageSource } from "./image.js";

/** An icon by name, an image by address, or the JSX. @param props may name the style and the library. */
export function iconOf(state: State, value: PropValue, props: Props, location: Location): ElementContent | undefined {
  if (isTree(value)) {
    const rendered = allOf(state, value.children).filter((node) => node.type !== "text" || !isBlank(node.value));
    return rendered.length <= 1 ? rendered[0] : element("span", {}, rendered);
  }
  if (typeof value !== "string" || isBlank(value)) return undefined;
  return renderIcon(pageOf(state), value, props, location);
}

export function renderIcon(
  page: PageRender,
  name: string,
  props: Props,
  location: Location,
): ElementContent | undefined {
  const choice = iconChoice(page.context.tools, name, props);
  if (choice === undefined) return pictureIcon(page, name, location);
  const rendered = page.context.tools.icons.icon(choice, location);
  page.collector.reportEach(rendered.diagnostics);
  return rendered.node;
}

/** Undefined for the address of an image. */
function iconChoice(tools: Pick<RenderTools, "iconLibrary">, written: string, props: Props): IconChoice | undefined {
  const name = cleanUrl(written);
  if (/^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:\/\/|data:)|\.(?:svg|png|jpe?g|gif|webp|avif|ico)$/i.test(name))
    return undefined;
  const style = textOfProp(props["iconType"] as PropValue);
  const library = props["iconLibrary"];
  return {
    name,
    ...(style === undefined ? {} : { style }),
    library: library === "fontawesome" || library === "lucide" || library === "tabler" ? library : tools.iconLibrary,
  };
}

function pictureIcon(page: PageRender, address: string, location: Location): ElementContent | undefined {
  const source = imageSource(page, address, location);
  if (!source) return undefined;
  return element("img", { className: ["icon-image"], src: source.src, alt: "", width: 24, height: 24 }, []);
}
