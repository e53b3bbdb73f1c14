import express, { type Request } from "express";
import type { Faults } from "./faults.ts";
import type { Time } from "./time.ts";

/** A webhook as received at `/receiver/:name`, whatever the response was. */
export interface Arrival {
  name: string;
  at: string;
  /** Including the query. */
  url: string;
  headers: Record<string, string>;
  /** As sent, byte for byte in UTF-8. */
  body: string;
}

export type Arrivals = ReturnType<typeof createArrivals>;

const MAX_STORED = 2000;

export function createArrivals(time: Time) {
  let arrived: Arrival[] = [];
  return {
    receive(arrival: Omit<Arrival, "at">) {
      arrived = [...arrived, { ...arrival, at: new Date(time.now()).toISOString() }].slice(-MAX_STORED);
    },
    /** Oldest first. */
    list: (name?: string) => arrived.filter((one) => name === undefined || one.name === name),
    reset() {
      arrived = [];
    },
  };
}

/**
 * `/receiver/:name`: receives webhooks at any number of addresses, one per name. Faults of the service `receiver` set the
 * responses; their `route` is the name.
 */
export function receiverRoutes({ faults, arrivals }: { faults: Faults; arrivals: Arrivals }): express.Router {
  const router = express.Router();
  const raw = express.text({ type: () => true, limit: "256kb" });
  router.post(
    "/:name",
    raw,
    (request: Request<{ name: string }>, _response, next) => {
      const { name } = request.params;
      const headers = Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)]));
      arrivals.receive({ name, url: request.originalUrl, headers, body: String(request.body ?? "") });
      next();
    },
    (request: Request<{ name: string }>, response, next) =>
      faults.arrive("receiver", request.params.name)(request as unknown as Request, response, next),
    (_request, response) => {
      response.json({ received: true });
    },
  );
  return router;
}
