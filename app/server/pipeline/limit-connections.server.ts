import { Server } from "node:http";
import { SECOND } from "#app/kit/duration.ts";

/** How long a client may take to send its headers, and how often that is checked: together less than 15 seconds. */
const HEADERS_TIMEOUT = 10 * SECOND;
const CHECK_INTERVAL = 2 * SECOND;

/**
 * Closes connections that send nothing or incomplete headers. remix-serve has no option for it, so each server is
 * configured when it begins to listen.
 */
export function limitConnections(): void {
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server & { connectionsCheckingInterval: number }, ...given: []) {
    this.headersTimeout = HEADERS_TIMEOUT;
    this.connectionsCheckingInterval = CHECK_INTERVAL;
    return Reflect.apply(listen, this, given);
  } as typeof listen;
}
