import { expect, test } from "vitest";
import { findPixCodeDefect } from "#app/domain/pix/request-code.server.ts";

const MANUAL =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
const STATIC_1990 =
  "00020126420014br.gov.bcb.pix0120teste@exemplo.com.br520400005303986540519.905802BR5910LOJA TESTE6009SAO PAULO62140510PEDIDO00016304AE1D";
const DYNAMIC =
  "00020101021226850014br.gov.bcb.pix2563pix.sandbox.local/qr/v3/at/b08a3a09-311a-4665-bfaf-8bb2cc5d75a55204000053039865802BR5916Sandbox Pay LTDA6009Sao Paulo62070503***6304A2DA";
const DYNAMIC_1990 =
  "00020101021226850014br.gov.bcb.pix2563pix.sandbox.local/qr/v3/at/b08a3a09-311a-4665-bfaf-8bb2cc5d75a5520400005303986540519.905802BR5915PUSHIN PAY LTDA6007LIMEIRA62070503***63043C3E";

test("codes without an amount are accepted for any amount", () => {
  expect(findPixCodeDefect(MANUAL, 1)).toBeNull();
  expect(findPixCodeDefect(DYNAMIC, 123456)).toBeNull();
});

test("an amount in the code must be the requested one", () => {
  expect(findPixCodeDefect(STATIC_1990, 1990)).toBeNull();
  expect(findPixCodeDefect(DYNAMIC_1990, 1990)).toBeNull();
  expect(findPixCodeDefect(DYNAMIC_1990, 1991)).toContain("19.90");
  expect(findPixCodeDefect(STATIC_1990, 199000)).toContain("19.90");
});

test("one changed character anywhere is refused", () => {
  for (const code of [MANUAL, STATIC_1990, DYNAMIC, DYNAMIC_1990]) {
    for (let at = 0; at < code.length; at++) {
      const other = code[at] === "0" ? "1" : "0";
      const changed = code.slice(0, at) + other + code.slice(at + 1);
      // The CRC itself is compared without regard to case only.
      expect(findPixCodeDefect(changed, 1990), `at ${at}`).not.toBeNull();
    }
  }
});

test("garbage, an empty code and characters outside ASCII are refused", () => {
  for (const code of [
    "",
    "pix",
    "{}",
    `${MANUAL} `,
    MANUAL.replace("Fulano", "Fuláno"),
    MANUAL.slice(0, -1),
    `\u0000${MANUAL}`,
  ]) {
    expect(findPixCodeDefect(code, 1990), JSON.stringify(code)).not.toBeNull();
  }
});
