export { Call, evaluateSettings, Unknown } from "./evaluate.js";
