import { wireCopies } from "./copies.js";
import { showTimes } from "./times.js";

showTimes();
wireCopies();
