import {
  claimDeliveries,
  type DeliveryWithDestination,
} from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { DELIVERIES } from "#app/queue/names.ts";

/** Sends deliveries. Joins the delivery folder, which does not depend on sales, with the function that reads a sale. */
export const deliveryQueue = defineQueue<DeliveryWithDestination>({
  name: DELIVERIES,
  concurrency: 40,
  pollInterval: SECOND,
  // Not noticeable, and deliveries of several purchases share their statements.
  batchDelay: 50,
  claim: claimDeliveries,
  handle: async (claimed) => ((await sendDelivery(claimed, readNotification)) ? 0 : undefined),
  logIds: (claimed) => ({ deliveryId: claimed.delivery.id, destinationId: claimed.destination.id }),
  requestIdOf: (claimed) => claimed.delivery.requestId,
});
