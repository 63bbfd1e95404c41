/** Mends faults of a site whose repair is certain. */
export { addedFaults } from "./compare-faults.js";
export { copySite } from "./copy-site.js";
export { repairSite } from "./repair-site.js";
export type { ChangedFile, Proposal, Repair, RepairOptions, WrittenRepair } from "./repair-types.js";
export { bytesOf, type TextFile, textFile } from "./text-file.js";
export { writeRepair } from "./write-repair.js";
