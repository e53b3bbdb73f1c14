import type { Provider } from "#app/domain/payments/providers/port.ts";
import { pushinpay } from "#app/domain/payments/providers/pushinpay.server.ts";

/** The PIX providers a seller can connect. A new one is one file and one line here. */
export const providers: Record<string, Provider> = {
  [pushinpay.name]: pushinpay,
};
