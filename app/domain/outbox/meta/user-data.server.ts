import type { SaleNews } from "#app/domain/outbox/news.ts";
import { hashed, plainEmail } from "#app/domain/outbox/pixel/hash.server.ts";

/**
 * Whose the event is, as Meta's own library writes it: text small and trimmed, then hashed; what the browser said as it is.
 * No document: its hash is undone by trying all there are. No city or state: nothing asks for them.
 */
export function userData({ customer, ads }: SaleNews) {
  const [first, ...rest] = (customer.name ?? "").trim().split(/\s+/);
  return {
    em: hashed(plainEmail(customer.email)),
    ph: hashed(plainPhone(customer.phone)),
    fn: hashed(plainName(first ?? "")),
    ln: hashed(plainName(rest.join(""))),
    country: hashed("br"),
    external_id: hashed(customer.key.toLowerCase().replace(/\s/g, "")),
    client_ip_address: customer.ip ?? undefined,
    client_user_agent: ads?.agent,
    fbp: ads?.fbp,
    fbc: ads?.fbc,
  };
}

/** Digits alone, with the country's code and without zeros before it. */
export function plainPhone(phone: string | null): string | null {
  return phone?.replace(/\D/g, "").replace(/^0+/, "") ?? null;
}

/** Small, without blanks and punctuation; accents stay. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s\p{P}\p{S}]/gu, "");
}
