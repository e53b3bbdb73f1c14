/** The outside services that the sandbox simulates. */
export const SERVICES = [
  "pushinpay",
  "woovi",
  "mercadopago",
  "utmify",
  "resend",
  "identity",
  "receiver",
  "meta",
  "ga4",
  "tiktok",
  "kwai",
  "cademi",
  "memberkit",
] as const;
export type Service = (typeof SERVICES)[number];

/** Counts every request per service and route, refused or not, for `GET /control/calls`. */
export interface Calls {
  count(service: Service, route: string): void;
  /** Counts one `GET /transactions/:id`, under the lowercase id. */
  countTransaction(id: string): void;
  countGateRefusal(): void;
  report(): Record<Service, Record<string, unknown>>;
  reset(): void;
}

/**
 * The routes of each service, listed with 0 before their first call, so that a reader need not handle undefined. Those of the
 * receiver are whatever they are called by.
 */
const KNOWN_ROUTES: Record<Service, string[]> = {
  pushinpay: ["cashIn", "transaction", "refund"],
  woovi: ["create", "find", "cancel", "refund", "refunds", "keys"],
  mercadopago: [
    ...["create", "find", "search", "cancel", "refund", "tokens", "methods", "installments"],
    ...["sdk", "security", "fields", "chargeback", "documentation", "payment"],
    ...["report", "reports", "report-config", "report-task", "report-file"],
  ],
  utmify: ["orders"],
  resend: ["emails", "email", "batch", "domains", "webhooks"],
  identity: ["auth", "resume", "interaction", "token", "me", "jwks", "discovery"],
  receiver: [],
  meta: ["events"],
  ga4: ["collect", "debug"],
  tiktok: ["track"],
  kwai: ["api"],
  cademi: ["postback"],
  memberkit: ["users", "classrooms"],
};

/** Whether a service has this route. */
export function isRoute(service: Service, route: string): boolean {
  return service === "receiver" || KNOWN_ROUTES[service].includes(route);
}

export function createCalls(): Calls {
  const counts = new Map<string, number>();
  const perTransaction = new Map<string, number>();
  let gateRefusals = 0;

  function routesOf(service: Service) {
    const routes: Record<string, number> = Object.fromEntries(
      KNOWN_ROUTES[service].map((route) => [route, 0]),
    );
    for (const [key, count] of counts) {
      const [owner, route] = key.split(" ");
      if (owner === service && route) routes[route] = count;
    }
    return routes;
  }

  return {
    count(service, route) {
      const key = `${service} ${route}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    countTransaction(id) {
      const key = id.toLowerCase();
      perTransaction.set(key, (perTransaction.get(key) ?? 0) + 1);
    },
    countGateRefusal() {
      gateRefusals += 1;
    },
    report: () => ({
      pushinpay: {
        ...routesOf("pushinpay"),
        gateRefusals,
        perTransaction: Object.fromEntries(perTransaction),
      },
      woovi: routesOf("woovi"),
      mercadopago: routesOf("mercadopago"),
      utmify: routesOf("utmify"),
      resend: routesOf("resend"),
      identity: routesOf("identity"),
      receiver: routesOf("receiver"),
      meta: routesOf("meta"),
      ga4: routesOf("ga4"),
      tiktok: routesOf("tiktok"),
      kwai: routesOf("kwai"),
      cademi: routesOf("cademi"),
      memberkit: routesOf("memberkit"),
    }),
    reset() {
      counts.clear();
      perTransaction.clear();
      gateRefusals = 0;
    },
  };
}
