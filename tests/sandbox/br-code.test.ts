import { getPixPayloadInfo, isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import { expect, test } from "vitest";
import { crc16, dynamicBrCode, endToEndId } from "#sandbox/br-code.ts";

const URL_OF_VECTOR = "pix.sandbox.local/qr/v3/at/b08a3a09-311a-4665-bfaf-8bb2cc5d75a5";

test("the CRC of 123456789 is the catalogue's check value", () => {
  expect(crc16("123456789")).toBe("29B1");
});

test("a dynamic code without an amount is the known vector", () => {
  expect(dynamicBrCode({ url: URL_OF_VECTOR, name: "Sandbox Pay LTDA", city: "Sao Paulo" })).toBe(
    "00020101021226850014br.gov.bcb.pix2563pix.sandbox.local/qr/v3/at/b08a3a09-311a-4665-bfaf-8bb2cc5d75a55204000053039865802BR5916Sandbox Pay LTDA6009Sao Paulo62070503***6304A2DA",
  );
});

test("a dynamic code with an amount is the known vector and reads back", () => {
  const code = dynamicBrCode({ url: URL_OF_VECTOR, cents: 1990, name: "PUSHIN PAY LTDA", city: "LIMEIRA" });
  expect(code).toMatch(
    /520400005303986540519\.905802BR5915PUSHIN PAY LTDA6007LIMEIRA62070503\*\*\*63043C3E$/,
  );
  expect(isValidPixPayload(code)).toBe(true);
  expect(getPixPayloadInfo(code)).toMatchObject({ url: URL_OF_VECTOR, merchantName: "PUSHIN PAY LTDA" });
});

test("a code with one character changed is not valid", () => {
  const code = dynamicBrCode({ url: URL_OF_VECTOR, cents: 1990, name: "PUSHIN PAY LTDA", city: "LIMEIRA" });
  expect(isValidPixPayload(code.replace("19.90", "19.91"))).toBe(false);
});

test("an end-to-end id has 32 characters and the minute in UTC", () => {
  expect(endToEndId(Date.UTC(2026, 0, 2, 3, 4, 5))).toMatch(/^E\d{8}202601020304[A-Z0-9]{11}$/);
});
