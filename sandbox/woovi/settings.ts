/**
 * Settings of `POST /control/woovi`.
 *
 * - `webhookUrls`: what each account entered in the panel, by its AppID. Without one nothing is sent.
 * - `prefix`: of an event's name; both have been observed.
 * - `signature`: `wrong` signs another text, `none` leaves the header out.
 * - `refunds`: how requested refunds end; `processing` ends none.
 * - `hasBalance`: without balance refunds are refused.
 */
export interface WooviSettings {
  webhookUrls: Record<string, string>;
  prefix: "OPENPIX" | "woovi";
  signature: "right" | "wrong" | "none";
  refunds: "confirmed" | "rejected" | "processing";
  hasBalance: boolean;
}

export const WOOVI_DEFAULTS: WooviSettings = {
  webhookUrls: {},
  prefix: "OPENPIX",
  signature: "right",
  refunds: "confirmed",
  hasBalance: true,
};
