import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { component, type PropsOf } from "./definition.js";
import { classes, HeadingAnchor, Part } from "./shared/markup.js";
import { asPhrasing, hasContent, labelOf } from "./shared/nodes.js";

const stepProps = {
  title: "label",
  icon: "icon",
  stepNumber: "number",
  /** The element of the title: `p`, `h2`, `h3` or `h4`. */
  titleSize: "text",
  noAnchor: "boolean",
} as const;
type StepProps = PropsOf<typeof stepProps>;

const headingTags = ["h2", "h3", "h4"];
const titleSizes = `p ${headingTags.join(" ")}`;

/** The content of a step's `li`: its mark (the style sheet writes the number), title and text. */
function StepBody(props: StepProps): JsxNode[] {
  const isHeading = headingTags.includes(props.titleSize ?? "");
  const Title = isHeading ? props.titleSize! : "p";
  return [
    <div
      class="step-number"
      data-component-part="step-number"
      data-number={props.icon ? undefined : props.stepNumber}
      aria-hidden="true"
    >
      {props.icon}
    </div>,
    <div class="step-body">
      {hasContent(props.title) && (
        <Title class="step-title" data-component-part="step-title">
          {asPhrasing(props.title)}
          {isHeading && !props.noAnchor && props.id && (
            <HeadingAnchor id={props.id} label={labelOf(props.title)} messages={props.messages} />
          )}
        </Title>
      )}
      <Part name="step-content">{props.children}</Part>
    </div>,
  ];
}

/** A step outside `Steps`. Inside, `Steps` renders its steps itself. */
export const step = component({
  stylesheet: "step",
  props: stepProps,
  choices: { titleSize: titleSizes },
  container: ["title"],
  parent: "Steps",
  id: {
    from: ["title"],
    toc: (props) => {
      const level = headingTags.indexOf(String(props["titleSize"]));
      return level < 0 ? undefined : level + 2;
    },
  },
  render: (props) => (
    <div class={classes("step", props.className)} id={props.id}>
      {StepBody(props)}
    </div>
  ),
});

/** A numbered procedure. */
export const steps = component({
  stylesheet: "step",
  props: {
    /** Default of the steps' own `titleSize`. */
    titleSize: "text",
  },
  choices: { titleSize: titleSizes },
  items: ["Step"],
  container: [],
  render(props) {
    let number = 0;
    const list = (
      <ol class={classes("steps", props.className)} id={props.id} role="list">
        {(props.items ?? []).map((item) => {
          const itemProps: Omit<StepProps, "children" | "messages"> = item.props;
          const titleSize = itemProps.titleSize ?? props.titleSize;
          const step: StepProps = {
            ...itemProps,
            titleSize,
            id: item.id,
            children: item.children,
            messages: props.messages,
          };
          number = step.stepNumber ?? number + 1;
          return (
            <li class={classes("step", step.className)} id={step.id} value={step.stepNumber}>
              {StepBody({ ...step, stepNumber: number })}
            </li>
          );
        })}
      </ol>
    );
    if (!hasContent(props.children)) return list;
    return (
      <>
        {props.children}
        {props.items?.length ? list : undefined}
      </>
    );
  },
});
