import type { OpenContext } from "../route.js";

const failuresPerHour = 10;
const hourMs = 60 * 60_000;

export type Attempt =
  /** Call `succeed` when the attempt was right: only failures count. */
  | { readonly succeed: () => Promise<void> }
  /** Too many have failed. */
  | { readonly waitMinutes: number };

/** Counts an attempt at each of the names. It counts before the check, so that many at once are no way around. */
export async function countAttempt({ deps }: OpenContext, names: readonly string[]): Promise<Attempt> {
  const { accounts } = deps.store;
  const uses = await Promise.all(names.map((name) => accounts.countUse(name, failuresPerHour, hourMs)));
  const succeed = async (): Promise<void> => {
    for (const { useId } of uses) if (useId !== undefined) await accounts.releaseUse(useId);
  };
  const full = uses.filter(({ useId }) => useId === undefined);
  if (full.length === 0) return { succeed };
  // The other names do not pay for this one.
  await succeed();
  const endsAt = Math.max(...full.map(({ resetsAt }) => resetsAt.getTime()));
  return { waitMinutes: Math.max(1, Math.ceil((endsAt - deps.now()) / 60_000)) };
}
