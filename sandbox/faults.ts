import type { RequestHandler, Response } from "express";
import type { Calls, Service } from "./calls.ts";
import { type Fault, failWith } from "./fault-answers.ts";

export interface Faults {
  /** Replaces an earlier rule for the same service and route. */
  set(fault: Fault): void;
  list(): Fault[];
  reset(): void;
  /** Counts the call, then fails it if a rule applies. First handler on every route of a service. */
  arrive(service: Service, route: string): RequestHandler;
}

export function createFaults(calls: Calls): Faults {
  let rules: Fault[] = [];

  function nextFault(service: Service, route: string) {
    const rule = rules.find((each) => each.service === service && (each.route ?? route) === route);
    if (!rule) return undefined;
    rule.times -= 1;
    rules = rules.filter((each) => each.times > 0);
    return rule;
  }

  return {
    set(fault) {
      // Without a route, a rule applies to the whole service: `times: 0` then ends the narrower ones too.
      rules = rules.filter(
        (each) => each.service !== fault.service || (fault.route !== undefined && each.route !== fault.route),
      );
      if (fault.times > 0) rules.push({ ...fault });
    },
    list: () => rules,
    reset() {
      rules = [];
    },
    arrive: (service, route) => (request, response, next) => {
      calls.count(service, route);
      const rule = nextFault(service, route);
      if (!rule) return next();
      if (rule.mode.startsWith("slow-")) return void setTimeout(next, Number(rule.mode.slice(5)));
      if (!rule.after) return failWith(rule, request, response);
      failInsteadOfAnswering(response, () => failWith(rule, request, response));
      next();
    },
  };
}

/** Lets the route do its work, then fails in place of sending its response. */
function failInsteadOfAnswering(response: Response, fail: () => void) {
  const end = response.end;
  response.end = (() => {
    response.end = end;
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    fail();
    return response;
  }) as typeof response.end;
}
