import { component, type PropsOf } from "./definition.js";
import { type CalloutKind, calloutKindOf, calloutNames } from "./shared/kinds.js";
import { calloutIcon, classes, Part } from "./shared/markup.js";
import { hasContent } from "./shared/nodes.js";
import { TintedGround, tinted } from "./shared/tint.js";

const calloutProps = { title: "label", icon: "icon", color: "color", type: "text", variant: "text" } as const;

/** A remark set apart from the text. Without a kind it has no colour or icon of its own. */
function Callout(props: PropsOf<typeof calloutProps> & { readonly kind?: CalloutKind }) {
  const kind = props.kind ?? calloutKindOf(props.type) ?? calloutKindOf(props.variant);
  const { color } = props;
  const icon = props.icon ?? (kind && calloutIcon(kind));
  return (
    <div
      class={classes("callout", props.className)}
      id={props.id}
      role="note"
      aria-label={props.messages[kind ?? "note"]}
      data-callout-type={color === undefined && kind ? kind : "custom"}
    >
      {color !== undefined && <TintedGround color={color} />}
      {icon && <Part name="callout-icon">{tinted(icon, color)}</Part>}
      <Part name="callout-content">
        {hasContent(props.title) && <Part name="callout-title">{props.title}</Part>}
        {props.children}
      </Part>
    </div>
  );
}

export const callout = component({
  props: calloutProps,
  choices: { type: calloutNames.join(" ") },
  container: ["title"],
  render: Callout,
});

const preset = (kind: CalloutKind) =>
  component({
    props: { title: "label", icon: "icon" },
    container: ["title"],
    render: (props) => <Callout {...props} kind={kind} />,
  });

export const note = preset("note");
export const warning = preset("warning");
export const info = preset("info");
export const tip = preset("tip");
export const check = preset("check");
export const danger = preset("danger");

const types = new Set(["info", "warning", "critical"]);

/** An announcement in the text. It looks like the banner that docs.json puts on every page. */
export const banner = component({
  props: { type: "text" },
  choices: { type: [...types].join(" ") },
  render: (props) => (
    <div
      class={classes("page-banner", props.className)}
      id={props.id}
      role="note"
      aria-label={props.messages.announcement}
      data-banner-type={props.type && types.has(props.type) ? props.type : "info"}
    >
      {props.children}
    </div>
  ),
});
