import { wireCopies } from "./copies.js";
import { followPage } from "./follow.js";
import { wireForms } from "./forms.js";
import { followJobs } from "./live.js";
import { showTimes } from "./times.js";

document.documentElement.classList.add("js");
showTimes();
wireCopies();
wireForms();
followJobs();
followPage();
