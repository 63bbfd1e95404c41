/** A path of the console to go to after the login; the first page in place of any other address. */
export const localPath = (to: string | null): string =>
  to !== null && /^\/console(?:[/?][\w/?&=.,:%+~-]*)?$/.test(to) && !to.includes("//") ? to : "/console";
