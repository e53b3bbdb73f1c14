import { expect, test } from "vitest";
import { personalTexts } from "#app/domain/delivery/member-area/access.ts";
import { redact } from "#app/domain/delivery/sending/send-delivery.server.ts";

const SECRETS = ["", "José d'Ávila 🎸", "zoe+curso@exemplo.com.br", "chave/secreta"];

test.each([
  ["as they are", "José d'Ávila 🎸, zoe+curso@exemplo.com.br, chave/secreta"],
  ["as PHP writes JSON", String.raw`{"nome":"Jos\u00e9 d'\u00c1vila \ud83c\udfb8","token":"chave\/secreta"}`],
  [
    "in an address",
    "?api_key=chave%2Fsecreta&email=zoe%2Bcurso%40exemplo.com.br&n=Jos%C3%A9+d'%C3%81vila+%F0%9F%8E%B8",
  ],
  ["in a page", "<p>José d&#39;Ávila 🎸</p>"],
])("secrets are redacted %s", (_, textOf) => {
  const left = redact(SECRETS, textOf);
  expect(left).toContain("[oculto]");
  for (const part of ["Jos", "vila", "zoe", "secreta"]) expect(left).not.toContain(part);
});

test("a text without secrets stays unchanged", () => {
  expect(redact(["", "segredo"], '{"error":"Turma não encontrada"}')).toBe(
    '{"error":"Turma não encontrada"}',
  );
});

test("of secrets that begin alike the longer one is redacted whole", () => {
  expect(redact(["segredo", "segredo-longo"], "segredo-longo, segredo")).toBe("[oculto], [oculto]");
});

test("a buyer's texts are redacted from three letters on, and what is no text is left", () => {
  const fields = { nome: "Ana", apelido: "Al", numero: 1234, outro: "Souza" };
  expect(personalTexts(fields, ["nome", "apelido", "numero", "nada"])).toEqual(["Ana"]);
});
