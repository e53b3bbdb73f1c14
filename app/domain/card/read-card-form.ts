import type { SentCard } from "#app/domain/card/pay-by-card.server.ts";
import { findHolderFault, HOLDER_FIELDS } from "#app/kit/buyer-fields.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanDocument } from "#app/kit/documents.ts";

/** The fields that a buyer typed, to fill the form again. */
type Values = { holder_name: string; holder_document: string; instalments: string };

const MAX_INSTALMENTS = 48;

/** Reads the card page's form. `card` is null where a field is wrong; `errors` says which. */
export function readCardForm(data: FormData): {
  values: Values;
  errors: Record<string, string>;
  card: SentCard | null;
} {
  const text = (name: string) => cleanLine(String(data.get(name) ?? "").slice(0, 200)).trim();
  const values = {
    holder_name: text("holder_name"),
    holder_document: text("holder_document"),
    instalments: text("instalments"),
  };
  const instalments = Number(values.instalments);
  const [token, brand] = [text("token"), text("brand")];
  const errors: Record<string, string> = {};
  for (const name of HOLDER_FIELDS) {
    const fault = findHolderFault(name, values[name]);
    if (fault) errors[name] = fault;
  }
  if (!Number.isInteger(instalments) || instalments < 1 || instalments > MAX_INSTALMENTS)
    errors.instalments = "Escolha o número de parcelas";
  // The script fills them in from the provider's fields.
  if (!/^[\w-]{8,100}$/.test(token) || !/^\w{2,40}$/.test(brand))
    errors.token = "Preencha o número, a validade e o código de segurança do cartão";
  if (Object.keys(errors).length > 0) return { values, errors, card: null };
  const card = {
    ...{ token, publicKey: text("public_key"), brand, instalments, holderName: values.holder_name },
    document: cleanDocument(values.holder_document),
    deviceId: text("device_id").slice(0, 100) || null,
  };
  return { values, errors, card };
}
