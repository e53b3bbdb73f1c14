import { expect, test } from "vitest";
import { cleanMail, findFault } from "#app/kit/buyer-fields.ts";

test.each([
  ["customer_name", "", "Nome é obrigatório"],
  ["customer_name", " \u00a0 ", "Nome é obrigatório"],
  ["customer_name", "a".repeat(81), "Nome muito longo (até 80 caracteres)"],
  ["customer_name", "Ana Lima", null],
  ["customer_email", "", "E-mail é obrigatório"],
  ["customer_email", "ana@", "E-mail inválido"],
  ["customer_email", "\u200bAna@Gmail.com ", null],
  ["customer_email_confirmation", "", "Os e-mails não coincidem"],
  ["customer_email_confirmation", "outra@gmail.com", "Os e-mails não coincidem"],
  ["customer_email_confirmation", "ANA@gmail.com", null],
  ["customer_document", "-", "CPF/CNPJ é obrigatório"],
  ["customer_document", "529.982.247-26", "CPF/CNPJ inválido"],
  ["customer_document", "CPF: 529.982.247-25", null],
  ["customer_phone", "", "Telefone é obrigatório"],
  ["customer_phone", "98765-4321", "Telefone inválido. Informe o DDD e o número"],
  ["customer_phone", "(11) 8765-4321", "Celulares têm 9 dígitos depois do DDD: (11) 98765-4321"],
  ["customer_phone", "+55 11 8765-4321", "Celulares têm 9 dígitos depois do DDD: (11) 98765-4321"],
  [
    "customer_phone",
    "351 912 345 678",
    "Telefone inválido. Confira o DDD; se for de outro país, comece com +",
  ],
  ["customer_phone", "+351 912 345 678", null],
  ["order_bumps", "x", null],
])("for the field %s, %j gives the message: %s", (name, typed, fault) => {
  expect(findFault(name, typed, true, "ana@gmail.com")).toBe(fault);
});

test("an optional field may be empty, and is validated if it is filled", () => {
  expect(findFault("customer_phone", "", false)).toBe(null);
  expect(findFault("customer_phone", "12", false)).toBe("Telefone inválido. Informe o DDD e o número");
});

test("a pasted address loses invisible characters", () => {
  expect(cleanMail("“Ana@Gmail.com\u200b” ")).toBe("ana@gmail.com");
});
