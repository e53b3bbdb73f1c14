import { Server } from "node:http";
import { SECOND } from "#app/kit/duration.ts";

/** How long a client may take to say what it asks for, and how often that is looked at: together less than 15 seconds. */
const HEADERS_WITHIN = 10 * SECOND;
const LOOKED_AT = 2 * SECOND;

/**
 * Closes connections on which nothing, or less than a request's head, comes. remix-serve makes its server where nobody can
 * tell it so: each server learns it as it begins to listen.
 */
export function limitConnections(): void {
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server & { connectionsCheckingInterval: number }, ...given: []) {
    this.headersTimeout = HEADERS_WITHIN;
    this.connectionsCheckingInterval = LOOKED_AT;
    return Reflect.apply(listen, this, given);
  } as typeof listen;
}
