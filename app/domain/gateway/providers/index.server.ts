import { mercadopago } from "#app/domain/gateway/providers/mercadopago/provider.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { pushinpay } from "#app/domain/gateway/providers/pushinpay/provider.server.ts";
import { woovi } from "#app/domain/gateway/providers/woovi/provider.server.ts";

/**
 * The PIX providers a seller can connect. A new one is one folder and one line here. A seller with several is paid through
 * the one of their choice, at first the first of these.
 */
export const providers: Record<string, Provider> = {
  [pushinpay.name]: pushinpay,
  [woovi.name]: woovi,
  [mercadopago.name]: mercadopago,
};
