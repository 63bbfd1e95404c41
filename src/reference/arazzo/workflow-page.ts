import type { List } from "mdast";
import type { JsonObject } from "../../lib/json/index.js";
import { maxSteps, readWorkflow, type WorkflowStep, type WorkflowTarget } from "../../site/specs/index.js";
import { bodyContent } from "../operations/body-sections.js";
import * as md from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { outputNodes, stepNodes } from "./step-nodes.js";
import { callText, createStepTargets, type StepTargets, stepAnchor, workflowLink } from "./step-targets.js";
import { workflowForm } from "./workflow-form.js";

/** With fewer steps than this, a page has no list of links to them. */
const fewestListed = 3;

/** A page about a workflow: its inputs, its steps in their order, and its outputs. */
export function workflowPage(context: PageContext, target: WorkflowTarget, written: JsonObject): SectionWriter {
  const { messages, spec, playground } = context;
  const workflow = readWorkflow(spec.document, target.pointer, written);
  const targets = createStepTargets(context, workflow);
  const { inputs } = written;
  const content = inputs === undefined ? [] : [{ ...plainMedia, schema: inputs }];
  const site = { section: "inputs", qualifier: "input" };
  const fields = bodyContent(context, content, "request", site);
  const steps = workflow.steps.slice(0, maxSteps);
  const left = workflow.steps.length - steps.length;
  return () => {
    const inputFields = fields.write();
    const makeForm = () => workflowForm({ context, targets, workflow });
    const run = playground.offer(makeForm, ({ workflow: script, jsonPath }, form) => ({
      script,
      scripts: usesJsonPath(form) ? [jsonPath] : [],
    }));
    const firstUnrunnable = run && steps.find((step) => targets.find(step)?.entry.kind === "channel");
    return [
      md.component("ApiHeader", {
        method: "WORKFLOW",
        path: target.name,
        copy: false,
        runs: true,
        playground: run,
      }),
      ...md.fieldNote(messages.runsAfter, md.joined(workflow.dependsOn.map((name) => workflowLink(targets, name)))),
      ...(steps.length < fewestListed ? [] : [summary(targets, steps)]),
      ...md.section(messages.inputs, "inputs", inputFields),
      ...md.section(messages.steps, "steps", [
        md.component(
          "Steps",
          { titleSize: "h3" },
          steps.map((step) =>
            md.component(
              "Step",
              { title: md.label(md.text(md.clip(step.id, 200))), id: stepAnchor(step.id) },
              stepNodes(context, targets, step, step === firstUnrunnable),
            ),
          ),
        ),
        ...(left > 0 ? [md.paragraph(md.text(`… ${left}`))] : []),
      ]),
      ...md.section(messages.outputs, "outputs", md.listWith(workflow.outputs.map(outputNodes(targets)))),
    ];
  };
}

/** Whether a run may need JSONPath. A wrong guess only loads a script that is not used. */
const usesJsonPath = (form: object): boolean => /"(?:jsonpath|selector)"/i.test(JSON.stringify(form));

const plainMedia = { type: "", examples: [], isStream: false, encoding: {}, itemEncoding: new Map() };

const summary = (targets: StepTargets, steps: readonly WorkflowStep[]): List =>
  md.numberedList(
    steps.map((step) => [
      md.link(`#${stepAnchor(step.id)}`, md.text(md.clip(step.id, 200))),
      md.text(" "),
      md.inlineCode(callText(targets, step)),
    ]),
  );
