import type { List } from "mdast";
import type { JsonObject } from "../../lib/json/index.js";
import { maxSteps, readWorkflow, type WorkflowStep, type WorkflowTarget } from "../../site/specs/index.js";
import { contentPart } from "../operations/body-sections.js";
import { bulletList, clip, component, inlineCode, label, link, paragraph, text } from "../pages/nodes.js";
import type { PageContext, Part } from "../pages/page-context.js";
import { listed, note, outputNodes, stepNodes } from "./step-nodes.js";
import { callText, createStepTargets, type StepTargets, stepAnchor, workflowLink } from "./step-targets.js";
import { workflowForm } from "./workflow-form.js";

/** A list of fewer steps would say nothing new. */
const fewestListed = 3;

/** A page about a workflow: its inputs, its steps in their order, and its outputs. */
export function workflowPart(context: PageContext, target: WorkflowTarget, written: JsonObject): Part {
  const { messages, spec, playground } = context;
  const workflow = readWorkflow(spec.document, target.pointer, written);
  const targets = createStepTargets(context, workflow);
  const { inputs } = written;
  const content = inputs === undefined ? [] : [{ ...plainMedia, schema: inputs }];
  const site = { section: "inputs", qualifier: "input" };
  const fields = contentPart(context, content, "request", site, false);
  const steps = workflow.steps.slice(0, maxSteps);
  const left = workflow.steps.length - steps.length;
  return () => {
    const given = fields.write();
    const run = playground.offerRun(() => workflowForm({ context, targets, workflow }));
    const stops = run && steps.find((step) => targets.find(step)?.entry.kind === "channel");
    return [
      component("ApiHeader", {
        method: "WORKFLOW",
        path: target.name,
        copy: false,
        runs: true,
        playground: run,
      }),
      ...note(
        messages.runsAfter,
        listed(workflow.dependsOn, (name) => workflowLink(targets, name)),
      ),
      ...(steps.length < fewestListed ? [] : [flow(targets, steps)]),
      ...(given.length === 0 ? [] : [component("ApiSection", { title: messages.inputs, id: "inputs" }, given)]),
      component("ApiSection", { title: messages.steps, id: "steps" }, [
        component(
          "Steps",
          { titleSize: "h3" },
          steps.map((step) =>
            component(
              "Step",
              { title: label(text(clip(step.id, 200))), id: stepAnchor(step.id) },
              stepNodes(context, targets, step, step === stops),
            ),
          ),
        ),
        ...(left > 0 ? [paragraph(text(`… ${left}`))] : []),
      ]),
      ...(workflow.outputs.length === 0
        ? []
        : [
            component("ApiSection", { title: messages.outputs, id: "outputs" }, [
              bulletList(workflow.outputs.map(outputNodes(targets))),
            ]),
          ]),
    ];
  };
}

const plainMedia = { type: "", examples: [], isStream: false, encoding: {}, itemEncoding: new Map() };

/** The steps in short, with links to them. */
const flow = (targets: StepTargets, steps: readonly WorkflowStep[]): List => ({
  type: "list",
  ordered: true,
  start: 1,
  spread: false,
  children: steps.map((step) => ({
    type: "listItem",
    spread: false,
    children: [
      paragraph(
        link(`#${stepAnchor(step.id)}`, text(clip(step.id, 200))),
        text(" "),
        inlineCode(callText(targets, step)),
      ),
    ],
  })),
});
