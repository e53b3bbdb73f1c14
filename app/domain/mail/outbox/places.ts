/** Calls under way by one account in one process: however many hang at two of them, others find a place. */
const PER_ACCOUNT = 10;
/** Mails in hand in one process, those that wait for their turn among them. */
export const PLACES = 4 * PER_ACCOUNT;

const taken = new Map<string, number>();

/** Takes a place for a mail by this account. @returns how to give it back; null where none is free */
export function takePlace(account: string): (() => void) | null {
  const before = taken.get(account) ?? 0;
  if (before >= PER_ACCOUNT) return null;
  taken.set(account, before + 1);
  return () => {
    const left = taken.get(account)! - 1;
    if (left > 0) taken.set(account, left);
    else taken.delete(account);
  };
}
