import type { PhrasingContent, RootContent } from "mdast";
import { isObject, type Json, shortJson } from "../../lib/json/index.js";
import { bulletList, clip, component, fence, inlineCode, text } from "./nodes.js";
import type { PageContext, Part } from "./page-context.js";
import { printJson } from "./print-json.js";
import type { FieldSite } from "./schema-fields.js";

/** The protocols whose bindings AsyncAPI defines; others are shown as written. */
const protocols = new Set(
  "amqp amqp1 anypointmq googlepubsub http ibmmq jms kafka mercure mqtt mqtt5 nats pulsar redis ros2 sns solace sqs stomp ws".split(
    " ",
  ),
);
/** The members of bindings that are schemas, if they are objects. */
const schemas = new Set("clientId correlationData groupId headers key query".split(" "));

const maxProtocols = 20;
const maxMembers = 100;
const maxLevels = 3;
const maxLength = 300;

/**
 * What a document says for single protocols: the members of its bindings, one on each line.
 *
 * @param isShown false for members that the page shows elsewhere.
 */
export function bindingsPart(
  context: PageContext,
  written: Json | undefined,
  site: FieldSite,
  isShown: (protocol: string, name: string) => boolean = () => true,
): Part {
  const { references, outline, fields } = context;
  const parts = Object.entries(references.followObject(written) ?? {})
    .filter(([protocol]) => protocol !== "$ref")
    .slice(0, maxProtocols)
    .map(([protocol, each]): Part => {
      const binding = references.followObject(each);
      if (binding === undefined || !protocols.has(protocol)) return () => [fence("json", printJson(each), protocol)];
      const members = Object.entries(binding).filter(([name]) => isShown(protocol, name));
      if (members.every(([name]) => name === "bindingVersion")) return () => [];
      const isSchema = ([name, value]: (typeof members)[number]): boolean => schemas.has(name) && isObject(value);
      const nodes = members.filter(isSchema).map(([name, value]) => ({ name, node: outline.add(value, "both") }));
      const lines = members
        .filter((member) => !isSchema(member))
        .flatMap(([name, value]) => linesOf(name, value))
        .slice(0, maxMembers);
      return () => [
        component("FieldNote", { label: protocol }, lines.length === 0 ? [] : [bulletList(lines)]),
        ...nodes.map(({ name, node }) =>
          fields.field({ name, required: false }, node, { ...site, qualifier: `${site.qualifier} ${protocol}` }),
        ),
      ];
    });
  return () => parts.flatMap((write) => write());
}

/** A member, or those inside it: `exchange.type: topic`. */
function linesOf(name: string, value: Json, level = 1): PhrasingContent[][] {
  if (isObject(value) && level < maxLevels && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([inner, each]) => linesOf(`${name}.${inner}`, each, level + 1));
  const shown = typeof value === "string" ? clip(value, maxLength) : (shortJson(value, maxLength) ?? "…");
  return [[inlineCode(clip(name, maxLength)), text(": "), inlineCode(shown)]];
}

/** The same below a title that opens them. */
export function foldedBindings(context: PageContext, written: Json | undefined, site: FieldSite): Part {
  const write = bindingsPart(context, written, site);
  return () => {
    const shown: RootContent[] = write();
    return shown.length === 0 ? [] : [component("Expandable", { title: context.messages.bindings }, shown)];
  };
}
