import { wireCopies } from "./copies.js";
import { wireForms } from "./forms.js";
import { followJobs } from "./live.js";
import { showTimes } from "./times.js";

document.documentElement.classList.add("js");
showTimes();
wireCopies();
wireForms();
followJobs();
