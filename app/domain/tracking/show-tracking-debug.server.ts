import { endpointOf, showConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { countQueued, listEvents } from "#app/domain/delivery/utmify/list-events.server.ts";
import { listTrackedProducts } from "#app/domain/delivery/utmify/product-list.server.ts";
import { type CompletedPage, listCompletedSales } from "#app/domain/tracking/list-completed-sales.server.ts";

/**
 * The data of the tracking debug: configuration with a masked token, reported products, last events, completed sales.
 */
export async function showTrackingDebug(sellerId: string, page: CompletedPage) {
  const [connection, products, events, queued, sales] = await Promise.all([
    showConnection(sellerId),
    listTrackedProducts(sellerId),
    listEvents(sellerId),
    countQueued(sellerId),
    listCompletedSales(sellerId, page),
  ]);
  return {
    connection,
    endpoint: endpointOf(connection.apiUrl),
    headerFormat: "x-api-token: {token}",
    products: products.filter((product) => product.isEnabled),
    events,
    queued,
    sales,
  };
}
