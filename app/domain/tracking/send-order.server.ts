import { deliverOrder } from "#app/domain/tracking/deliver-order.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { SEND_ORDER } from "#app/queue/names.ts";

/** Tells UTMify what it does not know yet of one order. */
export const sendOrder = defineJob<{ saleId: string }>(
  SEND_ORDER.name,
  ({ saleId }) => deliverOrder(saleId),
  SEND_ORDER,
);
