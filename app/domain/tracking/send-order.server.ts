import { deliverOrder } from "#app/domain/tracking/deliver-order.server.ts";
import { SEND_ORDER } from "#app/domain/tracking/send-order-name.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Tells UTMify what it does not know yet of one order. */
export const sendOrder = defineJob<{ saleId: string }>(
  SEND_ORDER.name,
  ({ saleId }) => deliverOrder(saleId),
  SEND_ORDER,
);
