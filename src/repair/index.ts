/** Mends faults of a site whose repair is certain. */
export { repairSite } from "./repair-site.js";
export type { ChangedFile, Proposal, Repair, RepairOptions, WrittenRepair } from "./repair-types.js";
export { writeRepair } from "./write-repair.js";
