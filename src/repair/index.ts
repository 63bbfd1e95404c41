/** Repairs faults of a site, where the repair is certain. */
export { addedFaults, repairSite } from "./repair-site.js";
export type { ChangedFile, Proposal, Repair, RepairOptions, WrittenRepair } from "./repair-types.js";
export { bytesOf, copySite, type TextFile, textFile } from "./workspace.js";
export { writeRepair } from "./write-repair.js";
