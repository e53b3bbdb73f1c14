import { z } from "zod";
import { parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import {
  type CreatedCharge,
  type Provider,
  ProviderError,
  type TransactionState,
} from "#app/domain/gateway/providers/port.ts";
import { callWoovi } from "#app/domain/gateway/providers/woovi/call-woovi.server.ts";
import { form } from "#app/domain/gateway/providers/woovi/form.ts";
import { isSignedByWoovi } from "#app/domain/gateway/providers/woovi/public-keys.server.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import type { CallAnswer } from "#app/platform/http.server.ts";
import { log } from "#app/platform/log.server.ts";

const CODE_LIFETIME = 30 * MINUTE;
/** The maximum of the database's columns. */
const MAX_CENTS = 2 ** 31 - 1;

/** Documented are the first three. What a deleted charge is called is a guess. */
const STATES: Record<string, TransactionState> = {
  ACTIVE: "open",
  COMPLETED: "paid",
  EXPIRED: "expired",
  CANCELED: "cancelled",
};

/** A refund in another status, an unknown one too, may still be done. */
const ENDED_REFUNDS = ["CONFIRMED", "REJECTED"];

/** Events by their name without the prefix, which is `OPENPIX:` or `woovi:`. */
const EVENTS: Record<string, TransactionState> = {
  CHARGE_CREATED: "open",
  CHARGE_COMPLETED: "paid",
  CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER: "paid",
  TRANSACTION_RECEIVED: "paid",
  CHARGE_EXPIRED: "expired",
  PIX_TRANSACTION_REFUND_SENT_CONFIRMED: "refunded",
  PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: "refunded",
};

const id = z.string().regex(/^[\w-]{8,100}$/);
const cents = z.number().int().min(0).max(MAX_CENTS);
const chargeResponse = z.object({
  charge: z.object({
    correlationID: id,
    status: z.string().transform((text) => truncate(cleanLine(text).trim(), 100)),
    value: cents,
    brCode: z.string().min(20).nullish().catch(null),
    expiresDate: z.coerce.date().nullish().catch(null),
    fee: cents.nullish().catch(null),
  }),
});
const refund = z.object({
  status: z.string(),
  value: cents,
  correlationID: z.string().nullish().catch(null),
});
const refundsResponse = z.object({ refunds: z.array(z.unknown()) });
const endToEnd = z.object({ endToEndId: z.string().max(100).nullish().catch(null) });
const webhookBody = z.object({
  event: z.string().max(200).transform(cleanLine),
  charge: z.object({ correlationID: id }),
  pix: endToEnd.nullish().catch(null),
  refund: endToEnd.nullish().catch(null),
});
const testBody = z.object({ evento: z.literal("teste_webhook") });
/** Events of movements, accounts, a PIX to the account's key and others, which name no charge. */
const otherEvent = z.object({
  event: z.string().regex(/^(\w+:)?(?!CHARGE_)\w+$/),
  charge: z.null().optional(),
});
/** Of a charge that another system made at the account: `pedido 123` is no reference of ours. */
const otherSystem = z.object({
  event: z.string(),
  charge: z.object({
    correlationID: z.union([z.number(), z.string().refine((text) => !id.safeParse(text).success)]),
  }),
});

/**
 * Woovi (OpenPix). Our reference is its `correlationID`, which is also what it calls the charge by. Its oddities are
 * in the stand-in, too: `sandbox/woovi`.
 */
export const woovi: Provider = {
  name: "woovi",
  label: "Woovi",
  article: "a",
  warning: null,
  form,
  needsDocument: false,
  needsEmail: false,
  // None is published; nothing cheaper is sold.
  minimumCents: 50,
  // Each account has its own limit.
  maximumCents: null,
  codeLifetimeMs: CODE_LIFETIME,
  isCreatingIdempotent: true,
  // No limit is published.
  minCheckIntervalMs: 10 * SECOND,
  refunds: { partial: true, windowMs: 90 * DAY },
  // It has disputes, but what a charge looks like during one is undocumented.
  reportsDisputes: false,
  webhookProof: "public-keys",
  cards: null,
  statement: null,

  async createCharge({ apiKey }, { amountCents, reference }) {
    const answer = await callWoovi(apiKey, "POST", "/api/v1/charge?return_existing=true", {
      correlationID: reference,
      value: amountCents,
      expiresIn: CODE_LIFETIME / SECOND,
    });
    const created = codeOf(answer);
    if (!created) throw new ProviderError("nonsense", `charge answered ${answer.status} without a PIX code`);
    return created;
  },

  async findByReference({ apiKey }, reference) {
    return codeOf(await callWoovi(apiKey, "GET", chargePath(reference)));
  },

  async cancelCharge({ apiKey }, providerId) {
    await callWoovi(apiKey, "DELETE", chargePath(providerId));
  },

  async findTransaction({ apiKey }, providerId, known) {
    const answer = await callWoovi(apiKey, "GET", chargePath(providerId));
    if (answer.status === 400 || answer.status === 404) return null;
    const body = chargeResponse.safeParse(parseJson(answer.body));
    if (!body.success) throw new ProviderError("nonsense", "a charge that cannot be read");
    const { correlationID, status, value, fee } = body.data.charge;
    const state = pick(STATES, status.toUpperCase()) ?? "unclear";
    // A refunded charge stays COMPLETED: its refunds are a list of their own.
    const { refunds, areRefundsUnread } =
      state === "paid"
        ? await findRefunds(apiKey, providerId, known?.isBooked ?? true)
        : { refunds: [], areRefundsUnread: false };
    const refundedCents = refunds.reduce((sum, one) => sum + (one.status === "CONFIRMED" ? one.value : 0), 0);
    return {
      ...{ providerId: correlationID, reference: correlationID, providerStatus: status },
      state: refundedCents > 0 && refundedCents >= value ? "refunded" : state,
      amountCents: value,
      feeCents: fee ?? null,
      refundedCents: refundedCents || null,
      areRefundsUnread,
      rejectedRefunds: refunds.flatMap((one) => (one.status === "REJECTED" && one.correlationID) || []),
      hasOpenRefunds: refunds.some((one) => !ENDED_REFUNDS.includes(one.status)),
      webhookUrl: null,
    };
  },

  async refund({ apiKey }, providerId, { reference, amountCents }) {
    const answer = await callWoovi(apiKey, "POST", `${chargePath(providerId)}/refund`, {
      correlationID: reference,
      ...(amountCents === null ? {} : { value: amountCents }),
    });
    if (!z.object({ refund: z.object({}) }).safeParse(parseJson(answer.body)).success)
      throw new ProviderError("no-answer", `refund answered ${answer.status} without a refund`);
  },

  async checkCredentials({ apiKey }) {
    try {
      await callWoovi(apiKey, "GET", chargePath(crypto.randomUUID()));
      return true;
    } catch (error) {
      if (error instanceof ProviderError && error.kind === "credentials") return false;
      throw error;
    }
  },

  parseWebhook(text) {
    const json = parseJson(text);
    if ([testBody, otherEvent, otherSystem].some((shape) => shape.safeParse(json).success)) return "nothing";
    const body = webhookBody.safeParse(json);
    if (!body.success) return null;
    const { event, charge, pix, refund } = body.data;
    const name = event.slice(event.indexOf(":") + 1);
    return {
      ...{ providerId: charge.correlationID, reference: charge.correlationID },
      state: pick(EVENTS, name) ?? "unclear",
      providerStatus: name,
      endToEndId: refund?.endToEndId ?? pix?.endToEndId ?? null,
    };
  },

  isWebhookGenuine(_secret, { body, header }) {
    return isSignedByWoovi(body, header("x-webhook-signature") ?? "");
  },

  exampleWebhook(providerId) {
    const body = JSON.stringify({
      evento: "teste_webhook",
      event: "OPENPIX:CHARGE_COMPLETED",
      id: providerId,
    });
    return { headers: { "Content-Type": "application/json" }, body };
  },
};

function chargePath(correlationId: string): string {
  return `/api/v1/charge/${encodeURIComponent(correlationId)}`;
}

function codeOf(answer: CallAnswer): CreatedCharge | null {
  const body = chargeResponse.safeParse(parseJson(answer.body));
  if (!body.success) return null;
  const { correlationID, brCode, expiresDate } = body.data.charge;
  return brCode
    ? { providerId: correlationID, pixCode: brCode.trim(), expiresAt: expiresDate ?? null }
    : null;
}

/** The refunds of a paid charge that can be read. @throws ProviderError where one of a booked payment cannot be */
async function findRefunds(apiKey: string, providerId: string, isBooked: boolean) {
  try {
    const answer = await callWoovi(apiKey, "GET", `${chargePath(providerId)}/refund`);
    const listed = refundsResponse.safeParse(parseJson(answer.body)).data?.refunds;
    const refunds = (listed ?? []).flatMap((one) => refund.safeParse(one).data ?? []);
    const areRefundsUnread = refunds.length !== listed?.length;
    if (isBooked && areRefundsUnread)
      throw new ProviderError(
        "nonsense",
        `refunds answered ${answer.status} without a list that can be read`,
      );
    return { refunds, areRefundsUnread };
  } catch (error) {
    if (isBooked || !(error instanceof ProviderError)) throw error;
    log.warn({ providerId, kind: error.kind, error: error.message }, "refunds of a new payment not read");
    return { refunds: [], areRefundsUnread: true };
  }
}
