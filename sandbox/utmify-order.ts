import { z } from "zod";

/** A moment in UTC, `YYYY-MM-DD HH:MM:SS`. */
const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, "must be YYYY-MM-DD HH:MM:SS in UTC")
  .refine((text) => !Number.isNaN(momentOf(text)), "must be a real date");
/** Unknown is null; an empty text is refused. */
const tracking = z.string().min(1, "must be null when unknown, not an empty string").nullable();
const cents = z.int().min(0);

/** The whole order, sent again at every change; money in integer cents. Source: UTMify's API documentation. */
export const orderSchema = z.strictObject({
  orderId: z.string().min(1),
  platform: z.string().min(1),
  paymentMethod: z.enum(["credit_card", "boleto", "pix", "paypal", "free_price"]),
  status: z.enum(["waiting_payment", "paid", "refused", "refunded", "chargedback"]),
  createdAt: moment,
  approvedDate: moment.nullable(),
  refundedAt: moment.nullable(),
  customer: z.strictObject({
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    document: z.string().nullable(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, "must be ISO 3166-1 alpha-2")
      .optional(),
    // May be left out, but may not be null.
    ip: z.string().optional(),
  }),
  products: z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        planId: z.string().nullable(),
        planName: z.string().nullable(),
        quantity: z.number(),
        priceInCents: cents,
      }),
    )
    .min(1),
  trackingParameters: z.strictObject({
    src: tracking,
    sck: tracking,
    utm_source: tracking,
    utm_campaign: tracking,
    utm_medium: tracking,
    utm_content: tracking,
    utm_term: tracking,
  }),
  commission: z.strictObject({
    totalPriceInCents: cents,
    gatewayFeeInCents: cents,
    userCommissionInCents: cents,
    currency: z
      .enum(["BRL", "USD", "EUR", "GBP", "ARS", "CAD", "COP", "MXN", "PYG", "CLP", "PEN", "PLN"])
      .optional(),
  }),
  isTest: z.boolean().optional(),
});

export type Order = z.infer<typeof orderSchema>;

/** Milliseconds of a `YYYY-MM-DD HH:MM:SS` in UTC; NaN for an invalid one. */
export function momentOf(text: string): number {
  return Date.parse(`${text.replace(" ", "T")}Z`);
}

/** The 400 body: every invalid path with its reason. */
export function reasonsByPath(error: z.ZodError, body: unknown): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const issue of error.issues) {
    const paths =
      issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of paths) {
      const name = path.join(".") || "body";
      const reason = issue.code === "unrecognized_keys" ? "is not allowed" : issue.message;
      reasons[name] ??= `${name} ${at(body, path) === null ? "cannot be null" : reason}`;
    }
  }
  return reasons;
}

function at(body: unknown, path: PropertyKey[]) {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    body,
  );
}
