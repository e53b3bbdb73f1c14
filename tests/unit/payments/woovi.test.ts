import { createPublicKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { woovi } from "#app/domain/gateway/providers/woovi/provider.server.ts";
import { isSignedWith } from "#app/domain/gateway/providers/woovi/public-keys.server.ts";

/** Made with openssl: `openssl dgst -sha256 -sign`, base64. */
const KEY = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2/PeVRuYFCYADwxm1+WW
TttzDQv11Q9lx+hiPwn6UQeihu+MyzCTncS7cmFHk3OrPbDl+K27CzhFOzxPY2yM
/SakP/A8dvUhP8rza/t0dwN8UI+qmhqywfcOwMQsQjF5oNh4gbm6A0AZtx3/Z4Ej
4/vNfSn/QnhDOtTaYks2nQEtOoMjO/b1aJlKXzLrgTJarOL4KmLV+xSlMtRpno5U
LhSZKlPmCh6Z3pV71n393e4qxMEnvjPbd8P2vhiDVhNsFYPleU8vU7qBQm0C+87V
mN6j9C07X/fCH2QSpQ1czs+svuCy+dULBAcDBInuJjH+RyShFqNWmZ7u7GgJv+Ku
cQIDAQAB
-----END PUBLIC KEY-----`);
const BODY = '{"event":"OPENPIX:CHARGE_COMPLETED","charge":{"correlationID":"pedido-ação-1","value":1990}}';
const SIGNATURE =
  "lW1PkrHmIfkM2ypBQEzebbn5yiIL6tKZooNCMWJZQ/q4DyWsIEr1U+OBHfvtXngeRGofvOStngu8IfAxpWZtVGb2X3jW+ElJ9HGKW99qI+ya3ZfWC1YF3kHkDdUDR+axfp+awBwxaMLdYTnF79MHZEvkSRVC9q9oPS+Z/T0Nqjz9G0M4/3Nszyx2M3uPjPK48Cl2RQObiicT2wNyMnrF5CWu+LnFMYFul/Q/8u+ukv/ODWDt5zwqx+1BFAOmp9NdplHOl1A+EIdUaih0zT794fZnm2uGAI2lMIKzM4pdFT5znKWako8WaUnjBMIUtUn5LJzsJp45aSFzJsd77WW6Aw==";

test("a signature is of one body, byte by byte, and of one of the keys", () => {
  expect(isSignedWith([KEY], BODY, SIGNATURE)).toBe(true);
  expect(isSignedWith([], BODY, SIGNATURE)).toBe(false);
  expect(isSignedWith([KEY], `${BODY} `, SIGNATURE)).toBe(false);
  expect(isSignedWith([KEY], BODY.replace("1990", "1991"), SIGNATURE)).toBe(false);
  for (const wrong of ["", "nada", SIGNATURE.slice(4)]) expect(isSignedWith([KEY], BODY, wrong)).toBe(false);
});

describe("webhooks", () => {
  const parse = (body: object) => woovi.parseWebhook(JSON.stringify(body));
  const charge = { correlationID: "pedido-00000001", status: "COMPLETED" };

  test.each([
    ["OPENPIX:CHARGE_COMPLETED", "paid"],
    ["woovi:CHARGE_COMPLETED", "paid"],
    ["CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER", "paid"],
    ["OPENPIX:CHARGE_CREATED", "open"],
    ["OPENPIX:CHARGE_EXPIRED", "expired"],
    ["PIX_TRANSACTION_REFUND_SENT_CONFIRMED", "refunded"],
    ["OPENPIX:DISPUTE_CREATED", "unclear"],
  ])("%s is %s", (event, state) => {
    const pix = { endToEndId: "E1" };
    expect(parse({ event, charge, pix })).toMatchObject({
      providerId: "pedido-00000001",
      reference: "pedido-00000001",
      state,
      endToEndId: "E1",
    });
  });

  test.each([
    "OPENPIX:MOVEMENT_CONFIRMED",
    "woovi:MOVEMENT_FAILED",
    "OPENPIX:TRANSACTION_RECEIVED",
    "PIX_AUTOMATIC_APPROVED",
  ])("%s without a charge is about none of ours", (event) => {
    expect(parse({ event, pix: { endToEndId: "E1" } })).toBe("nothing");
    expect(parse({ event, charge: null })).toBe("nothing");
  });

  test.each(["pedido 123", "1234", "loja:55", "a@b.c/9", "<b>", 123456789])(
    "a charge that another system calls %s is none of ours",
    (correlationID) => {
      const about = { event: "OPENPIX:CHARGE_COMPLETED", charge: { correlationID } };
      expect(parse(about)).toBe("nothing");
      expect(parse({ ...about, event: null })).toBeNull();
    },
  );

  test("its test is one, and anything else is none", () => {
    expect(parse({ evento: "teste_webhook", event: "OPENPIX:CHARGE_COMPLETED" })).toBe("nothing");
    for (const body of [{}, { event: "OPENPIX:CHARGE_COMPLETED" }, { event: 1, charge }, []])
      expect(parse(body)).toBeNull();
  });
});
