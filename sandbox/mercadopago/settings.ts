/**
 * Settings of `POST /control/mercadopago`.
 *
 * - `applications`: webhook address and secret that each account entered in its application, by its access token. Without
 *   an address nothing is sent.
 * - `topics`: what the application is notified of; `payment` is the topic of the older API, of each order as well.
 * - `signedId`: the id's letters in what is signed; `ts`: seconds or milliseconds; all have been observed.
 * - `signature`: `wrong` signs with another secret, `none` leaves the header out.
 * - `hasPixKey`: without a PIX key in the account no PIX is made. `declines`: each order is answered 402, and exists.
 * - `cardOutcome`: decides instead of the holder's name: one of those names (`APRO`, `OTHE`, …) or a decline's reason.
 * - `threeDs`: `on_risk` challenges each approved card whose order allows it; `demanded`: its bank declines it otherwise.
 * - `interestFree`: up to how many instalments cost the buyer nothing more.
 * - `hasSdk`: whether the browser's script is served; else 503.
 * - `locked`: how many of the next calls of POST are answered 423.
 * - `isTestAccount`: only buyers at testuser.com are accepted.
 * - `isIndexed`: whether a search finds orders; new ones take a while to be found.
 * - `reports`: see `ReportSettings`.
 * - `refunds`: how requested refunds end; `processing` ends none. Without `hasBalance` they are refused.
 */
export interface MercadoPagoSettings {
  applications: Record<string, { webhookUrl: string; secret: string }>;
  topics: ("order" | "payment" | "topic_chargebacks_wh")[];
  signedId: "received" | "lower";
  ts: "seconds" | "milliseconds";
  signature: "right" | "wrong" | "none";
  hasPixKey: boolean;
  declines: boolean;
  cardOutcome: string | null;
  threeDs: "never" | "on_risk" | "demanded";
  interestFree: number;
  hasSdk: boolean;
  locked: number;
  isTestAccount: boolean;
  isIndexed: boolean;
  refunds: "confirmed" | "rejected" | "processing";
  hasBalance: boolean;
  reports: ReportSettings;
}

/**
 * Of settlement_report and release_report.
 *
 * - `state`: what becomes of requested ones; `never`: they stay pending; `refused`: each call is answered 403.
 * - `omit`: references whose lines are left out. `amounts`: other gross amounts of payments, in cents, by reference.
 * - `extra`: further lines an hour after the beginning, with amounts in cents.
 * - `format`: `comma` has a byte order mark and decimal commas, `malformed` a quoted cell that never ends.
 * - `withoutColumn`: a column that the account's settings lack.
 */
export interface ReportSettings {
  state: "ready" | "never" | "failed" | "refused";
  omit: string[];
  amounts: Record<string, number>;
  extra: { reference: string; type: string; cents: number; feeCents: number }[];
  format: "plain" | "comma" | "malformed";
  withoutColumn: string | null;
}

export const REPORT_DEFAULTS: ReportSettings = {
  ...{ state: "ready", omit: [], amounts: {}, extra: [], format: "plain", withoutColumn: null },
};

export const MERCADOPAGO_DEFAULTS: MercadoPagoSettings = {
  applications: {},
  topics: ["order", "topic_chargebacks_wh"],
  signedId: "received",
  ts: "seconds",
  signature: "right",
  hasPixKey: true,
  declines: false,
  cardOutcome: null,
  threeDs: "never",
  interestFree: 1,
  hasSdk: true,
  locked: 0,
  isTestAccount: false,
  isIndexed: true,
  refunds: "confirmed",
  hasBalance: true,
  reports: REPORT_DEFAULTS,
};
