/**
 * Copies of what pages load from other hosts: images, fonts, style sheets with what they load, videos.
 *
 * In:  the uses that the settings and the pages report, and the lock file of an earlier export.
 * Out: files of the bundle, named after the hash of their content; the reasons for those that are missing; the new lock.
 */

export { emptyLock, lockName, parseLock, printLock } from "./lock.js";
export { createRemoteFiles, type FetchBytes, type RemoteFailure } from "./remote-files.js";
