export { Call, type Evaluated, evaluateSettings, Unknown } from "./evaluate.js";
