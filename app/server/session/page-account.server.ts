import { ACCOUNT_FIELD, ACCOUNT_HEADER } from "#app/domain/identity/access/page-account.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { isSameSecret, sign, signaturesOf } from "#app/platform/secrets.server.ts";

const signed = (sellerId: string) => `page-account:${sellerId}`;

/** What a page's forms carry, so that they are not saved in the account of who signed in since in another tab. */
export function pageAccount(sellerId: string): string {
  return `${sellerId}.${sign(signed(sellerId))}`;
}

/** The seller of the page that a script's request came from, or null. */
export function accountInHeader(request: Request): string | null {
  return request.method === "POST" ? readAccount(request.headers.get(ACCOUNT_HEADER)) : null;
}

/** The seller of the page that a form came from, or null. */
export function accountInForm(form: FormData): string | null {
  return readAccount(form.get(ACCOUNT_FIELD));
}

/** Signed, so that nobody leaves forms for an account whose page they never had. */
function readAccount(value: FormDataEntryValue | null): string | null {
  const [id = "", signature = ""] = typeof value === "string" ? value.split(".") : [];
  return isUuid(id) && signaturesOf(signed(id)).some((one) => isSameSecret(one, signature)) ? id : null;
}
