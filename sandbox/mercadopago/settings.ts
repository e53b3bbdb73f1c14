/**
 * Settings of `POST /control/mercadopago`.
 *
 * - `applications`: webhook address and secret that each account entered in its application, by its access token. Without
 *   an address nothing is sent.
 * - `signedId`: the id's letters in what is signed; `ts`: seconds or milliseconds; all have been observed.
 * - `signature`: `wrong` signs with another secret, `none` leaves the header out.
 * - `hasPixKey`: without a PIX key in the account no PIX is made. `declines`: each order is answered 402, and exists.
 * - `locked`: how many of the next calls of POST are answered 423.
 * - `isTestAccount`: only buyers at testuser.com are accepted.
 * - `isIndexed`: whether a search finds orders; new ones take a while to be found.
 * - `refunds`: how requested refunds end; `processing` ends none. Without `hasBalance` they are refused.
 */
export interface MercadoPagoSettings {
  applications: Record<string, { webhookUrl: string; secret: string }>;
  signedId: "received" | "lower";
  ts: "seconds" | "milliseconds";
  signature: "right" | "wrong" | "none";
  hasPixKey: boolean;
  declines: boolean;
  locked: number;
  isTestAccount: boolean;
  isIndexed: boolean;
  refunds: "confirmed" | "rejected" | "processing";
  hasBalance: boolean;
}

export const MERCADOPAGO_DEFAULTS: MercadoPagoSettings = {
  applications: {},
  signedId: "received",
  ts: "seconds",
  signature: "right",
  hasPixKey: true,
  declines: false,
  locked: 0,
  isTestAccount: false,
  isIndexed: true,
  refunds: "confirmed",
  hasBalance: true,
};
