import { type Hash, hash } from "node:crypto";

/** 128 bits of a SHA-256, for comparing texts that nobody chooses to collide. */
export const shortHash = (content: string | Uint8Array): string => hash("sha256", content, "base64url").slice(0, 22);
/** The same of what has been added to a SHA-256. */
export const shortHashOf = (added: Hash): string => added.digest("base64url").slice(0, 22);
