import { hashed, plainEmail } from "#app/domain/delivery/pixel/hash.server.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";

/**
 * The buyer as Meta's own library writes it: lower-cased and trimmed, then hashed; browser data as it is. No document: its
 * hash can be reversed by trying all numbers. No city or state: we do not ask for them.
 */
export function userData({ customer, ads }: SaleNotification) {
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

/** Digits alone, with the country code and without leading zeros. */
export function plainPhone(phone: string | null): string | null {
  return phone?.replace(/\D/g, "").replace(/^0+/, "") ?? null;
}

/** Lower case, without blanks and punctuation; accents stay. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s\p{P}\p{S}]/gu, "");
}
