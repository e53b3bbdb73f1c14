import type { z } from "zod";
import type { Db } from "#app/db/client.server.ts";
import type { destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { SendingKind } from "#app/domain/delivery/destination.ts";
import type { FormCard, TestField } from "#app/domain/delivery/form-card.ts";

/** The screens for destinations: several kinds may share one. UTMify has a screen of its own. */
export type Family = "webhook" | "pixel" | "members";

export type DestinationRow = typeof destinations.$inferSelect;

/**
 * What every form has; `token` as typed, where a mask stands for the saved one. Products are all where left out; `is_active`
 * of the API resumes or pauses.
 */
export type CommonFields = {
  name: string;
  token?: string | undefined;
  scope?: "all" | "some";
  products?: number[];
  is_active?: boolean | undefined;
};

/** What a form's own fields become. Without `productIds` they are the products that its scope selects. */
type OwnColumns = Partial<DestinationRow> & Pick<DestinationRow, "events" | "settings">;

/** Where a form is saved. `row` and `saved`, its settings, are null for a new one. `hasToken`: after saving. */
type Saving<S> = {
  tx: Db;
  sellerId: string;
  row: DestinationRow | null;
  saved: S | null;
  isNewToken: boolean;
  hasToken: boolean;
};

/**
 * A kind of destination: how it is sent to, and how its form is shown, checked and saved. What it shares with all others is
 * not in here: saving, tokens, versions, mails, sending. Texts are Portuguese.
 */
export type DestinationKind<F = unknown, S = unknown> = SendingKind & {
  /** The column `kind`. */
  id: string;
  family: Family | null;
  /** Its service's name, and what it does. */
  title: string;
  text: string;
  /** The form: its cards in order, and its checks. */
  cards: FormCard[];
  schema: z.ZodType;
  /** The columns that a valid form means. @throws Refusal */
  columnsOf(form: F, saving: Saving<S>): OwnColumns | Promise<OwnColumns>;
  /** The address that is called, where the seller types it, and its field. */
  urlOf?(form: F): { url: string; field: string };
  /** Left out by a kind without a token. */
  tokenRules?: {
    /** Whether a saved token was given for another receiver, and must be typed again. */
    isNeeded(form: F, saved: S): boolean;
    /** The refusal where it was not, at its field. */
    missing: { text: string; field: string };
    /** The token to store, undefined to keep the saved one, null for none. Without it, a mask keeps it. */
    choose?(typed: string | undefined, isNew: boolean): string | null | undefined;
    /** The token that replaces a saved one which no receiver at this address knows; undefined to keep it. */
    replace?(form: F, saved: S): string | undefined;
  };
  /** Whether sales go to somebody else by it, which is mailed to the seller. */
  changesReceiver(form: F, saved: S | null, isNewToken: boolean): boolean;
  /** That mail's sentence. */
  receiverText(form: F): string;
  /** A new signing secret. */
  newSecret?: () => string;
  /** Whether what happens while it is stopped is recorded, to be sent when it is resumed: an access that was paid for. */
  recordsWhileStopped?: true;
  /** How the checkout's question for consent calls it; the buyer is asked if a kind has it. */
  advertiser?: string;
};

/** A kind of a family, with what it says in the list and on its page, and its test. */
export type ListedKind<F = unknown, S = unknown> = DestinationKind<F, S> & {
  family: Family;
  /** The values of its own fields in a new form, and in a saved one. They count for the version of the form. */
  emptyValues: Record<string, unknown>;
  valuesOf(row: { settings: S; events: DeliveryEvent[] }): Record<string, unknown>;
  /** Where it goes: on its page, and in the list if that is shorter. */
  address(settings: S): string;
  listedAddress?(settings: S): string;
  /** What the list says about it. */
  summary(row: { settings: S; events: DeliveryEvent[]; productIds: number[] | null }): string[];
  /** What resending does where it was delivered already. */
  copies: string;
  /** The tabs of its page beside log and form; what they show is in `ui/seller/destination`. */
  tabs?: { id: string; label: string }[];
  /** A warning on its page; `items` are the codes of what is sold. */
  warning?(settings: S, items: string[]): string | null;
  /** The receiver's identifier of a message. */
  messageId?: (deliveryId: string) => string;
  test: {
    text: string;
    fields: TestField[];
    submit: string;
    pending: string;
    /** A link to a tab that explains more. */
    more?: { tab: string; label: string };
    /** How the log calls it, where it is no event. */
    logLabel?: string;
    /** The message where it succeeded. */
    done(found: unknown[]): string;
  };
  /** The fields of the last test. */
  testValues?(settings: S): Record<string, string>;
  /** The settings to test with. @throws Refusal invalid at a field */
  settingsForTest?(typed: Record<string, string>, saved: S, items: { code: string; name: string }[]): S;
  /** What a test's answer lists, and the settings with it; null where nothing. */
  learnFromTest?(answer: string, saved: S): { settings: S; found: unknown[] } | null;
};
