/** For the entries of the library: the first import, so that nothing else of it runs in an older Node. */
import { nodeProblem } from "./check-node.js";

const problem = nodeProblem();
if (problem) throw new Error(problem);
