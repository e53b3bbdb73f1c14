import type { AccountForm } from "#app/domain/gateway/providers/account-form.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { storedAccounts } from "#app/domain/gateway/providers/stored-accounts.server.ts";
import { pick } from "#app/kit/pick.ts";

/** An account that a seller may connect, with the fields of its form. */
export type ConnectableAccount = Pick<AccountForm, "title" | "text" | "toggle" | "keys"> & {
  /** Of the provider, in webhook URLs and in the database. */
  name: string;
  /** Null where nothing is charged through it. */
  charges: (Pick<AccountForm, "webhook" | "keyMissing"> & { label: string; article: "a" | "o" }) | null;
};

/** All accounts that a seller may connect, those that take payments first. */
export function connectableAccounts(): ConnectableAccount[] {
  const chargingAccounts = Object.values(providers).map(({ name, label, article, form }) => {
    const { webhook, keyMissing, ...rest } = form;
    return { ...rest, name, charges: { label, article, webhook, keyMissing } };
  });
  const otherAccounts = Object.entries(storedAccounts).map(([name, account]) => ({
    ...account,
    name,
    charges: null,
  }));
  return [...chargingAccounts, ...otherAccounts];
}

/**
 * The account that is asked for a code first, as `listGateways` orders them, null if none takes payments.
 * @param gateways a seller's settings, by form field
 */
export function findFirstAccount(gateways: object): ConnectableAccount | null {
  return connectableAccounts().find((account) => account.charges && takesPayments(account, gateways)) ?? null;
}

/** Whether an account is enabled and has its keys. */
export function takesPayments({ toggle, keys }: ConnectableAccount, gateways: object): boolean {
  return (
    pick(gateways, toggle.field) === true &&
    keys.every(({ field, isOptional }) => isOptional || pick(gateways, field) !== "")
  );
}
