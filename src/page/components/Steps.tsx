import type { CommonProps, Component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { hasContent } from "./parts/nodes.js";
import { StepBody, type StepProps } from "./Step.js";

interface StepsProps extends CommonProps {
  /** Default for the titles of the steps. */
  readonly titleSize?: string;
}

/** A numbered procedure. Content that is not a step comes before the list. */
export function Steps(props: StepsProps) {
  let number = 0;
  const list = (
    <ol class={classes("steps", props.className)} id={props.id} role="list">
      {(props.items ?? []).map((item) => {
        const own: Omit<StepProps, "children" | "messages"> = item.props;
        const titleSize = own.titleSize ?? props.titleSize;
        const step: StepProps = { ...own, titleSize, id: item.id, children: item.children, messages: props.messages };
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
}

export const steps: Component = {
  stylesheet: "step",
  props: { titleSize: "text" },
  items: ["Step"],
  render: Steps,
};
