import { expect, test } from "vitest";
import { customerForm } from "#app/domain/access/correction/customer-form.server.ts";
import { profileForm } from "#app/domain/identity/account-form.server.ts";
import { credentialsForm, emailForm } from "#app/domain/identity/credentials-form.server.ts";
import { registration } from "#app/domain/identity/register-form.server.ts";
import { storeForm } from "#app/domain/storefront/store/store-form.server.ts";

const PASTED = "\u200b Vera@Exemplo.com.br\u00a0\u200d";
const ADDRESS = "vera@exemplo.com.br";

test.each([
  ["to sign in", credentialsForm.parse({ email: PASTED, password: "x" }).email],
  ["to request a link", emailForm.parse({ email: PASTED }).email],
  ["to register", registration.parse({ email: PASTED, name: "Vera", password: "uma senha longa" }).email],
  ["in the profile", profileForm.parse({ email: PASTED, name: "Vera" }).email],
  ["of the store", storeForm.shape.email.parse(PASTED)],
  ["of a buyer", customerForm.parse({ customer_email: PASTED }).customer_email],
])("an address that was pasted with invisible characters %s is the one that is seen", (_, email) => {
  expect(email).toBe(ADDRESS);
});
