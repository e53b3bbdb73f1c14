import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { isMailAddress } from "#app/kit/mail-address.ts";

/** Whether this machine can listen on an address. */
export function isOfThisMachine(address: string): boolean {
  if (["localhost", "0.0.0.0", "::", hostname()].includes(address)) return true;
  if (isIP(address) === 4 && address.startsWith("127.")) return true;
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return isIP(address) !== 0 && own.some((one) => one.address === address);
}

/** Whether an http(s) address names a site and nothing on it; also of what is no address, which is reported as that. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, pathname, search, hash } = new URL(text);
  return [username, password, pathname.replaceAll("/", ""), search, hash].every((part) => part === "");
}

/** The value is never shown: it may hold a password. */
export function isSmtpAddress(text: string): boolean {
  return URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "";
}

/** `Loja <loja@exemplo.com.br>`, or the address alone. */
export function isSender(text: string): boolean {
  return isMailAddress(text.endsWith(">") ? text.slice(text.lastIndexOf("<") + 1, -1) : text);
}

/** The value is never shown: it may hold a password. */
export function isPostgresAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname } = new URL(text);
  return (
    /^postgres(ql)?:$/.test(protocol) && hostname !== "" && isPercentEncoded(username + password + pathname)
  );
}

/** A password typed as it is may hold a `%` that begins no code: the driver fails on it. */
function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
