/**
 * In:  the files of a site, and the addresses of specifications.
 * Out: OpenAPI, AsyncAPI, GraphQL and Arazzo documents as data (`ApiSpec`) with their entries, for the plan of the site and for the
 *      threads that make pages. A fault in a document is a diagnostic with its location.
 */
export {
  type ApiTarget,
  type GraphTarget,
  isAboutSchema,
  type ModelTarget,
  methodKeys,
  methods,
  methodsIn,
  objectBoost,
  pointerOfTarget,
  type WorkflowTarget,
} from "./api-target.js";
export { checkWorkflows, maxSteps } from "./arazzo/check-workflows.js";
export {
  type Criterion,
  type Output,
  readWorkflow,
  type StepAction,
  type StepParameter,
  type Workflow,
  type WorkflowStep,
} from "./arazzo/read-workflow.js";
export { restrictedSteps } from "./arazzo/restricted-steps.js";
export {
  type Call,
  callKeys,
  findCall,
  findWorkflow,
  parseStepReference,
  type SourceSpec,
  type Sources,
  sourceDescriptions,
} from "./arazzo/sources.js";
export { protocolOfChannel } from "./asyncapi/kind.js";
export { infoVersion } from "./create-api-spec.js";
export {
  descriptionOf,
  maxSummaryTitle,
  readBadges,
  type SpecBadge,
  type SpecEntry,
  titleText,
} from "./entry-reader.js";
export { schemesOf } from "./graphql/read-graphql.js";
export { listEntries } from "./list-entries.js";
export { listObjects, type SpecObject } from "./list-objects.js";
export { addressNamesOf, derivations, innerSteps, schemaPlaceOf, shortNamesOf } from "./named-schemas.js";
export { createSpecLocator, type LocateInSpec, openSpecs, type SpecPlan } from "./open-specs.js";
export { readTags, type SpecTag } from "./read-tags.js";
export { createSpecReader, type FetchText, type SpecReader, type SpecReading } from "./spec-reader.js";
export { parseSpecText } from "./text/parse-spec-text.js";
export { createLocations } from "./text/spec-locations.js";
