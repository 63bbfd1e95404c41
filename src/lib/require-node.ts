/** The first import of the library's entries, so that no other module runs in a Node that is too old. */
import { nodeProblem } from "./check-node.js";

const problem = nodeProblem();
if (problem) throw new Error(problem);
