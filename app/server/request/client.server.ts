import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { socketAddress } from "#app/server/pipeline/socket-request.server.ts";

/**
 * The key by which limits count a client: the IPv4 address, or the IPv6 /64, since that is what one line gets and may
 * change within at will.
 */
export function clientKey(request: Request): string {
  return keyOf(clientIp(request));
}

/** The same of a request before it is a web request. */
export function messageClientKey(message: IncomingMessage): string {
  return keyOf(messageIp(message));
}

function keyOf(address: string | null): string {
  // Without a socket: a request made inside this process.
  if (!address) return "none";
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return address;
  const network = new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), ...Array(8).fill(0)]);
  return `${network.toString()}/64`;
}

/** The client's network for the log: an IPv4 address without its last part, or an IPv6 /48. */
export function clientNetwork(message: IncomingMessage): string | null {
  const address = messageIp(message);
  if (!address) return null;
  const parsed = ipaddr.parse(address);
  const networkBytes = parsed.kind() === "ipv4" ? 3 : 6;
  const bytes = parsed.toByteArray().map((byte, at) => (at < networkBytes ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${8 * networkBytes}`;
}

/**
 * The client's IP address; an IPv4 address mapped into IPv6 is returned as IPv4. With `TRUSTED_PROXY_HOPS` = n it is
 * the n-th entry of X-Forwarded-For from the right; if that is missing or invalid, and with 0, the socket's.
 */
export function clientIp(request: Request): string | null {
  return forwardedAddress(request.headers.get("x-forwarded-for")) ?? normalizeAddress(socketAddress(request));
}

function messageIp({ headers, socket }: IncomingMessage): string | null {
  return forwardedAddress(headers["x-forwarded-for"]) ?? normalizeAddress(socket.remoteAddress);
}

let isWarned = false;

function warnOnce(message: string): void {
  if (!isWarned) log.warn(message);
  isWarned = true;
}

function forwardedAddress(headerValue: string | string[] | null | undefined): string | null {
  const header = String(headerValue ?? "");
  if (header === "") return null;
  // Where no address is found all buyers behind the proxy are one client.
  if (env.TRUSTED_PROXY_HOPS === 0) {
    warnOnce("X-Forwarded-For is ignored: TRUSTED_PROXY_HOPS is 0");
    return null;
  }
  const address = normalizeAddress(withoutPort(header.split(",").at(-env.TRUSTED_PROXY_HOPS) ?? ""));
  if (!address) warnOnce("X-Forwarded-For is ignored: its entry of TRUSTED_PROXY_HOPS is no IP address");
  return address;
}

/** Some proxies add the port: `203.0.113.9:4711`, `[2001:db8::1]:443`, or the same in quotes. */
function withoutPort(entry: string): string {
  const text = entry.trim().replaceAll('"', "");
  if (text.startsWith("[")) return text.slice(1).split("]", 1)[0]!;
  const [address, , ...more] = text.split(":");
  return more.length === 0 ? address! : text;
}

function normalizeAddress(text: string | undefined): string | null {
  // The zone of a link-local address names a local interface, and may hold characters at which `ipaddr` throws.
  const address = (text ?? "").trim().split("%", 1)[0]!;
  return isIP(address) ? ipaddr.process(address).toString() : null;
}
