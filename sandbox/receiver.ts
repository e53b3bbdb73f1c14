import express, { type Request } from "express";
import type { Faults } from "./faults.ts";
import type { Time } from "./time.ts";

/** A webhook as it arrived at `/receiver/:name`, whatever was answered. */
export interface Arrival {
  name: string;
  at: string;
  /** With the query. */
  url: string;
  headers: Record<string, string>;
  /** As it was sent, byte for byte in UTF-8. */
  body: string;
}

export type Arrivals = ReturnType<typeof createArrivals>;

const KEPT = 2000;

export function createArrivals(time: Time) {
  let arrived: Arrival[] = [];
  return {
    take(arrival: Omit<Arrival, "at">) {
      arrived = [...arrived, { ...arrival, at: new Date(time.now()).toISOString() }].slice(-KEPT);
    },
    /** Oldest first. */
    list: (name?: string) => arrived.filter((one) => name === undefined || one.name === name),
    reset() {
      arrived = [];
    },
  };
}

/**
 * `/receiver/:name`: takes webhooks at as many addresses as there are names. What it answers, faults of the service
 * `receiver` say; their `route` is the name.
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
      arrivals.take({ name, url: request.originalUrl, headers, body: String(request.body ?? "") });
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
