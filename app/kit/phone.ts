/** Matches one of Brazil's 67 area codes at the beginning. */
const DDD = /^(?:[14689][1-9]|2[12478]|3[1-578]|5[1345]|7[134579])/;

/**
 * A Brazilian phone as E.164: `(11) 98765-4321` → `+5511987654321`, with any blanks, dashes and invisible characters,
 * with or without the country's 55 and the 0 before the area code. A foreign one must start with `+`.
 * @returns null if it is no phone number
 */
export function parsePhone(input: string): string | null {
  const typed = input.normalize("NFKC").replace(/[^\d+]/g, "");
  const digits = typed.replace(/\D/g, "");
  if (typed.startsWith("+") && !digits.startsWith("55"))
    return digits.length >= 8 && digits.length <= 15 ? `+${digits}` : null;
  const bare = digits.replace(/^0+/, "");
  const national = bare.length >= 12 && bare.startsWith("55") ? bare.slice(2).replace(/^0+/, "") : bare;
  if (!DDD.test(national)) return null;
  const subscriber = national.slice(2);
  return /^9\d{8}$/.test(subscriber) || /^[2-5]\d{7}$/.test(subscriber) ? `+55${national}` : null;
}

/** `+5511987654321` → `(11) 98765-4321`; a foreign number stays as it is. */
export function formatPhone(phone: string): string {
  const found = /^\+55(\d{2})(\d{4,5})(\d{4})$/.exec(phone);
  return found ? `(${found[1]}) ${found[2]}-${found[3]}` : phone;
}

/** A message on what is wrong with input that `parsePhone` does not understand. */
export function phoneFault(input: string): string {
  const digits = input
    .normalize("NFKC")
    .replace(/\D/g, "")
    .replace(/^(0+|55(?=\d{10}$))/, "");
  if (DDD.test(digits) && /^[6-9]\d{7}$/.test(digits.slice(2)))
    return `Celulares têm 9 dígitos depois do DDD: (${digits.slice(0, 2)}) 9${digits.slice(2, 6)}-${digits.slice(6)}`;
  if (digits.length < 10) return "Telefone inválido. Informe o DDD e o número";
  return "Telefone inválido. Confira o DDD; se for de outro país, comece com +";
}

/** The address of a WhatsApp conversation with an E.164 number. */
export function whatsAppLink(phone: string): string {
  return `https://wa.me/${phone.replace(/\D/g, "")}`;
}
