import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { socketAddress } from "#app/web/door/socket.server.ts";

/**
 * Whom limits count: a key that stays the same for one client. An IPv4 address is one; so is a whole IPv6 /64, since
 * that is what one line is given and may change within at will.
 */
export function clientOf(request: Request): string {
  const address = clientIp(request);
  // A request that came by no socket: one made inside this process.
  if (!address) return "none";
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return address;
  const network = new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), ...Array(8).fill(0)]);
  return `${network.toString()}/64`;
}

/** The client's network as the log may hold it: an IPv4 address without its last part, an IPv6 line's /48. */
export function clientNetwork({ headers, socket }: IncomingMessage): string | null {
  const address = forwarded(headers["x-forwarded-for"]) ?? normalized(socket.remoteAddress);
  if (!address) return null;
  const parsed = ipaddr.parse(address);
  const kept = parsed.kind() === "ipv4" ? 3 : 6;
  const bytes = parsed.toByteArray().map((byte, at) => (at < kept ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${8 * kept}`;
}

/**
 * The client's address, an IPv4 address written as such wherever it comes mapped into IPv6. With `TRUSTED_PROXY_HOPS` = n
 * it is the n-th entry of X-Forwarded-For from the right; where that is missing or no address, and with 0, the socket's.
 */
export function clientIp(request: Request): string | null {
  return forwarded(request.headers.get("x-forwarded-for")) ?? normalized(socketAddress(request));
}

let isWarned = false;

function forwarded(named: string | string[] | null | undefined): string | null {
  const header = String(named ?? "");
  if (env.TRUSTED_PROXY_HOPS === 0) {
    // Behind a proxy that nobody told us of, all buyers would be one client.
    if (header && !isWarned) log.warn("X-Forwarded-For is not believed: TRUSTED_PROXY_HOPS is 0");
    isWarned ||= header !== "";
    return null;
  }
  const chain = header.split(",");
  return normalized(chain.at(-env.TRUSTED_PROXY_HOPS));
}

function normalized(text: string | undefined): string | null {
  // The zone of a link-local address names a card of this machine, and may hold what `ipaddr` throws at.
  const address = (text ?? "").trim().split("%", 1)[0]!;
  return isIP(address) ? ipaddr.process(address).toString() : null;
}
