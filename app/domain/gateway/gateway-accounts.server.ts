import type { AccountForm } from "#app/domain/gateway/providers/account-form.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { storedAccounts } from "#app/domain/gateway/providers/stored-accounts.server.ts";

/** An account that a seller may connect, with the fields of its form. */
export type ConnectableAccount = Pick<AccountForm, "title" | "text" | "toggle" | "cardToggle" | "keys"> & {
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
