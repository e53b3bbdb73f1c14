import type { FieldMetadata } from "@conform-to/react";
import type { BadgeTone } from "#app/ui/seller/badge.tsx";

/** A card of a payment account, or of one whose keys are only stored. `field` is a name in the form. */
export type AccountCard = {
  name: string;
  title: string;
  text: string;
  toggle: { field: string; label: string };
  cardToggle: { field: string; label: string; hint: string } | null;
  keys: { field: string; label: string; isSecret: boolean; isOptional?: boolean | undefined; hint: string }[];
  charges: {
    webhook: { field: string; hint: string; setup?: object };
    keyMissing: string;
    badge: { tone: BadgeTone; label: string };
    keyRefused: string | null;
    /** Where nothing has shown yet that the provider accepts the saved key. */
    keyUntested: string | null;
    /** The provider, with its article, that codes are requested from before this one. */
    spareOf: string | null;
    /** What the provider said when the daily test of this spare failed. */
    spareFailure: string | null;
    /** That its provider refused the last cards, and what may be wrong. */
    cardsRefused: string | null;
    /** That its provider creates no codes now. */
    outage: string | null;
    testHint: string;
  } | null;
};

/** The settings as the tab shows them; every secret is a mask. */
export type Gateways = {
  [field: string]: string | boolean;
  first_provider: string;
  utmfy_enabled: boolean;
  utmfy_api_token: string;
  resend_api_key: string;
};

export type GatewayFields = { [field: string]: string | boolean; utmfy_enabled: boolean };
export type FieldsOf = {
  [field: string]: FieldMetadata<string | boolean, GatewayFields, string[]> | undefined;
};

export type TestResult = { success: boolean; message: string };
