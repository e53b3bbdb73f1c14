import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";

/** Whether a seller has a gateway that is on and has its key. One statement. */
export async function canTakePayments(sellerId: string): Promise<boolean> {
  return (await findGateway(sellerId)) !== null;
}
